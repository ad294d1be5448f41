"""The way through a history to one of its versions, page by page, and on until it is known where to go from there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from domain.events import Event
from domain.evolve import evolve, initial
from domain.history import Record
from domain.replay import Landmarks
from domain.state import State
from services.games.stored import stored_event


class Passage:
    """`state` is the game at that version as soon as `happened` is there: the last event of it and its record.
    `before` is when the event before it happened, None for the first."""

    def __init__(self, game: str, version: int) -> None:
        self.state: Final[State] = initial(game)
        self.landmarks: Final = Landmarks()
        self.happened: tuple[Record, Event] | None = None
        self.before: datetime | None = None
        self.passed = 0
        self._version: Final = version

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to look for."""
        return self.happened is not None and self.landmarks.are_passed(self._version)

    def take(self, records: Sequence[Record]) -> None:
        """What follows, at least one record. HistoryUnreadable."""
        for record in records:
            event = stored_event(self.state.game, record)
            self.landmarks.notice(record.version, event)
            if record.version <= self._version:
                evolve(self.state, event)
            if record.version == self._version - 1:
                self.before = record.at
            elif record.version == self._version:
                self.happened = record, event
        self.passed = records[-1].version
