"""Some moments of a game, kept as they were to be seen when they happened, and looked back on when it is over: a replay
shows the very same bytes (pitfall D8)."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from domain.actions import actions
from domain.events import Event
from domain.history import Record
from domain.redaction import redact
from domain.replay import Viewpoint
from domain.state import State
from domain.views import view, with_names
from infra.event_store import Append, NewGame
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from services.games.live_game import summary_of
from services.replay.replays import Replays
from services.replay.standing import Standing

MOMENTS: Final = 3
"""Of each game."""

_AT: Final = datetime(2026, 11, 30, tzinfo=UTC)
_encode: Final = msgspec.json.Encoder().encode


class Moment(Struct, frozen=True):
    """What a seat, or None for a spectator, could see and do after that version."""

    version: int
    viewer: int | None
    told: bytes


class Memory:
    """Keeps moments of one game, each as likely as any other."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._passed = 0
        self._kept: list[Moment] = []

    def pass_by(self, state: State, event: Event) -> None:
        """The game after a command; `event` is the last that it gave."""
        self._passed += 1
        if self._passed <= MOMENTS:
            self._kept.append(self._moment(state, event))
        elif (place := self._chance.randrange(self._passed)) < MOMENTS:
            self._kept[place] = self._moment(state, event)

    def different(self, state: State, seats: Sequence[int], stored: Sequence[bytes]) -> Moment | None:
        """The first of the moments that a replay of the game which is over now shows in another way. `seats` acted,
        `stored` are the bytes of the events."""
        return asyncio.run(self._different(state, seats, stored))

    def _moment(self, state: State, event: Event) -> Moment:
        viewer = self._chance.choice([None, *range(len(state.seats))])
        listed = [] if viewer is None else actions(state, viewer)
        return Moment(state.version, viewer, _encode([redact(event, viewer), view(state, viewer), listed]))

    async def _different(self, state: State, seats: Sequence[int], stored: Sequence[bytes]) -> Moment | None:
        records = [
            Record(version, _AT, seat, payload, b"")
            for version, (seat, payload) in enumerate(zip(seats, stored, strict=True), 1)
        ]
        store = MemoryEventStore()
        await store.create(NewGame(Append(state.game, 0, records, summary_of(state), None), b"", b"", None))
        replays = Replays(store, MemoryPlayerStore())
        standing = Standing(state.game, state.version, len(state.seats), None, state.is_over)
        for moment in self._kept:
            viewpoint: Viewpoint = "spectator" if moment.viewer is None else moment.viewer
            step = await replays.step(standing, moment.version, viewpoint)
            # Nobody here has a name, nor had he when it was seen.
            if _encode([step.event, with_names(step.view, {}), step.actions]) != moment.told:
                return moment
        return None
