"""One game in memory, served by three processes that come and go over a bus that loses, doubles, delays and reorders
and a store that fails now and then, and followed by clients who are cut off, slow, or both."""

import asyncio
import random
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar
from unittest.mock import patch

import msgspec

from domain.bots.casual import choose
from domain.events import decode_event
from domain.evolve import evolve, initial
from domain.history import Record
from domain.redaction import redact
from domain.referee import judge_records, revealed_seed
from domain.replay import Viewpoint
from domain.views import View, view, with_names
from infra.event_store import EventStore, StoreUnavailable
from infra.memory.bus import Faults
from infra.memory.event_store import MemoryEventStore
from services.games.errors import GameError
from services.live.frames import Frame
from services.live.live import MOST_STREAMS
from services.replay.replays import Replays
from tests.services.games.stores import Call, Through
from tests.services.games.tables import Table, new_id, open_table
from tests.services.live.hall import Follower, Hall, Process, hall
from tests.soak.live.played import Played, Wrong

PROCESSES: Final = 3
MOST_SECONDS: Final = 120.0
"""For one game, which takes one or two."""

SMALL: Final = {
    "services.live.watcher.MOST_WAITING": 6,
    "services.live.watcher.PAGE": 7,
    "services.live.watcher._PAUSE_SECONDS": 0.005,
    "services.live.room.RING_EVENTS": 12,
    "services.live.rooms._EVENTS_A_PAGE": 5,
    "services.live.live.PRESENCE_SECONDS": 0.05,
    "services.live.live._TOGETHER_SECONDS": 0.002,
}
"""Every limit of the hub so low that a game comes up against it again and again."""

LOOKED_BACK_ON: Final = 40
"""Events of each client, at most, that are looked back on when the game is over; and every table that he was shown."""

T = TypeVar("T")

_view: Final = msgspec.json.Decoder(View)


class Shaky(Through):
    """A store that others get a turn at, that is away now and then, and whose answer is lost at times."""

    def __init__(self, inner: EventStore, chance: random.Random) -> None:
        super().__init__(inner)
        self.is_down = False
        self.fails = 0.0
        self._chance = chance

    async def before(self, call: Call) -> None:
        await self._elsewhere()
        if self.is_down or self._chance.random() < self.fails:
            raise StoreUnavailable(f"before {call}")

    async def after(self, call: Call) -> None:
        await self._elsewhere()
        if self._chance.random() < self.fails:
            raise StoreUnavailable(f"after {call}")

    async def _elsewhere(self) -> None:
        for _ in range(self._chance.randrange(3)):
            await asyncio.sleep(0)


class Client(Follower):
    """A follower who keeps the views that he was told, and may be slow."""

    def __init__(self, game: str, player: str, seat: int | None, chance: random.Random, *, slow: float) -> None:
        super().__init__(game, player)
        self.version = chance.choice([0, None])
        self.seat = seat
        self.joins = 0
        self.seen: list[View] = []
        self.times: dict[int, str] = {}
        self._chance = chance
        self._slow = slow

    def take(self, frame: Frame) -> None:
        """As Follower.take. Nobody is led back."""
        before = self.version
        super().take(frame)
        if before is not None and (self.version is None or self.version < before):
            raise Wrong(f"who stood at version {before} was shown version {self.version}")
        if frame.type == "view":
            body = msgspec.json.decode(frame.body)
            self.seen.append(_view.decode(msgspec.json.encode(body["view"])))

    def _events(self, body: Any) -> None:
        super()._events(body)
        self.times.update((item["version"], item["at"]) for item in body["events"])

    async def once(self, process: Process, is_done: Callable[[int | None], bool]) -> None:
        """Follow until the process is gone, or chance cuts him off, or all is told."""
        try:
            watcher = await process.live.watch(self.game, self.player, self.version)
        except StoreUnavailable:
            return
        self.joins += 1
        try:
            while not process.is_gone and not is_done(self.version):
                # Who waits for something that does not come is not cut off: nothing else may help him to it.
                if await self.hear(watcher, 0.05) is not None and self._chance.random() < 0.02:
                    return
                await asyncio.sleep(self._slow)
        finally:
            process.live.leave(watcher)


