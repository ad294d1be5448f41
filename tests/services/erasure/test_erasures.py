"""Erasing a player on several processes: the tokens are refused everywhere, and streams end (pitfalls E14, I3, A11)."""

from datetime import timedelta
from functools import partial

import pytest

from domain.commands import EndTrading
from infra.event_store import StoreUnavailable
from infra.memory.clock import ManualClock
from infra.memory.players import MemoryPlayerStore
from infra.players import SOMEONE
from services.identity.access import TokenInvalid
from tests.services.erasure.town import looks, next_of, town, until
from tests.services.games.counters import counter
from tests.services.games.tables import NOON, new_id, open_table, running_table, send, trading_table


async def test_the_process_that_erases_refuses_at_once_and_the_others_soon() -> None:
    learnt = counter("erasures")
    async with town(3) as opened:
        here, *others = opened.processes
        player, other = new_id(), new_id()
        await opened.name(player, other)
        await here.erasures.erase(player)
        assert here.refuses(player)
        await until(lambda: all(process.refuses(player) for process in others))
        await looks(opened)
        assert not any(process.refuses(other) for process in opened.processes)
        assert learnt() == 3


async def test_a_process_that_starts_later_refuses_from_its_first_request_on() -> None:
    async with town(1) as opened:
        player = new_id()
        await opened.name(player)
        await opened.processes[0].erasures.erase(player)
        opened.clock.advance(899)
        assert (await opened.begin()).refuses(player)


async def test_who_is_nobody_is_not_erased() -> None:
    async with town(1) as opened:
        with pytest.raises(TokenInvalid):
            await opened.processes[0].erasures.erase(new_id())


async def test_a_second_time_is_refused_on_a_process_that_does_not_know_yet() -> None:
    async with town(1) as opened:
        player = new_id()
        await opened.name(player)
        await opened.players.erase(player)
        with pytest.raises(TokenInvalid):
            await opened.processes[0].erasures.erase(player)


async def test_his_tables_are_left_before_the_start_and_his_seat_stays_after_it() -> None:
    async with town() as opened:
        here, there = opened.processes
        running, joined = await running_table(here.games, 3), await open_table(here.games, 3, taken=2)
        player = running.players[1]
        await here.games.join(joined.game, player, None, "")
        hosted = await open_table(there.games, 3, taken=1, host=player)
        await opened.name(player, running.players[0], joined.players[0])
        await there.erasures.erase(player)
        seen = await here.games.view(running.game, running.players[0])
        assert [seat.player for seat in seen.seats] == running.players
        assert [seat.name for seat in seen.seats] == ["Ada", SOMEONE, SOMEONE]
        assert seen.status == "running"
        seen = await here.games.view(joined.game, joined.players[0])
        assert [seat.name for seat in seen.seats] == ["Ada", SOMEONE, None]
        assert (await here.games.view(hosted.game, joined.players[0])).status == "abandoned"
        listed = await here.games.games(joined.players[0], None, None, player, None, 10)
        assert [[taken and taken.name for taken in entry.players] for entry in listed.games] == [
            ["Ada", SOMEONE, SOMEONE]
        ]


async def test_the_others_play_on() -> None:
    async with town() as opened:
        here, there = opened.processes
        trading = await trading_table(here.games, 3)
        await opened.name(*trading.table.players)
        await here.erasures.erase(trading.others[0])
        assert (await send(there.games, trading.game, trading.active, EndTrading())).events


async def test_the_streams_of_an_erased_player_end_everywhere_and_those_of_others_go_on() -> None:
    async with town() as opened:
        here, there = opened.processes
        trading = await trading_table(here.games, 3)
        player, other = trading.others
        await opened.name(*trading.table.players)
        his = [(process, await process.live.watch(trading.game, player, None)) for process in opened.processes]
        hers = await there.live.watch(trading.game, other, None)
        for watcher in (*(watcher for _, watcher in his), hers):
            await next_of(watcher, "view")
        await here.erasures.erase(player)
        for process, watcher in his:
            assert await next_of(watcher, "bye") == {"type": "bye", "retry_ms": None}
            assert watcher.is_over
            process.live.leave(watcher)
        await send(here.games, trading.game, trading.active, EndTrading())
        await next_of(hers, "events")
        assert not hers.is_over
        begun = await there.live.watch(trading.game, other, None)
        named = {seat["player"]: seat["name"] for seat in (await next_of(begun, "view"))["view"]["seats"]}
        assert named == {player: SOMEONE, other: "Ada", trading.active: "Ada"}
        for watcher in (hers, begun):
            there.live.leave(watcher)


