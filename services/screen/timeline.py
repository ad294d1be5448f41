"""A recording along its versions: the table after any of them, where turns and deals are, how long was thought."""

from bisect import bisect_left, bisect_right
from datetime import timedelta
from typing import Final

from domain.events import TradeCompleted, TurnStarted
from domain.evolve import evolve, initial
from domain.state import State, copy_of
from services.screen.recording import Entry, Recording

STRIDE: Final = 256
"""Versions between two tables that are kept: so many events are folded for a step at most."""

_MILLISECOND: Final = timedelta(milliseconds=1)


class Timeline:
    """Versions run from 1 to `last`. `turns` and `deals` are the versions at which one began, or came about."""

    def __init__(self, recording: Recording) -> None:
        self.game = recording.game
        self.entries = recording.entries
        self.last = len(recording.entries)
        self.turns: list[int] = []
        self.deals: list[int] = []
        self._kept: list[State] = []
        state = initial(recording.game)
        for entry in recording.entries:
            if state.version % STRIDE == 0:
                self._kept.append(copy_of(state))
            evolve(state, entry.event)
            match entry.event:
                case TurnStarted():
                    self.turns.append(entry.version)
                case TradeCompleted():
                    self.deals.append(entry.version)
                case _:
                    pass
        self.seats = len(state.seats)
        self.last_turn = len(self.turns)

    def entry(self, version: int) -> Entry:
        """The event of that version."""
        return self.entries[version - 1]

    def state(self, version: int) -> State:
        """The table after that version, a copy of its own."""
        state = copy_of(self._kept[(version - 1) // STRIDE])
        for entry in self.entries[state.version : version]:
            evolve(state, entry.event)
        return state

    def turn(self, version: int) -> int:
        """Which turn it is then, counted from 1; 0 before the first."""
        return bisect_right(self.turns, version)

    def thinking_ms(self, version: int) -> int | None:
        """Whole milliseconds since the event before; None for the first. A clock that was set back counts as none."""
        if version == 1:
            return None
        passed = self.entry(version).at - self.entry(version - 1).at
        return max(0, passed // _MILLISECOND)


def following(versions: list[int], version: int) -> int | None:
    """The first of them after that one."""
    place = bisect_right(versions, version)
    return versions[place] if place < len(versions) else None


def preceding(versions: list[int], version: int) -> int | None:
    """The last of them before that one."""
    place = bisect_left(versions, version)
    return versions[place - 1] if place else None
