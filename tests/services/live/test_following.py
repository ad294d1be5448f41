"""Whoever follows a game gets every event once, in order and without a gap, whatever happens on the way
(pitfalls A1, A3, B7, C1, T48, T52, T53)."""

import asyncio
import random
from typing import Any

import pytest

from domain.commands import Offer
from infra.memory.bus import Faults
from infra.memory.event_store import MemoryEventStore
from services.games.errors import GameNotFound, TooManyStreams
from services.live import live as living
from services.live import watcher as watching
from services.live.batch import batch_of
from services.live.frames import Frame
from tests.services.games.stores import Troubled
from tests.services.games.tables import Table, new_id, next_move, open_table, running_table, send, trading_table
from tests.services.live.hall import Follower, Hall, Process, assert_up_to_date, hall, read, seats

SPECTATOR = "00000000-0000-4000-8000-0000000000ff"


async def play(hall: Hall, table: Table, moves: int, chance: random.Random) -> int:
    """Some moves, each through any process; the version that the game has come to."""
    games = [process.games for process in hall.processes]
    for _ in range(moves):
        if await next_move(table, games, chance) is None:
            break
        await asyncio.sleep(0)
    return len(await hall.store.read(table.game))


async def follow_to_the_end(hall: Hall, follower: Follower, playing: asyncio.Task[int], chance: random.Random) -> None:
    while not playing.done():
        version = len(await hall.store.read(follower.game))
        await follower.follow(chance.choice(hall.processes), version, chance=chance)
        await asyncio.sleep(0)
    while follower.version is None or follower.version < playing.result():
        await follower.follow(chance.choice(hall.processes), playing.result(), chance=chance)


WORST = Faults(lose=0.2, double=0.2, delay=0.01, reorder=0.3)


@pytest.mark.parametrize("faults", [Faults(), WORST, Faults(lose=1.0)], ids=["honest", "worst", "deaf"])
@pytest.mark.parametrize("players", [3, 5])
async def test_every_client_ends_with_the_events_of_the_store(faults: Faults, players: int) -> None:
    """Two processes serve the game, messages between them are lost, doubled, delayed and overtaken, and every client
    is cut off again and again, to come back to any process with the last version that he knows."""
    async with hall(faults=faults, seed=players) as opened:
        table = await running_table(opened.processes[0].games, players)
        followers = [Follower(table.game, player) for _, player in seats(table.players)]
        for follower in followers:
            follower.version = 0
        playing = asyncio.create_task(play(opened, table, 10_000, random.Random(players)))
        chances = [random.Random(number) for number in range(len(followers))]
        await asyncio.gather(
            *(
                follow_to_the_end(opened, follower, playing, chance)
                for follower, chance in zip(followers, chances, strict=True)
            )
        )
        for (seat, _), follower in zip(seats(table.players), followers, strict=True):
            assert follower.views == []
            await assert_up_to_date(opened.processes[0], follower, seat)


async def test_a_client_without_a_place_to_begin_gets_the_table_first() -> None:
    async with hall() as opened:
        trading = await trading_table(opened.processes[0].games)
        follower = Follower(trading.game, trading.active)
        version = len(await opened.history(trading.game))
        await follower.follow(opened.processes[1], version)
        assert follower.types == ["view"]
        assert follower.views == [version]


async def test_a_place_that_does_not_exist_yet_is_as_good_as_none() -> None:
    async with hall() as opened:
        trading = await trading_table(opened.processes[0].games)
        follower = Follower(trading.game, trading.active)
        follower.version = 10_000
        watcher = await opened.processes[0].live.watch(trading.game, trading.active, 10_000)
        await follower.hear(watcher)
        opened.processes[0].live.leave(watcher)
        assert follower.types == ["view"]


async def test_what_another_process_did_arrives_without_a_sweep() -> None:
    async with hall(sweep=3600) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        watcher = await here.live.watch(trading.game, trading.others[0], 0)
        follower = Follower(trading.game, trading.others[0])
        follower.version = 0
        version = len(await opened.history(trading.game))
        while follower.version < version:
            await follower.hear(watcher)
        await send(there.games, trading.game, trading.active, Offer(want={"red": 1}))
        frame = await watcher.next(1)
        while frame is not None and frame.type == "presence":
            frame = await watcher.next(1)
        assert frame is not None
        assert read(frame)["events"][0]["event"]["type"] == "trade_offered"
        here.live.leave(watcher)


async def caught_up(process: Process, game: str, player: str) -> tuple[Follower, watching.Watcher]:
    """Somebody who has everything that there is."""
    watcher = await process.live.watch(game, player, None)
    follower = Follower(game, player)
    while follower.version is None:
        await follower.hear(watcher)
    return follower, watcher


