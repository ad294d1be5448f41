"""Events that were stored together, and the frames that are made of them: one for each audience, however many watch."""

from collections.abc import Sequence
from typing import Final

from domain.events import BotJoined, Event, GameStarted, PlayerJoined, PlayerLeft
from domain.history import Record
from domain.redaction import AUDIENCES
from services.games.shown import shown
from services.games.stored import stored_event
from services.live.frames import Frame, events_frame

_SEATING: Final = frozenset({PlayerJoined, PlayerLeft, BotJoined, GameStarted})


class Batch:
    """Versions `first` to `last` of one game. `is_seating`: who sits where may have changed."""

    __slots__ = ("_frames", "_happened", "_is_public", "first", "is_seating", "last")

    def __init__(self, happened: Sequence[tuple[Record, Event]]) -> None:
        self.first: Final = happened[0][0].version
        self.last: Final = happened[-1][0].version
        self.is_seating: Final = any(type(event) in _SEATING for _, event in happened)
        self._happened: Final = happened
        self._is_public: Final = all(AUDIENCES[type(event)] == "everyone" for _, event in happened)
        self._frames: dict[tuple[int | None, bool], Frame] = {}

    def frame(self, viewer: int | None, *, revealed: bool = False) -> Frame:
        """For that seat, or a spectator; encoded once."""
        audience = (None, False) if self._is_public else (viewer, revealed)
        frame = self._frames.get(audience)
        if frame is None:
            frame = self._frames[audience] = self._made(self._happened, viewer, revealed=revealed)
        return frame

    def rest(self, after: int, viewer: int | None) -> Frame:
        """The same for who has seen the beginning already."""
        return self._made(self._happened[after + 1 - self.first :], viewer, revealed=False)

    def later_than(self, version: int) -> "Batch":
        """The part of it that is newer; there must be one."""
        return self if version < self.first else Batch(self._happened[version + 1 - self.first :])

    @staticmethod
    def _made(happened: Sequence[tuple[Record, Event]], viewer: int | None, *, revealed: bool) -> Frame:
        return events_frame([shown(record, event, viewer, revealed=revealed) for record, event in happened])


def batch_of(game: str, records: Sequence[Record]) -> Batch:
    """Stored records, at least one and without a gap. HistoryUnreadable."""
    return Batch([(record, stored_event(game, record)) for record in records])
