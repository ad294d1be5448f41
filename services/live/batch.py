"""Events that were stored together, and the frames that are made of them: one for each audience, however many watch."""

from collections.abc import Sequence
from typing import Final

from domain.events import BotJoined, Event, GameAbandoned, GameEnded, PlayerJoined, PlayerLeft
from domain.history import Record
from domain.redaction import AUDIENCES
from services.games.shown import shown
from services.games.stored import stored_event
from services.live.frames import Frame, events_frame

_SEATING: Final = frozenset({PlayerJoined, PlayerLeft, BotJoined})
_ENDING: Final = frozenset({GameEnded, GameAbandoned})


class Batch:
    """Versions `first` to `last` of one game. `is_seating`: who sits where changes; `is_ending`: the game is over."""

    __slots__ = ("_frames", "_happened", "_is_public", "first", "is_ending", "is_seating", "last")

    def __init__(self, happened: Sequence[tuple[Record, Event]]) -> None:
        self.first: Final = happened[0][0].version
        self.last: Final = happened[-1][0].version
        self.is_seating: Final = any(type(event) in _SEATING for _, event in happened)
        self.is_ending: Final = any(type(event) in _ENDING for _, event in happened)
        self._happened: Final = happened
        self._is_public: Final = all(AUDIENCES[type(event)] == "everyone" for _, event in happened)
        self._frames: dict[tuple[int | None, bool], Frame] = {}

    def frame(self, viewer: int | None, *, revealed: bool = False) -> Frame:
        """For that seat, or a spectator; encoded once."""
        audience = (None, False) if self._is_public else (viewer, revealed)
        frame = self._frames.get(audience)
        if frame is None:
            frame = self._frames[audience] = events_frame(
                [shown(record, event, viewer, revealed=revealed) for record, event in self._happened]
            )
        return frame

    def after(self, version: int) -> "Batch":
        """The part of it that is newer; there must be one."""
        return self if version < self.first else Batch(self._happened[version + 1 - self.first :])

    def until_moved(self, player: str, seat: int | None, known_at: int) -> tuple["Batch", int | None]:
        """Up to the event with which that player, who sat there at version `known_at`, sits elsewhere; and where.

        What comes behind it is not his to see from the seat that he had before. What came before `known_at` is: nobody
        changes his seat after the cards were dealt.
        """
        if self.is_seating:
            for count, (record, event) in enumerate(self._happened, 1):
                if record.version <= known_at:
                    continue
                if isinstance(event, PlayerJoined) and event.player == player and event.seat != seat:
                    return Batch(self._happened[:count]), event.seat
                if isinstance(event, PlayerLeft) and event.seat == seat:
                    return Batch(self._happened[:count]), None
        return self, seat


def batch_of(game: str, records: Sequence[Record]) -> Batch:
    """Stored records, at least one and without a gap. HistoryUnreadable."""
    return Batch([(record, stored_event(game, record)) for record in records])