async def test_the_loss_of_the_last_message_is_repaired() -> None:
    """Nothing follows by which the gap would be noticed: the sweep notices it."""
    async with hall(faults=Faults(lose=1.0)) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower, watcher = await caught_up(here, trading.game, trading.others[0])
        await send(there.games, trading.game, trading.active, Offer(want={"red": 1}))
        version = len(await opened.history(trading.game))
        async with asyncio.timeout(5):
            while follower.version != version:
                await follower.hear(watcher)
        here.live.leave(watcher)


async def test_while_the_bus_is_away_play_goes_on_by_the_sweep_and_afterwards_at_once() -> None:
    """Pitfall B7, T48."""
    async with hall() as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower, watcher = await caught_up(here, trading.game, trading.others[0])
        opened.broker.go_away()
        for step in range(3):
            await send(there.games, trading.game, trading.active, Offer(want={"red": 1 + step}))
        async with asyncio.timeout(5):
            while follower.version != len(await opened.history(trading.game)):
                await follower.hear(watcher)
        assert here.live.is_working
        opened.broker.come_back()
        await send(there.games, trading.game, trading.active, Offer(want={"red": 9}))
        async with asyncio.timeout(5):
            while follower.version != len(await opened.history(trading.game)):
                await follower.hear(watcher)
        assert [version for version, _ in follower.told] == list(
            range(follower.views[0] + 1, (follower.version or 0) + 1)
        )
        here.live.leave(watcher)


async def test_a_client_who_is_too_slow_begins_anew_with_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never a silent drop: a view, and from there on every event."""
    monkeypatch.setattr(watching, "MOST_WAITING", 5)
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        trading = await trading_table(process.games)
        follower, watcher = await caught_up(process, trading.game, trading.others[0])
        for step in range(12):
            await send(process.games, trading.game, trading.active, Offer(want={"red": 1 + step}))
        version = len(await opened.history(trading.game))
        while follower.version != version:
            await follower.hear(watcher)
        assert follower.views == [version - 12, version]
        await send(process.games, trading.game, trading.active, Offer(want={"soy": 1}))
        while follower.version != version + 1:
            await follower.hear(watcher)
        assert [at for at, _ in follower.told] == [version + 1]
        process.live.leave(watcher)


async def test_who_sits_down_sees_his_own_hand_from_then_on() -> None:
    async with hall() as opened:
        here, there = opened.processes
        table = await open_table(there.games, 3, taken=2, start_when_full=True)
        guest = new_id()
        follower, watcher = await caught_up(here, table.game, guest)
        await there.games.join(table.game, guest, None, "")
        frame: Frame | None = None
        async with asyncio.timeout(5):
            while len(follower.views) < 2:
                frame = await follower.hear(watcher)
        assert frame is not None
        seen = read(frame)["view"]
        assert seen["viewer"] == 2
        assert all(card["bean"] is not None for card in seen["seats"][2]["hand"])
        # What he was told as a spectator ends with his sitting down, though more happened at once.
        assert b"player_joined" in follower.told[-1][1]
        assert not any(b"cards_dealt" in event for _, event in follower.told)
        here.live.leave(watcher)


async def test_who_leaves_a_private_table_sees_nothing_more_of_it() -> None:
    async with hall() as opened:
        here, there = opened.processes
        table = await open_table(there.games, 3, taken=3, visibility="private")
        _, watcher = await caught_up(here, table.game, table.players[2])
        await there.games.leave(table.game, table.players[2])
        await there.games.leave(table.game, table.players[1])
        told = b""
        async with asyncio.timeout(5):
            while not watcher.is_over:
                frame = await watcher.next(1)
                told += b"" if frame is None else frame.body
        assert told.endswith(b'{"type":"bye","retry_ms":null}')
        # His own leaving is the last that he hears of; the other seat became free behind his back.
        assert told.count(b'"type":"player_left","seat":2') == told.count(b"player_left") == 1
        here.live.leave(watcher)


async def test_a_history_longer_than_any_queue_does_not_stop_the_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pitfall T53."""
    monkeypatch.setattr(watching, "MOST_WAITING", 3)
    monkeypatch.setattr(watching, "PAGE", 7)
    async with hall() as opened:
        here, there = opened.processes
        table = await running_table(there.games, 4)
        await play(opened, table, 150, random.Random(4))
        follower = Follower(table.game, table.players[1])
        follower.version = 0
        await follower.follow(here, len(await opened.history(table.game)))
        await assert_up_to_date(here, follower, 1)


