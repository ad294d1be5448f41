"""Faults that hit a stream in the one moment in which they could cost it an event (pitfalls B1, B7)."""

import asyncio

import pytest

from domain.commands import Offer
from infra.event_store import EventStore, StoreUnavailable
from infra.memory.bus import Faults
from infra.memory.event_store import MemoryEventStore
from services.live.hints import moved
from services.live.watcher import Watcher
from tests.services.games.stores import Call, Through, Troubled
from tests.services.games.tables import new_id, open_table, send, trading_table
from tests.services.live.hall import Follower, Process, hall, read

DEAF = Faults(lose=1.0)


class Failing(Through):
    """Fails at one call, some calls from now."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.fails_in = 0

    async def before(self, call: Call) -> None:
        self.fails_in -= 1
        if self.fails_in == 0:
            raise StoreUnavailable(f"at {call}")


async def caught_up(process: Process, game: str, player: str) -> tuple[Follower, Watcher]:
    """Somebody who has everything that there is, from the first event on."""
    follower = Follower(game, player)
    follower.version = 0
    watcher = await process.live.watch(game, player, 0)
    await hears(follower, watcher, (await process.games.view(game, player)).version)
    return follower, watcher


async def hears(follower: Follower, watcher: Watcher, version: int) -> None:
    """He is told everything up to that version, soon."""
    async with asyncio.timeout(5):
        while follower.version is None or follower.version < version:
            await follower.hear(watcher, 0.1)


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("has_it_all", [True, False])
async def test_whichever_question_the_store_leaves_unanswered_no_event_is_lost(number: int, has_it_all: bool) -> None:
    """Somebody sits down, which makes the hub ask where the client sits now: after it has taken the event off what
    waits for him, or read it."""
    store = Failing(MemoryEventStore())
    async with hall(processes=1, store=store) as opened:
        (process,) = opened.processes
        table = await open_table(process.games, 5, taken=2)
        if has_it_all:
            follower, watcher = await caught_up(process, table.game, table.players[1])
        else:
            follower = Follower(table.game, table.players[1])
            follower.version = 0
            watcher = await process.live.watch(table.game, table.players[1], 0)
        await process.games.join(table.game, new_id(), None, "")
        store.fails_in = number
        await hears(follower, watcher, len(await store.inner.read(table.game)))
        assert [version for version, _ in follower.told] == list(range(1, len(follower.told) + 1))
        process.live.leave(watcher)


async def test_what_happens_while_the_missing_is_read_is_read_as_well() -> None:
    """It was stored after the store was read, and is told on the bus before the answer has come: by the next sweep it
    would be late."""
    async with hall(sweep=3600, faults=DEAF) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower, watcher = await caught_up(here, trading.game, trading.others[0])
        store = here.rooms._store = Troubled(opened.store)

        async def something_happens() -> bytes:
            version = len(await opened.store.read(trading.game))
            await send(there.games, trading.game, trading.active, Offer(want={"red": 1}))
            await send(there.games, trading.game, trading.active, Offer(want={"soy": 1}))
            return moved("there", (await opened.store.read(trading.game, version))[-1:])

        hint = await something_happens()
        store.hangs_after.add("read")
        here.rooms.heard(trading.game, hint)
        await store.is_reached.wait()
        here.rooms.heard(trading.game, await something_happens())
        store.release()
        await hears(follower, watcher, len(await opened.store.read(trading.game)))
        here.live.leave(watcher)


async def test_who_is_connected_here_is_known_also_to_a_redis_that_has_lost_its_memory() -> None:
    async with hall() as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        seat = trading.table.players.index(trading.active)
        _, watcher = await caught_up(here, trading.game, trading.active)

        async def shows(spectators: int) -> list[int]:
            async with asyncio.timeout(5):
                while True:
                    frame = await watcher.next(1)
                    if frame is not None and frame.type == "presence" and read(frame)["spectators"] == spectators:
                        seats: list[int] = read(frame)["seats"]
                        return seats

        assert await shows(0) == [seat]
        opened.presence._ends.clear()
        spectator = await there.live.watch(trading.game, new_id(), None)
        assert await shows(1) == [seat]
        for one, process in ((watcher, here), (spectator, there)):
            process.live.leave(one)
