"""Several processes that erase and are live, and what they share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from domain.events import GameAbandoned, decode_event
from infra.event_store import StoreUnavailable
from infra.memory.bus import MemoryBroker, MemoryBus
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from infra.memory.presence import MemoryPresence
from infra.players import Erased
from services.erasure.erasures import Erasures
from services.games.games import Games
from services.identity.access import AccessTokens, TokenInvalid
from services.identity.keys import parse_keys
from services.live.live import Live
from services.live.rooms import Rooms
from services.live.watcher import Watcher
from tests.services.games.stores import Spoilt, Troubled
from tests.services.games.tables import NOON
from tests.services.live.hall import read

KEYS = "k" * 32
LOOK_SECONDS = 0.01


class TroubledPlayers(MemoryPlayerStore):
    """A store that can be away, and that is asked."""

    def __init__(self, events: MemoryEventStore, clock: ManualClock) -> None:
        super().__init__(events, clock)
        self.is_down = False
        self.before_erasing: Callable[[], Awaitable[object]] | None = None
        self.asked: list[tuple[datetime | None, timedelta]] = []

    async def erase(self, player: str) -> bool:
        self._look()
        if self.before_erasing is not None:
            await self.before_erasing()
        return await super().erase(player)

    async def erased_since(self, position: datetime | None, back: timedelta) -> list[Erased]:
        self._look()
        self.asked.append((position, back))
        return await super().erased_since(position, back)

    def _look(self) -> None:
        if self.is_down:
            raise StoreUnavailable("down")


class Process:
    """One API process as far as it erases and is live."""

    def __init__(self, town: "Town", number: int, clock: ManualClock) -> None:
        self.clock = clock
        self.access = AccessTokens(parse_keys(KEYS), clock, 900)
        rooms = Rooms(town.store, MemoryBus(town.broker), f"p{number}", sweep_seconds=LOOK_SECONDS)
        self.games = Games(town.store, town.players, clock, SeededEntropy(number), announce=rooms.announce)
        self.live = Live(self.games, rooms, town.presence, f"p{number}")
        self.erasures = Erasures(town.players, self.access, self.games, self.live, clock, look_seconds=LOOK_SECONDS)

    async def open(self) -> None:
        await self.live.open()
        await self.erasures.open()

    async def close(self) -> None:
        await self.erasures.close()
        await self.live.close()

    def refuses(self, player: str) -> bool:
        try:
            self.access.check(player)
        except TokenInvalid:
            return True
        return False


class Town:
    """What the processes share."""

    def __init__(self) -> None:
        self.events = MemoryEventStore()
        self.spoilt = Spoilt(self.events)
        self.store = Troubled(self.spoilt)
        self.clock = ManualClock(NOON)
        self.players = TroubledPlayers(self.events, self.clock)
        self.broker = MemoryBroker()
        self.presence = MemoryPresence()
        self.processes: list[Process] = []

    async def begin(self, clock: ManualClock | None = None) -> Process:
        """One more process; its clock is that of the others and of the store, if it has none of its own."""
        process = Process(self, len(self.processes), clock or self.clock)
        await process.open()
        self.processes.append(process)
        return process

    async def name(self, *players: str) -> None:
        for player in players:
            await self.players.create(player, "Ada", "en", NOON)

    async def is_forgotten(self, game: str, player: str, key: str) -> bool:
        return await self.events.receipt(game, player, key) is None

    async def is_abandoned(self, game: str) -> bool:
        return isinstance(decode_event((await self.events.read(game))[-1].payload), GameAbandoned)


@asynccontextmanager
async def town(processes: int = 2) -> AsyncIterator[Town]:
    opened = Town()
    for _ in range(processes):
        await opened.begin()
    try:
        yield opened
    finally:
        for process in opened.processes:
            await process.close()


async def until(holds: Callable[[], object]) -> None:
    """Soon."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(LOOK_SECONDS)


async def eventually(holds: Callable[[], Awaitable[bool]]) -> None:
    """Soon, where it has to be asked for."""
    async with asyncio.timeout(10):
        while not await holds():  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(LOOK_SECONDS)


async def looks(town: Town, times: int = 3) -> None:
    """Everybody has looked so many times more."""
    wanted = len(town.players.asked) + times * len(town.processes)
    await until(lambda: len(town.players.asked) >= wanted)


async def next_of(watcher: Watcher, kind: str) -> dict[str, Any]:
    """The next frame of that type, as a client reads it."""
    async with asyncio.timeout(10):
        while True:
            frame = await watcher.next(None)
            assert frame is not None
            if frame.type == kind:
                told: dict[str, Any] = read(frame)
                return told
