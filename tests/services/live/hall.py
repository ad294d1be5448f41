"""Several processes that serve the same games live, over one store and one broker, and clients who follow."""

import asyncio
import itertools
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from domain.events import Event, decode_event
from domain.evolve import evolve, initial
from domain.state import State
from domain.views import view, with_names
from infra.event_store import EventStore
from infra.memory.bus import Faults, MemoryBroker, MemoryBus
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from infra.memory.presence import MemoryPresence
from services.games.games import Games
from services.live.frames import Frame
from services.live.live import Live
from services.live.rooms import Rooms
from services.live.watcher import Watcher
from tests.services.games.tables import NOON

QUICK = 0.02
"""Seconds between two sweeps."""


class Process:
    """One API process as far as it is live."""

    def __init__(self, hall: "Hall", number: int) -> None:
        self.rooms = Rooms(
            hall.store, MemoryBus(hall.broker), f"p{number}", sweep_seconds=hall.sweep, sweep_seconds_alone=hall.sweep
        )
        entropy = SeededEntropy(hall.seed * 100 + number)
        self.games = Games(hall.store, hall.players, ManualClock(NOON), entropy, announce=self.rooms.announce)
        self.live = Live(self.games, self.rooms, hall.presence, f"p{number}")
        self.is_gone = False


class Hall:
    """What the processes share."""

    def __init__(self, store: EventStore, faults: Faults, sweep: float, seed: int) -> None:
        self.store = store
        self.seed = seed
        self.sweep = sweep
        self.broker = MemoryBroker(seed, faults)
        self.presence = MemoryPresence()
        self.players = MemoryPlayerStore()
        self.processes: list[Process] = []
        self._numbers = itertools.count()

    async def begin(self) -> Process:
        """One more process."""
        process = Process(self, next(self._numbers))
        await process.live.open()
        self.processes.append(process)
        return process

    async def end(self, process: Process) -> None:
        """It is gone, as after a kill: nothing is said."""
        self.processes.remove(process)
        process.is_gone = True
        await process.live.close()

    async def history(self, game: str) -> list[Event]:
        """What the store has."""
        return [decode_event(record.payload) for record in await self.store.read(game)]


@asynccontextmanager
async def hall(
    processes: int = 2,
    *,
    store: EventStore | None = None,
    faults: Faults = Faults(),  # noqa: B008 - it is frozen
    sweep: float = QUICK,
    seed: int = 1,
) -> AsyncIterator[Hall]:
    """So many processes; all are closed afterwards."""
    opened = Hall(store or MemoryEventStore(), faults, sweep, seed)
    for _ in range(processes):
        await opened.begin()
    try:
        yield opened
    finally:
        for process in tuple(opened.processes):
            await opened.end(process)


def read(frame: Frame) -> Any:
    """The frame as a client reads it."""
    return msgspec.json.decode(frame.body)


class Follower:
    """A client who follows one game, comes back when he is cut off, and notices everything that is out of order."""

    def __init__(self, game: str, player: str) -> None:
        self.game = game
        self.player = player
        self.version: int | None = None
        self.state: State | None = None
        self.told: list[tuple[int, bytes]] = []
        self.views: list[int] = []
        self.types: list[str] = []

    async def follow(self, process: Process, until: int, *, chance: random.Random | None = None) -> None:
        """Until he knows of that version; with a `chance` he is cut off now and then, and has to come again."""
        watcher = await process.live.watch(self.game, self.player, self.version)
        try:
            async with asyncio.timeout(30):
                while self.version is None or self.version < until:
                    if chance is not None and chance.random() < 0.02:
                        return
                    await self.hear(watcher)
        finally:
            process.live.leave(watcher)

    async def hear(self, watcher: Watcher, patience: float = 1.0) -> Frame | None:
        """One frame."""
        frame = await watcher.next(patience)
        if frame is not None:
            self.take(frame)
        return frame

    def take(self, frame: Frame) -> None:
        """Fold it, as a client in any language would."""
        body = read(frame)
        self.types.append(body["type"])
        if body["type"] == "view":
            self.version = body["view"]["version"]
            self.views.append(body["view"]["version"])
            self.state = None
        elif body["type"] == "events":
            self._events(body)

    def _events(self, body: Any) -> None:
        versions = [item["version"] for item in body["events"]]
        assert versions == list(range(body["from"], body["to"] + 1))
        assert self.version is not None
        assert body["from"] == self.version + 1, f"version {body['from']} follows version {self.version}"
        for item in body["events"]:
            self.told.append((item["version"], msgspec.json.encode(item["event"])))
        self.version = body["to"]

    def fold(self) -> State:
        """What the events add up to, for a client who was there from version 0 on."""
        state = initial(self.game)
        for _, event in self.told:
            evolve(state, decode_event(event))
        return state


async def assert_up_to_date(process: Process, follower: Follower, seat: int | None) -> None:
    """Every version once and in order from the first on, and the fold is what the server shows."""
    assert [version for version, _ in follower.told] == list(range(1, len(follower.told) + 1))
    seen = await process.games.view(follower.game, follower.player)
    assert seen.version == follower.version
    assert with_names(view(follower.fold(), seat), {}) == with_names(seen, {})


def seats(players: Sequence[str]) -> list[tuple[int | None, str]]:
    """Every seat with its player, and a spectator."""
    return [*enumerate(players), (None, "00000000-0000-4000-8000-0000000000ff")]
