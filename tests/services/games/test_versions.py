"""Every refusal of a game names its version, and none that hides a game does."""

import asyncio

import pytest

from domain.commands import Offer, Reveal
from services.games import writing
from services.games.errors import Contention, GameError, GameNotFound, KeyReused, NotHost, NotYourSeat, StaleVersion
from tests.services.games.stores import Troubled, Unlucky
from tests.services.games.tables import World, new_id, open_table, outcome, running_table, send, trading_table


def refused(result: object, kind: type[GameError]) -> int | None:
    """The version that the refusal names."""
    assert type(result) is kind, result
    return result.version


async def test_a_refusal_names_the_version_at_which_it_was_given(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    game, player, stranger = trading.game, trading.active, new_id()
    await games.command(game, player, "key", Offer(want={"red": 1}), None)
    version = await world.version(game)
    assert refused(await outcome(send(games, game, stranger, Reveal())), NotYourSeat) == version
    assert refused(await outcome(games.actions(game, stranger)), NotYourSeat) == version
    assert refused(await outcome(games.leave(game, stranger)), NotYourSeat) == version
    assert refused(await outcome(games.start(game, stranger)), NotHost) == version
    assert refused(await outcome(games.command(game, player, "key", Reveal(), None)), KeyReused) == version
    assert refused(await outcome(games.command(game, player, "other", Reveal(), 1)), StaleVersion) == version


async def test_a_lost_race_and_a_store_that_hangs_name_the_version(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    trading = await trading_table(world.process())
    version = await world.version(trading.game)
    monkeypatch.setattr(writing, "MOST_ATTEMPTS", 3)
    unlucky = world.process(store=Unlucky(world.store))
    result = await outcome(send(unlucky, trading.game, trading.active, Offer(want={"red": 1})))
    assert refused(result, Contention) == version

    store = Troubled(world.store)
    games = world.process(store=store)
    monkeypatch.setattr(writing, "MOST_SECONDS", 0.1)
    store.hangs_before.add("append")
    result = await outcome(send(games, trading.game, trading.active, Offer(want={"red": 1})))
    assert refused(result, Contention) == version
    store.release()


async def test_what_hides_a_game_names_no_version(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    table = await running_table(games, 3, visibility="private")
    stranger = new_id()
    for game in (table.game, new_id()):
        for use in (
            games.view(game, stranger),
            games.actions(game, stranger),
            games.events(game, stranger, 0, 10),
            games.join(game, stranger, "not the invite", ""),
            games.leave(game, stranger),
            games.start(game, stranger),
            send(games, game, stranger, Reveal()),
        ):
            assert refused(await outcome(use), GameNotFound) is None
    # Nor does a database that hangs while the stranger is looked at.
    monkeypatch.setattr(writing, "MOST_SECONDS", 0.1)
    store.hangs_before.add("read")
    async with asyncio.timeout(10):
        assert refused(await outcome(send(games, table.game, stranger, Reveal())), Contention) is None
    store.release()


async def test_whoever_has_left_is_a_stranger(world: World) -> None:
    games = world.process()
    public = await open_table(games, 3, taken=2)
    private = await open_table(games, 3, taken=2, visibility="private")
    for table in (public, private):
        await games.leave(table.game, table.players[1])
    again = await outcome(games.leave(public.game, public.players[1]))
    assert refused(again, NotYourSeat) == await world.version(public.game)
    assert refused(await outcome(games.leave(private.game, private.players[1])), GameNotFound) is None
