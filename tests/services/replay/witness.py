"""What one viewer was told of a game while it was played, version by version, as the bytes that came; and a step of a
replay taken apart into the same pieces."""

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from domain.actions import actions
from domain.events import decode_event
from domain.evolve import evolve, initial
from domain.views import view, with_names
from services.games.games import Games
from services.live.frames import Frame
from services.live.watcher import Watcher
from tests.services.games.tables import wire


class Seen(Struct, frozen=True):
    """One event and what was to be seen and done after it."""

    version: int
    at: str
    event: bytes
    view: bytes
    actions: bytes


class Witness:
    """A seat, or None for who looks on. Adds up what comes in frames, as a client in any language would, and so knows
    also the table between two events of one command, which no `GET` ever shows."""

    def __init__(self, game: str, player: str, seat: int | None, names: Mapping[str, str]) -> None:
        self.game = game
        self.player = player
        self.seat = seat
        self.seen: dict[int, Seen] = {}
        self._names = names
        self._state = initial(game)

    async def listen(self, watcher: Watcher, games: Games, version: int) -> None:
        """Until that version, which is the present one; then the table and the actions are asked for."""
        while self._state.version < version:
            frame = await watcher.next(1.0)
            assert frame is not None, f"nothing came after version {self._state.version}"
            self._take(frame)
        last = self.seen[version]
        assert wire(await games.view(self.game, self.player)) == last.view
        if self.seat is not None:
            assert wire((await games.actions(self.game, self.player)).actions) == last.actions

    def _take(self, frame: Frame) -> None:
        if frame.type != "events":
            assert frame.type == "presence"
            return
        for item in msgspec.json.decode(frame.body, type=_Frame).events:
            event = bytes(item.event)
            evolve(self._state, decode_event(event))
            self.seen[item.version] = Seen(
                version=item.version,
                at=item.at,
                event=event,
                view=wire(with_names(view(self._state, self.seat), self._names)),
                actions=wire([] if self.seat is None else actions(self._state, self.seat)),
            )


def replayed(step: bytes) -> Seen:
    """A step of a replay, in the same pieces."""
    told = msgspec.json.decode(step, type=_Step)
    return Seen(told.version, told.at, bytes(told.event), bytes(told.view), bytes(told.actions))


class _Item(Struct):
    version: int
    at: str
    event: Raw


class _Frame(Struct):
    events: list[_Item]


class _Step(Struct):
    version: int
    at: str
    event: Raw
    view: Raw
    actions: Raw