async def test_a_store_that_is_away_for_a_while_costs_time_and_no_event() -> None:
    store = Troubled(MemoryEventStore())
    async with hall(store=store) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower = Follower(trading.game, trading.others[0])
        follower.version = 0
        watcher = await here.live.watch(trading.game, trading.others[0], 0)
        store.is_down = True
        assert await watcher.next(0.1) is None
        store.is_down = False
        version = len(await opened.history(trading.game))
        async with asyncio.timeout(5):
            while follower.version < version:
                await follower.hear(watcher)
        await assert_up_to_date(here, follower, trading.table.players.index(trading.others[0]))
        here.live.leave(watcher)


async def test_nothing_is_left_after_many_joins_and_leaves() -> None:
    """Pitfall T52: rooms, subscriptions, watchers and tasks."""
    async with hall() as opened:
        here, there = opened.processes
        tables = [await running_table(there.games, 3) for _ in range(5)]
        await asyncio.sleep(0.05)
        tasks = len(asyncio.all_tasks())
        chance = random.Random(0)

        async def come_and_go(number: int) -> None:
            table = tables[number % 5]
            watcher = await here.live.watch(table.game, chance.choice([*table.players, new_id()]), None)
            if number % 3:
                await watcher.next(0.01)
            here.live.leave(watcher)

        for start in range(0, 10_000, 50):
            await asyncio.gather(*(come_and_go(number) for number in range(start, start + 50)))
        await asyncio.sleep(0.2)
        assert here.rooms.watched == []
        assert not here.live._here
        assert not here.live._watchers
        assert not here.live._streams
        assert [await opened.presence.present(table.game) for table in tables] == [[]] * 5
        assert opened.broker._buses[0]._channels == set()
        assert len(asyncio.all_tasks()) <= tasks


async def test_nobody_opens_streams_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "MOST_STREAMS", 3)
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        table = await running_table(process.games, 3)
        watchers = [await process.live.watch(table.game, table.players[0], None) for _ in range(3)]
        with pytest.raises(TooManyStreams):
            await process.live.watch(table.game, table.players[0], None)
        other = await process.live.watch(table.game, table.players[1], None)
        process.live.leave(watchers[0])
        for watcher in (*watchers[1:], await process.live.watch(table.game, table.players[0], None), other):
            process.live.leave(watcher)
        with pytest.raises(GameNotFound):
            await process.live.watch(new_id(), table.players[0], None)
        assert not process.live._streams


async def test_a_join_that_is_given_up_leaves_nothing_behind() -> None:
    store = Troubled(MemoryEventStore())
    async with hall(store=store, processes=1) as opened:
        (process,) = opened.processes
        table = await running_table(process.games, 3)
        store.hangs_before.add("heads")
        joining = asyncio.create_task(process.live.watch(table.game, table.players[0], None))
        await store.is_reached.wait()
        joining.cancel()
        await asyncio.gather(joining, return_exceptions=True)
        assert process.rooms.watched == []
        store.release()
        follower, watcher = await caught_up(process, table.game, table.players[0])
        assert follower.version == len(await opened.history(table.game))
        process.live.leave(watcher)


def drawings(frame: Frame) -> list[Any]:
    return [item["event"] for item in read(frame)["events"] if item["event"]["type"] == "cards_drawn"]


async def test_one_encoding_for_each_audience() -> None:
    """Cost grows with audiences, not with clients."""
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        table = await running_table(process.games, 3)
        watchers = [(await caught_up(process, table.game, player))[1] for player in (*table.players, SPECTATOR) * 3]
        chance = random.Random(3)
        while not any(b"cards_drawn" in record.payload for record in await opened.store.read(table.game)):
            assert await next_move(table, [process.games], chance) is not None
        records = await opened.store.read(table.game)
        drawn = next(record.version for record in records if b"cards_drawn" in record.payload)
        frames = []
        for watcher in watchers:
            frame = await watcher.next(1)
            while frame is None or frame.version is None or frame.version < drawn:
                frame = await watcher.next(1)
            frames.append(frame)
        (seat,) = {event["seat"] for frame in frames for event in drawings(frame)}
        assert len({id(frame) for frame in frames}) == 4
        for number, frame in enumerate(frames):
            hidden = all(card["bean"] is None for card in drawings(frame)[0]["cards"])
            assert hidden == (number % 4 != seat)
        public = batch_of(table.game, [next(record for record in records if b"bean_planted" in record.payload)])
        assert public.frame(0) is public.frame(None)
        for watcher in watchers:
            process.live.leave(watcher)
