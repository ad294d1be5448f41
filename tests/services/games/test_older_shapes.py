"""A game that an earlier release has written goes on: every way to its history reads the older shapes of its events
(pitfalls E1, E5)."""

import random
from collections.abc import Callable

import msgspec
import pytest

from domain import history
from domain.commands import Reveal
from domain.events import Event, encode_event
from domain.referee import judge_records
from domain.rulesets import RULEBOOKS
from domain.upcasting import UPCASTS, Shape
from services.games.errors import HistoryUnreadable
from services.games.games import Games
from tests.infra.games import assert_chain
from tests.services.games.tables import Move, Table, World, next_move, replayed, running_table, send, wire

MOVES = 60


def as_the_earlier_release_wrote_it(event: Event) -> bytes:
    """Games had no clocks, a shuffle did not count its cards, and no offer could answer another."""
    shape: Shape = msgspec.json.decode(encode_event(event))
    if shape["type"] == "game_created":
        del shape["clock"]
    elif shape["type"] == "deck_shuffled":
        del shape["size"]
    elif shape["type"] == "trade_offered" and shape["answers"] is None:
        del shape["answers"]
    return msgspec.json.encode(shape)


def _clock(shape: Shape) -> Shape:
    return {"clock": None, **shape}


def _size(shape: Shape) -> Shape:
    return {"size": len(shape["beans"]), **shape}


def _answers(shape: Shape) -> Shape:
    return {"answers": None, **shape}


@pytest.fixture
def earlier_release(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What is written has the older shapes, until the answer of this is called: from then on this release writes."""
    for tag, step in (("game_created", _clock), ("deck_shuffled", _size), ("trade_offered", _answers)):
        monkeypatch.setitem(UPCASTS, tag, (step,))
    monkeypatch.setattr(history, "encode_event", as_the_earlier_release_wrote_it)
    return lambda: monkeypatch.setattr(history, "encode_event", encode_event)


async def played(world: World, games: Games, chance: random.Random) -> tuple[Table, list[Move]]:
    """A table after some moves, and these."""
    table = await running_table(games, 4)
    moves: list[Move] = []
    for _ in range(MOVES):
        move = await next_move(table, [games], chance)
        assert move is not None
        moves.append(move)
    stored = b" ".join(record.payload for record in await world.store.read(table.game))
    assert b'"clock"' not in stored
    assert b'"size"' not in stored
    assert b'"trade_offered"' in stored
    return table, moves


async def test_a_game_of_an_earlier_release_is_read_and_goes_on(
    world: World, earlier_release: Callable[[], None]
) -> None:
    earlier, chance = world.process(), random.Random(5)
    table, moves = await played(world, earlier, chance)
    game, players = table.game, table.players
    seen = [wire(await earlier.view(game, player)) for player in players]
    listed = [wire(await earlier.actions(game, player)) for player in players]
    written = await world.store.read(game)

    earlier_release()
    fresh = world.process()
    # The view and the actions, hence the fold.
    assert [wire(await fresh.view(game, player)) for player in players] == seen
    assert [wire(await fresh.actions(game, player)) for player in players] == listed
    # The history in pages, in the present shape.
    for player in players:
        told = {item.version: item for item in (await fresh.events(game, player, 0, 10_000)).events}
        assert list(told) == [record.version for record in written]
        for move in moves:
            if move.player == player:
                assert all(told[item.version] == item for item in move.answer.events)
    # The answer to a command that is sent once more.
    for move in moves:
        assert wire(await fresh.command(game, move.player, move.key, move.command, None)) == replayed(move.answer)
    # A process that has the game in its cache takes in what another one has added since.
    beside = world.process()
    await beside.view(game, players[0])
    while await next_move(table, [fresh], chance) is not None:
        assert (await beside.view(game, players[0])).version == await world.version(game)
    stored = await world.store.read(game)
    assert stored[: len(written)] == written
    assert b'"size"' in b" ".join(record.payload for record in stored[len(written) :])
    assert_chain(game, stored)
    # The re-check from the stored bytes.
    assert judge_records(game, stored) is None


async def test_a_game_by_later_rules_is_named_and_left_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as later:
        later.setitem(RULEBOOKS, 2, RULEBOOKS[1])
        later.setattr("domain.lobby.RULES_VERSION", 2)
        table = await running_table(world.process(), 3)
    stored = await world.store.read(table.game)
    with pytest.raises(HistoryUnreadable, match=r"version 1: There is no version 2 of the rules here"):
        await world.process().view(table.game, table.players[0])
    with pytest.raises(HistoryUnreadable):
        await send(world.process(), table.game, table.players[0], Reveal())
    assert await world.store.read(table.game) == stored


async def test_what_only_a_later_release_can_read_is_named_and_left_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as both run, during a rollout: the caller is to ask again, and reaches a newer server."""
    table = await running_table(world.process(), 3)

    def as_a_later_release_writes_it(event: Event) -> bytes:
        return encode_event(event).replace(b'"bean_planted"', b'"bean_sown"')

    with monkeypatch.context() as later:
        later.setattr(history, "encode_event", as_a_later_release_writes_it)
        assert await next_move(table, [world.process()], random.Random(1)) is not None
    stored = await world.store.read(table.game)
    older = world.process()
    for asked in (
        older.view(table.game, table.players[0]),
        older.actions(table.game, table.players[0]),
        older.events(table.game, table.players[0], 0, 100),
        older.start(table.game, table.players[0]),
    ):
        with pytest.raises(HistoryUnreadable, match=f"version {len(stored)}"):
            await asked
    assert await world.store.read(table.game) == stored
