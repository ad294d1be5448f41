"""A recording along its versions: the table after any of them, where turns and trades are, how long was thought."""

from bisect import bisect_right
from typing import Final

from domain.evolve import evolve, initial
from domain.replay import Landmarks, thinking_ms
from domain.state import State, copy_of
from services.screen.recording import Entry, Recording

STRIDE: Final = 256
"""Versions between two tables that are kept: so many events are folded for a step at most."""


class Timeline:
    """Versions run from 1 to `last`. `turns` and `trades` are the versions at which one began, or came about."""

    def __init__(self, recording: Recording) -> None:
        self.game = recording.game
        self.names = recording.names
        self.entries = recording.entries
        self.last = len(recording.entries)
        self._kept: list[State] = []
        state, landmarks = initial(recording.game), Landmarks()
        for entry in recording.entries:
            if state.version % STRIDE == 0:
                self._kept.append(copy_of(state))
            evolve(state, entry.event)
            landmarks.notice(entry.version, entry.event)
        self.turns, self.trades = landmarks.turns, landmarks.trades
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
        """Whole milliseconds since the event before; None for the first."""
        before = None if version == 1 else self.entry(version - 1).at
        return thinking_ms(before, self.entry(version).at)
