"""Who goes for good leaves the tables at which nothing has begun, and no other."""

import pytest

from domain.events import GameAbandoned, PlayerLeft
from infra.event_store import StoreFault, StoreUnavailable
from services.games.errors import Contention
from services.games.leaving import StillSeated, leave_open_games
from tests.services.games.stores import Spoilt, Troubled
from tests.services.games.tables import World, new_id, open_table, running_table


async def test_he_leaves_what_has_not_begun_and_what_he_hosts_is_abandoned(world: World) -> None:
    games, second = world.processes(2)
    running, joined, strangers = await running_table(games), await open_table(games, taken=2), await open_table(games)
    player = running.players[1]
    await games.join(joined.game, player, None, "")
    hosted = await open_table(second, taken=1, host=player)
    private = await open_table(second, taken=1, host=player, visibility="private")
    before = {table.game: await world.history(table.game) for table in (running, strangers)}
    assert await leave_open_games(games, player) == []
    assert (await world.history(joined.game))[-1] == PlayerLeft(2)
    for table in (hosted, private):
        *_, left, abandoned = await world.history(table.game)
        assert left == PlayerLeft(0)
        assert isinstance(abandoned, GameAbandoned)
        assert abandoned.reason == "host_left"
    for game, history in before.items():
        assert await world.history(game) == history
    assert [entry.game for entry in (await games.games(player, None, None, player, None, 10)).games] == [running.game]
    assert await leave_open_games(second, player) == []


async def test_he_leaves_them_all_however_many_they_are(memory_world: World) -> None:
    games = memory_world.process()
    player = new_id()
    tables = [await open_table(games, taken=1, host=player) for _ in range(120)]
    assert await leave_open_games(games, player) == []
    for table in tables:
        assert isinstance((await memory_world.history(table.game))[-1], GameAbandoned)


async def test_a_game_that_cannot_be_read_keeps_him_from_no_other(memory_world: World) -> None:
    spoilt = Spoilt(memory_world.store)
    games = memory_world.process(store=spoilt)
    player = new_id()
    tables = [await open_table(games, taken=1, host=player) for _ in range(3)]
    spoilt.spoilt_game = tables[1].game
    other = memory_world.process(store=spoilt)
    assert [one.game for one in await leave_open_games(other, player)] == [tables[1].game]
    for table in (tables[0], tables[2]):
        assert isinstance((await memory_world.history(table.game))[-1], GameAbandoned)
    spoilt.spoilt_game = None
    assert await leave_open_games(other, player) == []
    assert isinstance((await memory_world.history(tables[1].game))[-1], GameAbandoned)


async def test_a_game_that_begins_or_is_left_meanwhile_is_passed_by(
    memory_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, second = memory_world.processes(2)
    player = new_id()
    started, left = await open_table(games, 2, taken=1), await open_table(games, 2, taken=1)
    for table in (started, left):
        await games.join(table.game, player, None, "")
    listed = games.games

    async def overtaken(*wanted: object) -> object:
        page = await listed(*wanted)  # type: ignore[arg-type]
        await second.start(started.game, started.players[0])
        await second.leave(left.game, player)
        return page

    monkeypatch.setattr(games, "games", overtaken)
    assert await leave_open_games(games, player) == []
    assert (await memory_world.history(left.game))[-1] == PlayerLeft(1)
    assert PlayerLeft(1) not in await memory_world.history(started.game)


@pytest.mark.parametrize("error", [Contention(), StoreFault("a broken row"), ZeroDivisionError()])
async def test_what_is_wrong_with_a_game_is_told_and_keeps_him_from_no_other(
    memory_world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    games = memory_world.process()
    player = new_id()
    for _ in range(2):
        await open_table(games, taken=1, host=player)
    leave = games.leave
    first = (await games.games(player, "open", None, player, None, 1)).games[0].game

    async def troubled(game: str, player: str) -> None:
        if game == first:
            raise error
        await leave(game, player)

    monkeypatch.setattr(games, "leave", troubled)
    assert await leave_open_games(games, player) == [StillSeated(first, error)]
    assert [entry.game for entry in (await games.games(player, "open", None, player, None, 2)).games] == [first]


async def test_when_the_store_is_away_he_tries_no_further(memory_world: World) -> None:
    store = Troubled(memory_world.store)
    games = memory_world.process(store=store)
    player = new_id()
    for _ in range(2):
        await open_table(games, taken=1, host=player)
    store.crashes_after.add("append")
    with pytest.raises(StoreUnavailable):
        await leave_open_games(games, player)