async def test_while_the_store_is_away_it_is_asked_again_and_nothing_is_missed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failures = counter("erasure_failures")
    async with town(1) as opened:
        (process,) = opened.processes
        player = new_id()
        await opened.name(player)
        await looks(opened)
        opened.players.is_down = True
        await until(lambda: failures() >= 3)
        assert process.erasures.is_working
        assert len([record for record in caplog.records if record.name == "bohnanza.erasure"]) == 1
        # Somebody else erases him, and it is long over when this process looks again.
        await MemoryPlayerStore.erase(opened.players, player)
        opened.clock.advance(600)
        assert not process.refuses(player)
        opened.players.is_down = False
        await until(lambda: process.refuses(player))


async def test_a_process_starts_while_the_store_is_away() -> None:
    async with town(0) as opened:
        opened.players.is_down = True
        process = await opened.begin()
        assert process.erasures.is_working
        player = new_id()
        await opened.name(player)
        opened.players.is_down = False
        await opened.players.erase(player)
        await until(lambda: process.refuses(player))


async def test_what_was_stored_late_with_an_earlier_time_is_found_as_well() -> None:
    async with town(1) as opened:
        first, late = new_id(), new_id()
        await opened.name(first, late)
        opened.clock.advance(600)
        await opened.players.erase(first)
        await until(lambda: opened.processes[0].refuses(first))
        opened.clock.advance(-50)
        await opened.players.erase(late)
        opened.clock.advance(50)
        await until(lambda: opened.processes[0].refuses(late))


@pytest.mark.parametrize("wrong_by", [-86_400, -1_200, -90, 90, 1_200, 86_400])
async def test_a_process_whose_clock_is_wrong_learns_as_soon_as_any_other(wrong_by: float) -> None:
    async with town(1) as opened:
        (right,) = opened.processes
        wrong = await opened.begin(ManualClock(NOON + timedelta(seconds=wrong_by)))
        players = [new_id(), new_id()]
        await opened.name(*players)
        for process, other, player in ((right, wrong, players[0]), (wrong, right, players[1])):
            await process.erasures.erase(player)
            await until(partial(other.refuses, player))
        another = await opened.begin(ManualClock(NOON + timedelta(seconds=wrong_by)))
        assert all(another.refuses(player) for player in players)


async def test_a_process_whose_clock_is_set_still_learns() -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        for jump in (7_200, -14_400):
            player = new_id()
            await opened.name(player)
            opened.clock.advance(jump)
            await looks(opened)
            await opened.players.erase(player)
            await until(partial(process.refuses, player))


async def test_what_was_learnt_is_no_news_when_it_counts_no_more() -> None:
    learnt = counter("erasures")
    async with town(1) as opened:
        (process,) = opened.processes
        player, other = new_id(), new_id()
        await opened.name(player, other)
        await process.erasures.erase(player)
        await looks(opened)
        opened.clock.advance(1_000)
        await looks(opened)
        # Only now the process forgets whom it needs to refuse no more.
        await process.erasures.erase(other)
        assert not process.refuses(player)
        await looks(opened)
        assert learnt() == 2


async def test_a_process_asks_once_for_all_that_counts_and_then_for_what_is_new() -> None:
    async with town(1) as opened:
        player = new_id()
        await opened.name(player)
        await looks(opened)
        await opened.players.erase(player)
        await until(lambda: opened.processes[0].refuses(player))
        await looks(opened)
        # Nothing is new when nothing was found.
        assert opened.players.asked[0] == (None, timedelta(days=1))
        assert opened.players.asked[-1] == (NOON, timedelta(minutes=1))


async def test_without_a_store_nothing_is_erased_and_the_next_try_succeeds() -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        player = new_id()
        await opened.name(player)
        table = await open_table(process.games, 3, taken=1, host=player)
        opened.players.is_down = True
        with pytest.raises(StoreUnavailable):
            await process.erasures.erase(player)
        assert not process.refuses(player)
        assert await opened.players.get(player) is not None
        opened.players.is_down = False
        await process.erasures.erase(player)
        assert process.refuses(player)
        assert (await process.games.view(table.game, new_id())).status == "abandoned"
