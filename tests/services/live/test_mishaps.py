"""What goes wrong between a store, a bus and a client costs time, and neither an event nor a secret."""

import asyncio
import gc
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from domain import history
from domain.commands import Offer
from domain.events import Event, encode_event
from infra.event_store import StoreUnavailable
from infra.memory.bus import Faults
from infra.memory.event_store import MemoryEventStore
from services.live import live as living
from services.live import room as rooming
from services.live import watcher as watching
from services.live.batch import Batch
from services.live.hints import Moved, encode_hint
from services.live.room import Room
from services.live.watcher import Watcher
from tests.services.games.stores import Call, Through, Troubled
from tests.services.games.tables import new_id, next_move, open_table, running_table, send, trading_table
from tests.services.live.hall import Follower, Hall, Process, assert_up_to_date, hall, read
from tests.services.live.test_following import caught_up, play

DEAF = Faults(lose=1.0)


async def everything(watcher: Watcher, until: Callable[[list[Any]], object]) -> list[Any]:
    """All frames, until they are enough."""
    frames: list[Any] = []
    async with asyncio.timeout(10):
        while not until(frames):
            frame = await watcher.next(0.5)
            if frame is not None:
                frames.append(read(frame))
    return frames


async def test_who_gave_his_seat_away_does_not_see_the_hand_of_the_next_one() -> None:
    """Leaving, joining and the deal come in one batch, because the bus is deaf: he left before the cards were dealt."""
    async with hall(faults=DEAF) as opened:
        here, there = opened.processes
        table = await open_table(there.games, 3, taken=2, start_when_full=True)
        leaver = table.players[1]
        _, watcher = await caught_up(here, table.game, leaver)
        await there.games.leave(table.game, leaver)
        for guest in (new_id(), new_id()):
            await there.games.join(table.game, guest, None, "")
        frames = await everything(watcher, lambda frames: any(frame["type"] == "view" for frame in frames))
        told = [item["event"] for frame in frames if frame["type"] == "events" for item in frame["events"]]
        assert told[-1] == {"type": "player_left", "seat": 1}
        (seen,) = [frame["view"] for frame in frames if frame["type"] == "view"]
        assert seen["viewer"] is None
        assert [seat["hand"] for seat in seen["seats"]] == [None] * 3
        here.live.leave(watcher)


async def test_who_changes_his_seat_sees_the_hand_of_the_new_one_only() -> None:
    async with hall(faults=DEAF) as opened:
        here, there = opened.processes
        table = await open_table(there.games, 3, taken=3)
        mover, other = table.players[1], new_id()
        _, watcher = await caught_up(here, table.game, mover)
        await there.games.leave(table.game, mover)
        await there.games.leave(table.game, table.players[2])
        for guest in (other, mover):
            await there.games.join(table.game, guest, None, "")
        await there.games.start(table.game, table.players[0])
        frames = await everything(watcher, lambda frames: any(frame["type"] == "view" for frame in frames))
        (seen,) = [frame["view"] for frame in frames if frame["type"] == "view"]
        assert seen["viewer"] == 2
        assert not any(
            item["event"]["type"] == "cards_dealt"
            for frame in frames
            if frame["type"] == "events"
            for item in frame["events"]
        )
        here.live.leave(watcher)


class Failing(Through):
    """The store, of which every third call does not come through."""

    def __init__(self, inner: MemoryEventStore) -> None:
        super().__init__(inner)
        self.chance: random.Random | None = None

    async def before(self, _: Call) -> None:
        await asyncio.sleep(0)
        if self.chance is not None and self.chance.random() < 0.3:
            raise StoreUnavailable("now and then")

    async def after(self, _: Call) -> None:
        await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(6))
