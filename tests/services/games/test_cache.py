"""The copies in memory are disposable and never old: whoever asks sees everything that was committed
before, whatever else is under way."""

import asyncio

import pytest

from domain.commands import Offer, Withdraw
from domain.events import OfferWithdrawn
from infra.event_store import EventStore
from services.games.cache import GameCache
from services.games.errors import GameNotFound
from tests.services.games.stores import Call, Through, Troubled
from tests.services.games.tables import World, new_id, offer, open_table, send, trading_table

GENEROUS = 20.0


class Held(Through):
    """The first read has its answer and comes back only when it is let go."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.is_read = asyncio.Event()
        self.may_return = asyncio.Event()

    async def after(self, call: Call) -> None:
        if call == "read" and self.calls.count("read") == 1:
            self.is_read.set()
            await self.may_return.wait()


async def test_who_joins_a_load_sees_what_was_committed_after_it_had_read(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    store = Held(world.store)
    cold = world.process(store=store)
    async with asyncio.timeout(GENEROUS):
        first = asyncio.create_task(cold.view(trading.game, trading.active))
        await store.is_read.wait()
        made = await send(games, trading.game, trading.active, Offer(want={"red": 1}))
        second = asyncio.create_task(cold.view(trading.game, trading.active))
        # By way of Withdraw: a refusal would tell of an offer that is not there.
        third = asyncio.create_task(send(cold, trading.game, trading.active, Withdraw(1)))
        await asyncio.sleep(0.01)
        store.may_return.set()
        assert (await second).version >= made.version
        assert (await third).version == made.version + 1
        await first


async def test_a_refusal_counts_for_what_was_committed_while_another_caught_up(world: World) -> None:
    games, other = world.processes(2)
    trading = await trading_table(games)
    for _ in range(20):
        made = await offer(other, trading.game, trading.active, Offer(want={"red": 1}))
        # The views fold the offer while the withdrawal, which knows of no such offer yet, reads the same tail.
        withdrawal = asyncio.create_task(send(games, trading.game, trading.active, Withdraw(made)))
        await asyncio.gather(*(games.view(trading.game, player) for player in trading.others * 3))
        assert (await withdrawal).events[0].event == OfferWithdrawn(made)


async def test_a_game_that_many_ask_for_at_once_is_loaded_once(world: World) -> None:
    trading = await trading_table(world.process())
    store = Troubled(world.store)
    cold = world.process(store=store)
    views = await asyncio.gather(*(cold.view(trading.game, player) for player in trading.table.players * 10))
    assert len({view.version for view in views}) == 1
    assert store.calls.count("secrets") == 1


async def test_the_least_recently_used_game_is_forgotten(world: World) -> None:
    games = world.process()
    ids = [(await open_table(games, 3, taken=1)).game for _ in range(4)]
    store = Through(world.store)
    cache = GameCache(store, 3)
    for game in (*ids[:3], ids[0], ids[3]):
        await cache.get(game)
    assert len(cache) == 3
    assert store.calls.count("secrets") == 4
    await cache.get(ids[0])
    assert store.calls.count("secrets") == 4
    await cache.get(ids[1])
    assert store.calls.count("secrets") == 5


async def test_an_unknown_game_takes_no_room(world: World) -> None:
    cache = GameCache(world.store, 3)
    for game in (new_id(), "no id", "", "\0"):
        with pytest.raises(GameNotFound):
            await cache.get(game)
    assert len(cache) == 0
    assert not cache._loading
