"""After the end: is the whole history true to itself, to the rules, and to what every client was told on the way?"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.events import Event
from domain.evolve import fold
from domain.redaction import redact
from domain.referee import judge_events, revealed_seed
from domain.views import View, view, with_names
from services.demo.fault import Fault
from services.demo.notebook import Notebook
from services.demo.replay import Move, replay
from services.games.answers import EventItem


class Witness(NamedTuple):
    """What one client can say about an ended game: its notes, and what it reads afterwards."""

    notebook: Notebook
    history: list[EventItem]
    view: View


def verdict(game: str, witnesses: Sequence[Witness]) -> list[Fault]:
    """Everything that is wrong, by version; nothing, if all is right."""
    whole = witnesses[0].history
    events = [item.event for item in whole]
    found = [*_gap(whole)]
    for told in witnesses:
        found += _changed_since(told)
        if told.history != whole:
            version = _first_difference(told.history, whole)
            found.append(Fault(version, f"Seats 0 and {told.notebook.seat} read different histories after the end."))
    # The seed is told before the first event is looked at, so that a wrong shuffle is named when it comes.
    against_the_rules = judge_events(game, events, seed=revealed_seed(events))
    if against_the_rules is not None:
        found.append(Fault(against_the_rules.version, against_the_rules.sentence))
    if not found:
        # What is wrong by itself would only be found wrong again.
        found += _end_seen(game, events, witnesses)
        found += replay(game, events, _moves(witnesses))
    return sorted(found, key=lambda fault: fault.version)


def _gap(history: Sequence[EventItem]) -> Iterator[Fault]:
    for version, item in enumerate(history, 1):
        if item.version != version:
            yield Fault(version, f"The whole history has version {item.version} in this place.")
            return


def _changed_since(told: Witness) -> Iterator[Fault]:
    """What a seat was told during the game is what it reads now, wherever it was not hidden."""
    seat = told.notebook.seat
    given = told.notebook.given
    if len(given) != len(told.history):
        yield Fault(len(given), f"Seat {seat} was told {len(given)} events, and reads {len(told.history)} now.")
    for before, now in zip(given, told.history, strict=False):
        same = before.event in (now.event, redact(now.event, seat))
        if not same or before.at != now.at or before.version != now.version:
            yield Fault(before.version, f"Seat {seat} was told otherwise during the game.")


def _first_difference(one: Sequence[EventItem], other: Sequence[EventItem]) -> int:
    for left, right in zip(one, other, strict=False):
        if left != right:
            return left.version
    return min(len(one), len(other)) + 1


def _end_seen(game: str, events: Sequence[Event], witnesses: Sequence[Witness]) -> Iterator[Fault]:
    state = fold(game, events)
    for told in witnesses:
        if with_names(told.view, {}) != view(state, told.notebook.seat):
            yield Fault(told.view.version, f"The last view of seat {told.notebook.seat} is not what the history gives.")


def _moves(witnesses: Sequence[Witness]) -> list[Move]:
    return [
        Move(done.answer.events[0].version, done.answer.version, told.notebook.seat, done.command)
        for told in witnesses
        for done in told.notebook.accepted
    ]
