"""A whole game as it is replayed: every event with its time and who acted."""

from datetime import datetime

from msgspec import Struct

from domain.events import Event


class Entry(Struct, frozen=True):
    """One event. `at` in UTC; `seat` acted, None for the server."""

    version: int
    at: datetime
    seat: int | None
    event: Event


class Recording(Struct, frozen=True):
    """The versions of `entries` run from 1 on without a hole. `names` of players by their ids, where somebody knows
    them: they are in no export, and text of others."""

    game: str
    ruleset: str
    rules_version: int
    entries: list[Entry]
    names: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Recording(game={self.game!r}, {len(self.entries)} events)"


class NotPlayable(Exception):
    """There is no recording that could be shown; the message is a sentence for whoever asked for it."""
