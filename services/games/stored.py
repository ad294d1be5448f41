"""From a stored record to its event, whatever its age: the one way by which histories get back into the program."""

import re
from typing import Final

from domain.events import Event, GameCreated, UnknownShape, decode_event
from domain.history import Record, header
from domain.rulesets import table_for
from services.games.errors import HistoryUnreadable

_TAG: Final = re.compile(rb'\{"type":"([a-z_]{1,40})"')


def stored_event(game: str, record: Record) -> Event:
    """The event in its present shape. HistoryUnreadable when it, or the rules that the game is played by, are newer
    than this program."""
    try:
        event = decode_event(record.payload)
        if isinstance(event, GameCreated):
            table_for(event.ruleset, event.seats, event.options, event.rules_version)
    except UnknownShape as error:
        # What is wrong with it may be a card, and the reason is for the log.
        found = _TAG.match(record.payload)
        kind = "an event" if found is None else f"a {found[1].decode()}"
        raise HistoryUnreadable(game, record.version, f"{kind} that is not known here") from error
    except ValueError as error:
        raise HistoryUnreadable(game, record.version, str(error)) from error
    return event


def header_line(game: str, first: Record) -> bytes:
    """The line that the chain begins with. HistoryUnreadable when that is not how a game begins."""
    created = stored_event(game, first)
    if not isinstance(created, GameCreated):
        raise HistoryUnreadable(game, first.version, "a game does not begin with it")
    return header(game, created.ruleset, created.rules_version)