class Game:
    """One game, its players and its clients."""

    def __init__(self, number: int, seed: int) -> None:
        self.played = Played(number)
        self._chance = random.Random(f"{seed}/{number}")
        self._hall: Hall
        self._store = Shaky(MemoryEventStore(), random.Random(f"{seed}/{number}/store"))
        self._table: Table
        self._clients: list[Client] = []
        self._last: int | None = None
        self._listed: dict[tuple[int, str], bytes] = {}

    async def play(self) -> None:
        """From the first event to the last, and what everybody was told of it."""
        chance = self._chance
        faults = Faults(
            lose=chance.choice([0, 0.1, 0.5]),
            double=chance.choice([0, 0.3]),
            delay=chance.choice([0, 0.003, 0.02]),
            reorder=chance.choice([0, 0.5]),
        )
        async with hall(PROCESSES, store=self._store, faults=faults, seed=chance.getrandbits(20)) as opened:
            self._hall = opened
            players = chance.randint(3, 7)
            self._table = await open_table(opened.processes[0].games, players, taken=players - 1)
            self._sit_down()
            self._store.fails = chance.choice([0, 0.005, 0.02])
            trouble = asyncio.create_task(self._trouble())
            try:
                async with asyncio.TaskGroup() as together:
                    for client in self._clients:
                        together.create_task(self._follow(client))
                    await self._fill()
                    together.create_task(self._move_to_the_end())
            finally:
                trouble.cancel()
                await asyncio.gather(trouble, return_exceptions=True)
            self._store.fails, self._store.is_down = 0.0, False
            await self._judge()

    def _sit_down(self) -> None:
        seated = [*enumerate(self._table.players), (None, new_id())]
        for seat, player in [*seated, self._chance.choice(seated)]:
            slow = self._chance.choice([0, 0, 0.002, 0.02])
            dice = random.Random(self._chance.getrandbits(64))
            self._clients.append(Client(self._table.game, player, seat, dice, slow=slow))
        assert len(self._clients) < MOST_STREAMS
        self.played.clients = len(self._clients)

    async def _fill(self) -> None:
        """Strangers sit down and go again, before the last seat is taken and the cards are dealt."""
        game, players = self._table.game, self._table.players
        for _ in range(self._chance.randrange(4)):
            stranger = new_id()
            await self._insist(lambda process, who=stranger: process.games.join(game, who, None, ""))  # type: ignore[misc]
            with suppress(GameError):
                await self._insist(lambda process, who=stranger: process.games.leave(game, who))  # type: ignore[misc]
        players.append(new_id())
        await self._insist(lambda process: process.games.join(game, players[-1], None, ""))
        with suppress(GameError):
            await self._insist(lambda process: process.games.start(game, players[0]))

    async def _move_to_the_end(self) -> None:
        movers = [asyncio.create_task(self._move()) for _ in range(2)]
        try:
            await asyncio.gather(*movers)
        finally:
            for mover in movers:
                mover.cancel()
        self._last = len(await self._store.inner.read(self._table.game))
        self.played.events = self._last

    async def _move(self) -> None:
        """Somebody does something sensible, again and again, each time through any process."""
        chance, game = self._chance, self._table.game
        while True:
            player = chance.choice(self._table.players)
            seen = await self._insist(lambda process, player=player: process.games.view(game, player))  # type: ignore[misc]
            if seen.status != "running":
                return
            told = await self._insist(lambda process, player=player: process.games.actions(game, player))  # type: ignore[misc]
            self._listed[told.version, player] = msgspec.json.encode(told.actions)
            command = choose(seen, told.actions, chance) if told.version == seen.version else None
            if command is None:
                await asyncio.sleep(0)
                continue
            key = new_id()
            # Somebody may have been faster.
            with suppress(GameError):
                await self._insist(
                    lambda process, player=player, key=key, command=command: process.games.command(  # type: ignore[misc]
                        game, player, key, command, None
                    )
                )
                self.played.commands += 1

    async def _insist(self, ask: Callable[[Process], Awaitable[T]]) -> T:
        """As a client does: again, with the same key, through any process."""
        while True:
            try:
                return await ask(self._chance.choice(self._hall.processes))
            except StoreUnavailable:
                await asyncio.sleep(0.001)

    async def _follow(self, client: Client) -> None:
        def is_done(version: int | None) -> bool:
            return self._last is not None and version is not None and version >= self._last

        while not is_done(client.version):
            await client.once(self._chance.choice(self._hall.processes), is_done)
            await asyncio.sleep(0.001)
        self.played.joins += client.joins
        self.played.views += len(client.views)

    async def _trouble(self) -> None:
        """One thing after the other befalls what the clients depend on, until the game is over: what is missing then
        comes by itself."""
        chance, broker = self._chance, self._hall.broker
        while self._last is None:
            await asyncio.sleep(chance.uniform(0.01, 0.1))
            self.played.troubles += 1
            match chance.randrange(4):
                case 0:
                    await self._hall.end(chance.choice(self._hall.processes))
                    await self._hall.begin()
                case 1:
                    broker.go_away()
                    await asyncio.sleep(chance.uniform(0, 0.05))
                    broker.come_back()
                case 2:
                    self._store.is_down = True
                    await asyncio.sleep(chance.uniform(0, 0.03))
                    self._store.is_down = False
                case _:
                    for process in self._hall.processes:
                        process.rooms.renewed()

    async def _judge(self) -> None:
        game = self._table.game
        records = await self._store.read(game)
        events = [decode_event(record.payload) for record in records]
        fault = judge_records(game, records, seed=revealed_seed(events))
        if fault is not None:
            raise Wrong(f"the referee at version {fault.version}: {fault.sentence}")
        views = _views(game, records, {client.seat for client in self._clients})
        for client in self._clients:
            for version, told in client.told:
                if decode_event(told) not in (events[version - 1], redact(events[version - 1], client.seat)):
                    raise Wrong(f"seat {client.seat} was told otherwise at version {version}")
            for seen in client.seen:
                if with_names(seen, {}) != views[client.seat][seen.version]:
                    raise Wrong(f"seat {client.seat} was shown another table at version {seen.version}")
            for process in self._hall.processes:
                end = await process.games.view(game, client.player)
                if with_names(end, {}) != views[client.seat][len(events)]:
                    raise Wrong(f"a process shows seat {client.seat} another end")
            await self._look_back(client)

    async def _look_back(self, client: Client) -> None:
        """What he was told, shown, and offered to do while it was played is what a replay of it has."""
        replays = Replays(self._store, self._hall.players)
        standing = await replays.standing(client.game, new_id())
        place: Viewpoint = "spectator" if client.seat is None else client.seat

        async def check(version: int, part: str, told: bytes) -> None:
            step = await replays.step(standing, version, place)
            if msgspec.json.encode(getattr(step, part)) != told:
                raise Wrong(f"a replay of version {version} is not what seat {client.seat} saw then, in {part}")

        events = self._chance.sample(client.told, min(LOOKED_BACK_ON, len(client.told)))
        for version, told in events:
            await check(version, "at", msgspec.json.encode(client.times[version]))
            # Who comes after the end is told all there is.
            if decode_event(told) == redact(decode_event(told), client.seat):
                await check(version, "event", told)
        for seen in client.seen:
            # Before the first event there is nothing to look back on.
            if seen.version:
                await check(seen.version, "view", msgspec.json.encode(seen))
        listed = [(version, told) for (version, player), told in self._listed.items() if player == client.player]
        for version, told in self._chance.sample(listed, min(LOOKED_BACK_ON, len(listed))):
            await check(version, "actions", told)


def _views(game: str, records: list[Record], seats: set[int | None]) -> dict[int | None, list[View]]:
    """What each seat sees after each version, by the rules alone."""
    state = initial(game)
    seen: dict[int | None, list[View]] = {seat: [view(state, seat)] for seat in seats}
    for record in records:
        evolve(state, decode_event(record.payload))
        for seat, views in seen.items():
            views.append(msgspec.convert(msgspec.to_builtins(view(state, seat)), View))
    return seen


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@contextmanager
def small_limits() -> Iterator[None]:
    """The limits of the hub as in SMALL."""
    patches = [patch(name, value) for name, value in SMALL.items()]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()


async def play(number: int, seed: int) -> Played:
    """The game, and what was wrong with it. The same number and seed give the same dice, but not the same turns of the
    event loop."""
    game = Game(number, seed)
    began = time.monotonic()
    try:
        with small_limits():
            async with asyncio.timeout(MOST_SECONDS):
                await game.play()
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
            raise
        found = _innermost(error)
        game.played.failure = f"{type(found).__name__}: {found}"
        game.played.trace = "".join(traceback.format_exception(error))
    game.played.seconds = time.monotonic() - began
    return game.played
