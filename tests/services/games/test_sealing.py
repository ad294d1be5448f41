"""A game is sealed with its last event and not before; one that an older program has ended is sealed later, once."""

import asyncio
import random
from datetime import date, timedelta

import pytest

from domain.anchors import Anchor
from infra.event_store import Seal
from infra.signing import is_signed
from services.games.sealing import Seals
from tests.services.games.counters import counter
from tests.services.games.stores import Troubled
from tests.services.games.tables import Table, World, new_id, next_move, open_table, outcome, running_table


def seals(world: World, newest_day: date | None = None) -> Seals:
    """Of a process that sees an anchor of that day as the newest one."""

    async def newest() -> Anchor | None:
        return None if newest_day is None else Anchor(newest_day, 1, "ab" * 32, None, "key", "signature")

    return Seals(world.store, newest, world.keys.sign)


async def played(world: World, table: Table, *, seals: bool = True) -> None:
    """To its end, move by move; until then there is no seal."""
    processes = [world.process(seals=seals) for _ in range(2)]
    chance = random.Random(table.game)
    while await next_move(table, processes, chance) is not None:
        if chance.random() < 0.05:
            running = (await processes[0].view(table.game, table.players[0])).status == "running"
            assert await world.store.seal(table.game) is None or not running


async def assert_sealed(world: World, game: str, seal: Seal | None) -> None:
    assert seal is not None
    last = (await world.store.read(game))[-1]
    assert (seal.head, seal.ended_at) == (last.hash, last.at)
    assert seal.key == world.keys.public[0]
    assert is_signed(seal.key, last.hash, seal.signature)


async def test_a_game_that_is_played_to_its_end_is_sealed_with_the_last_move(world: World) -> None:
    table = await running_table(world.process(), 3)
    await played(world, table)
    await assert_sealed(world, table.game, await world.store.seal(table.game))


async def test_a_table_that_its_host_left_is_sealed_too(world: World) -> None:
    games = world.process()
    table = await open_table(games, taken=2)
    await games.leave(table.game, table.players[1])
    assert await world.store.seal(table.game) is None
    await games.leave(table.game, table.players[0])
    await assert_sealed(world, table.game, await world.store.seal(table.game))


async def test_a_last_move_that_was_not_stored_leaves_no_seal(memory_world: World) -> None:
    troubled = Troubled(memory_world.store)
    table = await open_table(memory_world.process())
    troubled.is_down = True
    lost = memory_world.process(store=troubled)
    await asyncio.gather(lost.leave(table.game, table.players[0]), return_exceptions=True)
    assert await memory_world.store.seal(table.game) is None


async def test_what_an_older_program_has_ended_is_sealed_once_whoever_asks(world: World) -> None:
    table = await running_table(world.process(seals=False), 3)
    await played(world, table, seals=False)
    assert await world.store.seal(table.game) is None
    made = await asyncio.gather(*(seals(world).of(table.game) for _ in range(4)))
    await assert_sealed(world, table.game, made[0])
    assert made == [await world.store.seal(table.game)] * 4


async def test_what_goes_on_is_not_sealed_later_either(world: World) -> None:
    games = world.process()
    for table in (await open_table(games, taken=2), await running_table(games)):
        assert await seals(world).of(table.game) is None
        assert await world.store.seal(table.game) is None
    assert await seals(world).of(new_id()) is None


async def test_a_seal_is_there_already_for_who_asks_later(world: World) -> None:
    games = world.process()
    table = await open_table(games)
    assert await outcome(games.leave(table.game, table.players[0])) is None
    stored = await world.store.seal(table.game)
    assert await seals(world).of(table.game) == stored


@pytest.mark.parametrize("days", [None, -9, 0, 1])
async def test_an_older_process_may_end_a_game_until_the_day_after_is_anchored(
    memory_world: World, days: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    world, late = memory_world, counter("late_seals")
    game = await left_unsealed(world)
    ended_on = (await world.store.read(game))[-1].at.date()
    newest_day = None if days is None else ended_on + timedelta(days=days)
    await assert_sealed(world, game, await seals(world, newest_day).of(game))
    assert late() == 1
    assert f"Game {game} had ended without a seal" in caplog.text


async def test_a_game_that_lost_its_seal_is_not_signed_anew_once_a_later_day_is_anchored(
    memory_world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world, unsealable = memory_world, counter("unsealable_games")
    game = await left_unsealed(world)
    ended_on = (await world.store.read(game))[-1].at.date()
    asked = seals(world, ended_on + timedelta(days=2))
    for times in range(1, 4):
        assert await asked.of(game) is None
        assert unsealable() == times
    assert await world.store.seal(game) is None
    assert caplog.text.count(f"Game {game} has no seal and is given none") == 1


async def left_unsealed(world: World) -> str:
    """A game that ended by a process which makes no seals."""
    games = world.process(seals=False)
    table = await open_table(games, taken=2)
    await games.leave(table.game, table.players[0])
    return table.game