async def test_a_store_that_fails_now_and_then_costs_no_event(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every place where a watcher waits for it, and with a patience that runs out there, too."""
    monkeypatch.setattr(watching, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(watching, "PAGE", 3)
    monkeypatch.setattr(rooming, "RING_EVENTS", 4)
    store = Failing(MemoryEventStore())
    async with hall(store=store, faults=Faults(lose=0.3), seed=seed) as opened:
        here, there = opened.processes
        host, guests = new_id(), [new_id() for _ in range(2)]
        table = await open_table(there.games, 3, taken=1)
        follower = Follower(table.game, host)
        follower.version = 0
        watcher = await here.live.watch(table.game, host, 0)
        store.chance = random.Random(seed)

        async def at_last(ask: Callable[[], Awaitable[object]]) -> None:
            while True:
                try:
                    await ask()
                except StoreUnavailable:
                    continue
                return

        for guest in guests:
            await at_last(lambda guest=guest: there.games.join(table.game, guest, None, ""))  # type: ignore[misc]
            await follower.hear(watcher, 0.001)
        await at_last(lambda: there.games.start(table.game, table.players[0]))
        version = len(await store.inner.read(table.game))
        async with asyncio.timeout(20):
            while follower.version < version:
                await follower.hear(watcher, random.Random(seed).choice([0.0005, 0.002, 0.1]))
        assert follower.views == []
        store.chance = None
        await assert_up_to_date(here, follower, None)
        here.live.leave(watcher)


async def test_what_is_missed_while_something_missing_is_read_is_read_as_well() -> None:
    """The bus delivers every second message, and there is no sweep."""
    store = Troubled(MemoryEventStore())
    async with hall(store=store, sweep=3600) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower, watcher = await caught_up(here, trading.game, trading.others[0])

        async def move(count: int, *, heard: bool) -> None:
            opened.broker.faults = Faults() if heard else DEAF
            await send(there.games, trading.game, trading.active, Offer(want={"red": count}))
            await asyncio.sleep(0.01)

        await move(1, heard=False)
        store.hangs_after.add("read")
        await move(2, heard=True)
        async with asyncio.timeout(5):
            await store.is_reached.wait()
        store.hangs_after.clear()
        await move(3, heard=False)
        await move(4, heard=True)
        store.release()
        version = len(await opened.history(trading.game))
        async with asyncio.timeout(5):
            while follower.version != version:
                await follower.hear(watcher)
        here.live.leave(watcher)


async def test_a_hint_that_comes_before_the_room_has_begun_is_followed_up() -> None:
    store = Troubled(MemoryEventStore())
    async with hall(store=store, sweep=3600) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        store.hangs_after.add("heads")
        joining = asyncio.create_task(here.live.watch(trading.game, trading.others[0], None))
        await store.is_reached.wait()
        store.hangs_after.clear()
        opened.broker.faults = DEAF
        await send(there.games, trading.game, trading.active, Offer(want={"red": 1}))
        version = len(await opened.history(trading.game))
        here.rooms.heard(trading.game, encode_hint(Moved("elsewhere", version, [])))
        store.release()
        watcher = await joining
        await until(lambda: here.rooms.watched[0].last == version)
        here.live.leave(watcher)


async def until(holds: Callable[[], bool]) -> None:
    """Soon."""
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(0.01)


async def test_a_game_that_only_a_newer_program_can_read_sends_its_watchers_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """During a rollout: a `bye`, and nothing about the cards in the log."""

    def newer(event: Event) -> bytes:
        return encode_event(event)[:-1] + b',"secret":"stink"}'

    async with hall() as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        _, watcher = await caught_up(here, trading.game, trading.others[0])
        with monkeypatch.context() as later, caplog.at_level(logging.DEBUG):
            later.setattr(history, "encode_event", newer)
            await send(there.games, trading.game, trading.active, Offer(want={"red": 1}))
            frames = await everything(watcher, lambda _: watcher.is_over)
        assert frames[-1]["type"] == "bye"
        assert frames[-1]["retry_ms"] > 0
        assert "a trade_offered that is not known here" in caplog.text
        assert "stink" not in caplog.text
        here.live.leave(watcher)


async def test_a_store_that_has_forgotten_something_makes_everybody_begin_anew() -> None:
    """After a restore, or a change to a database that lagged behind."""
    store = MemoryEventStore()
    async with hall(store=store) as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        follower, watcher = await caught_up(here, trading.game, trading.others[0])
        for step in range(3):
            await send(there.games, trading.game, trading.active, Offer(want={"red": 1 + step}))
        version = len(await opened.history(trading.game))
        while follower.version != version:
            await follower.hear(watcher)
        # This process has folded what will be forgotten.
        assert (await here.games.view(trading.game, trading.active)).version == version
        del store._games[trading.game].records[version - 2 :]
        async with asyncio.timeout(5):
            while follower.version != version - 2:
                await follower.hear(watcher)
        assert follower.views[-1] == version - 2
        # Whoever plays on, through whichever process, plays on from there.
        there.games.forget(trading.game)
        for games in (there.games, here.games):
            await send(games, trading.game, trading.active, Offer(want={"soy": 2}))
        async with asyncio.timeout(5):
            while follower.version != version:
                await follower.hear(watcher)
        told = {at: event for at, event in follower.told if at > version - 2}
        assert [b'"soy":2' in told[at] for at in (version - 1, version)] == [True, True]
        here.live.leave(watcher)


async def test_who_comes_back_to_a_full_memory_is_not_taken_for_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_WAITING", 6)
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        trading = await trading_table(process.games)
        _, keeper = await caught_up(process, trading.game, trading.active)
        version = len(await opened.history(trading.game))
        for step in range(10):
            await send(process.games, trading.game, trading.active, Offer(want={"red": 1 + step}))
        follower = Follower(trading.game, trading.others[0])
        follower.version = version
        watcher = await process.live.watch(trading.game, trading.others[0], version)
        await follower.hear(watcher)
        for step in range(3):
            await send(process.games, trading.game, trading.active, Offer(want={"soy": 1 + step}))
        while follower.version < version + 13:
            await follower.hear(watcher)
        assert follower.views == []
        for one in (keeper, watcher):
            process.live.leave(one)


async def test_one_who_sits_down_costs_no_question_to_the_store_for_each_who_looks_on() -> None:
    store = Troubled(MemoryEventStore())
    async with hall(store=store, processes=1, sweep=3600) as opened:
        (process,) = opened.processes
        table = await open_table(process.games, 4, taken=2)
        watchers = [(await caught_up(process, table.game, new_id()))[1] for _ in range(50)]
        await asyncio.sleep(0.2)
        store.calls.clear()
        await process.games.join(table.game, new_id(), None, "")
        for watcher in watchers:
            frame = (await everything(watcher, lambda frames: frames and frames[-1]["type"] == "events"))[-1]
            assert frame["events"][0]["event"]["type"] == "player_joined"
        assert len(store.calls) < 10
        for watcher in watchers:
            process.live.leave(watcher)


async def there_are(process: Process, game: str, seats: list[int]) -> None:
    """Presence says so, soon."""
    (room,) = [room for room in process.rooms.watched if room.game == game]
    await until(lambda: room.presence is not None and read(room.presence)["seats"] == seats)


async def test_presence_ends_with_the_process_that_ends_and_with_the_one_that_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(living, "_STEP_SECONDS", 0.01)
    async with hall(processes=3) as opened:
        here, ending, killed = opened.processes
        table = await running_table(here.games, 3)
        watchers = [
            await process.live.watch(table.game, player, None)
            for process, player in zip(opened.processes, table.players, strict=True)
        ]
        await there_are(here, table.game, [0, 1, 2])
        await ending.live.say_bye(0.01)
        ending.live.leave(watchers[1])
        await opened.end(ending)
        await there_are(here, table.game, [0, 2])
        # Nobody says that the killed one is gone; its word runs out.
        killed.live._background.start = lambda _: None  # type: ignore[method-assign,assignment,return-value]
        await opened.end(killed)
        opened.presence._ends[table.game][f"{table.players[2]}/p2"] = 0
        await there_are(here, table.game, [0])
        here.live.leave(watchers[0])


async def test_a_hub_that_does_not_work_any_more_sends_its_clients_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pitfall B8: not silence."""
    monkeypatch.setattr(living, "_STEP_SECONDS", 0.01)
    async with hall() as opened:
        here, there = opened.processes
        trading = await trading_table(there.games)
        _, watcher = await caught_up(here, trading.game, trading.others[0])
        assert here.rooms._sweeper is not None
        here.rooms._sweeper.cancel()
        frames = await everything(watcher, lambda _: watcher.is_over)
        assert frames[-1]["type"] == "bye"
        assert not here.live.is_working
        assert there.live.is_working
        here.live.leave(watcher)


async def test_after_the_end_what_comes_back_is_whole_from_wherever_it_is_taken() -> None:
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        table = await running_table(process.games, 3)
        _, keeper = await caught_up(process, table.game, table.players[0])
        await play(opened, table, 10_000, random.Random(3))
        last = len(await opened.history(table.game))
        for after in (last - 100, last - 3):
            follower = Follower(table.game, table.players[1])
            follower.version = after
            await follower.follow(process, last)
            drawn = [event for _, event in follower.told if b"cards_drawn" in event]
            assert not any(b'"bean":null' in event for event in drawn)
        process.live.leave(keeper)


async def test_each_single_call_to_the_store_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """In turn; the watcher misses nothing."""
    monkeypatch.setattr(watching, "_PAUSE_SECONDS", 0.0)
    for failing in range(1, 8):
        store = Troubled(MemoryEventStore())
        async with hall(store=store, processes=1, sweep=3600) as opened:
            (process,) = opened.processes
            table = await running_table(process.games, 3)
            watcher = await process.live.watch(table.game, table.players[0], 0)
            follower = Follower(table.game, table.players[0])
            follower.version = 0
            chance = random.Random(failing)
            for _ in range(5):
                assert await next_move(table, [process.games], chance) is not None
            version = len(await opened.history(table.game))
            calls = len(store.calls)
            while follower.version < version:
                store.is_down = len(store.calls) - calls == failing
                await follower.hear(watcher, 0.2)
                store.is_down = False
            await assert_up_to_date(process, follower, 0)
            process.live.leave(watcher)


async def followed_to_its_end(opened: Hall, here: Process, there: Process, number: int) -> None:
    table = await running_table(there.games, 3)
    followers = [Follower(table.game, player) for player in table.players]
    for follower in followers:
        follower.version = 0
    playing = asyncio.create_task(play(opened, table, 10_000, random.Random(number)))
    while not playing.done() or any((follower.version or 0) < playing.result() for follower in followers):
        at = len(await opened.history(table.game))
        await asyncio.gather(*(follower.follow(here, at) for follower in followers))
        await asyncio.sleep(0)


async def test_nothing_is_kept_of_games_that_were_followed_to_their_end() -> None:
    """Pitfalls G2 to G4: no room, watcher, batch, task or subscription of them is left."""
    async with hall() as opened:
        here, there = opened.processes
        tasks = len(asyncio.all_tasks())
        for number in range(8):
            await followed_to_its_end(opened, here, there, number)
        await asyncio.sleep(0.3)
        gc.collect()
        assert [kept for kept in gc.get_objects() if isinstance(kept, Room | Watcher | Batch)] == []
        assert len(asyncio.all_tasks()) <= tasks
        assert [bus._channels for bus in opened.broker._buses] == [set(), set()]


async def test_who_comes_to_a_game_that_is_over_is_told_who_is_there() -> None:
    async with hall(processes=1) as opened:
        (process,) = opened.processes
        table = await running_table(process.games, 3)
        _, first = await caught_up(process, table.game, table.players[0])
        await play(opened, table, 10_000, random.Random(3))
        last = len(await opened.history(table.game))
        await there_are(process, table.game, [0])
        second = await process.live.watch(table.game, table.players[0], last)
        frame = await second.next(1)
        assert frame is not None
        assert read(frame) == {"type": "presence", "seats": [0], "spectators": 0}
        for watcher in (first, second):
            process.live.leave(watcher)


async def test_who_sits_down_while_the_seats_are_looked_up_is_seen_there() -> None:
    store = Troubled(MemoryEventStore())
    async with hall(store=store, sweep=3600) as opened:
        here, there = opened.processes
        table = await open_table(there.games, 3, taken=1)
        guest = new_id()
        _, watcher = await caught_up(here, table.game, guest)
        await there_are(here, table.game, [])
        (room,) = here.rooms.watched
        room.seated = None
        store.hangs_after.add("read")
        here.live._look_who_is_there(room)
        await store.is_reached.wait()
        store.hangs_after.clear()
        await there.games.join(table.game, guest, None, "")
        await asyncio.sleep(0.1)
        store.release()
        await there_are(here, table.game, [1])
        here.live.leave(watcher)
