"""Edge case 99, pitfalls E7 and E8: what is stored is the game. Whoever folds it, from whatever version on,
has the same state, the same cards and the same decisions to make."""

import asyncio
import random
from datetime import timedelta

import msgspec
import pytest

from domain.actions import actions
from domain.events import decode_event
from domain.evolve import evolve, fold, initial
from domain.state import State
from domain.views import view, with_names
from infra.memory.clock import ManualClock
from services.games.games import Games
from tests.infra.games import assert_chain
from tests.services.games.tables import (
    NOON,
    Table,
    World,
    next_move,
    running_table,
    trading_table,
    wire,
)


def content(state: State) -> bytes:
    """Everything of it, the order of hands and piles included."""
    return msgspec.json.encode(state)


def live(games: Games, game: str) -> State:
    """The state that this process goes by."""
    return games._cache._games[game].state


async def assert_same(games: Games, table: Table, state: State) -> None:
    """That process shows and allows what the state says."""
    for seat, player in enumerate(table.players):
        assert with_names(await games.view(table.game, player), {}) == view(state, seat)
        assert (await games.actions(table.game, player)).actions == actions(state, seat)


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("seed", range(2))
async def test_99_the_fold_of_what_is_stored_is_the_live_state_at_every_version(
    memory_world: World, seats: int, seed: int
) -> None:
    games = memory_world.process()
    table = await running_table(games, seats)
    chance = random.Random(10 * seats + seed)
    folded = initial(table.game)
    shuffles = 0
    while True:
        for record in await memory_world.store.read(table.game, folded.version):
            evolve(folded, decode_event(record.payload))
        assert content(folded) == content(live(games, table.game))
        shuffles = max(shuffles, folded.shuffles)
        if await next_move(table, [games], chance) is None:
            break
    history = await memory_world.history(table.game)
    assert content(fold(table.game, history)) == content(folded)
    assert folded.status == "ended"
    assert shuffles > 1
    assert_chain(table.game, await memory_world.store.read(table.game))


@pytest.mark.parametrize("seats", [3, 7])
async def test_a_process_that_starts_in_any_phase_goes_on_with_the_same_cards(world: World, seats: int) -> None:
    games = world.process()
    table = await running_table(games, seats)
    chance = random.Random(7 * seats)
    seen: set[tuple[object, ...]] = set()
    while (move := await next_move(table, [games], chance)) is not None:
        # Every so often, and whenever there is a new kind of things to decide.
        state = live(games, table.game)
        situation = (
            state.status,
            state.phase,
            state.planted,
            len(state.offers) > 1,
            sum(bool(seat.pending) for seat in state.seats),
            state.exhaustions,
        )
        if situation in seen and chance.random() > 0.01:
            continue
        seen.add(situation)
        cold = world.process()
        await assert_same(cold, table, fold(table.game, await world.history(table.game)))
        assert content(live(cold, table.game)) == content(state)
        assert move.answer.version == state.version
        games = cold
    assert {phase for _, phase, *_ in seen} >= {"plant", "trade", "settle"}


async def test_a_restart_after_every_single_command(world: World) -> None:
    table = await running_table(world.process(), 3)
    chance = random.Random(71)
    for _ in range(80):
        games = world.process()
        assert await next_move(table, [games], chance) is not None
    history = await world.history(table.game)
    assert_chain(table.game, await world.store.read(table.game))
    await assert_same(world.process(), table, fold(table.game, history))


async def test_two_processes_take_turns_at_one_table(world: World) -> None:
    processes = world.processes(2)
    table = await running_table(processes[0], 4)
    chance = random.Random(2)
    while await next_move(table, processes, chance) is not None:
        pass
    state = fold(table.game, await world.history(table.game))
    assert state.status == "ended"
    for games in processes:
        await assert_same(games, table, state)
        assert content(live(games, table.game)) == content(state)
        listed = await games.games(table.players[0], "ended", None, table.players[0], None, 10)
        assert [(entry.game, entry.version) for entry in listed.games] == [(table.game, state.version)]
    assert_chain(table.game, await world.store.read(table.game))


async def test_a_cache_for_one_game_serves_many(world: World) -> None:
    games = world.process(cached_games=1)
    tables = [await running_table(games, 3) for _ in range(4)]

    async def play(table: Table, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(25):
            assert await next_move(table, [games], chance) is not None

    await asyncio.gather(*(play(table, seed) for seed, table in enumerate(tables)))
    assert len(games._cache) == 1
    for table in tables:
        await assert_same(games, table, fold(table.game, await world.history(table.game)))
        assert_chain(table.game, await world.store.read(table.game))


async def test_times_never_run_backwards_within_a_game_whatever_the_clocks_say(world: World) -> None:
    ahead, behind = ManualClock(NOON + timedelta(seconds=90)), ManualClock(NOON)
    processes = [world.process(clock=ahead), world.process(clock=behind)]
    table = await running_table(processes[0], 3)
    chance = random.Random(60)
    for _ in range(60):
        ahead.advance(0.25)
        behind.advance(7)
        assert await next_move(table, processes, chance) is not None
    stored = await world.store.read(table.game)
    times = [record.at for record in stored]
    assert times == sorted(times)
    # Both clocks have left their mark, and neither the time of day nor a microsecond was lost on the way.
    assert {at - NOON for at in times} & {timedelta(seconds=90 + 0.25 * n) for n in range(1, 61)}
    assert {at - NOON for at in times} & {timedelta(seconds=7 * n) for n in range(15, 61)}
    assert_chain(table.game, stored)
    told = await processes[1].events(table.game, table.players[0], 0, 10_000)
    assert [item.at for item in told.events] == sorted(item.at for item in told.events)


async def test_all_events_of_a_command_have_its_time_and_its_seat(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    chance = random.Random(61)
    for _ in range(40):
        world.clock.advance(1)
        move = await next_move(trading.table, [games], chance)
        assert move is not None
        stored = await world.store.read(trading.game, move.answer.events[0].version - 1)
        assert {record.at for record in stored} == {world.clock.now()}
        assert {record.seat for record in stored} == {trading.table.players.index(move.player)}
        assert len({item.at for item in move.answer.events}) == 1
        assert wire(move.answer).count(b'"at":"2026-11-30T12:') == len(stored)
