"""Pitfalls D1, D4, D8, D9 and D13: no step of a running game's past tells a viewer what he may not know, and two games
that differ in nothing else have the same replay for him, byte for byte, step by step."""

import random

import pytest

from domain.events import decode_event
from domain.history import Record
from domain.replay import Viewpoint
from infra.event_store import Summary
from infra.memory.event_store import MemoryEventStore
from services.games.games import Games
from services.games.requests import NewGameRequest
from services.replay.errors import NotRevealed
from tests.domain.editions import SETUPS, Setup
from tests.services.games.knowledge import Knowledge
from tests.services.games.tables import Table, World, new_id, next_move, wire
from tests.services.games.test_hidden import stored_as, viewers, with_other_secrets
from tests.services.replay.looking_back import step


async def dealt(games: Games, setup: Setup) -> Table:
    """A table of that edition in its first turn."""
    players = [new_id() for _ in range(setup.players)]
    wanted = NewGameRequest(ruleset=setup.ruleset, seats=setup.players, options=setup.options)
    table = Table((await games.create(players[0], wanted)).game, players)
    for player in players[1:]:
        await games.join(table.game, player, None, "")
    await games.start(table.game, players[0])
    return table


async def knowledge_of(world: World, game: str) -> Knowledge:
    secrets = await world.store.secrets(game)
    assert secrets is not None
    return Knowledge(secrets.seed)


async def until_late(world: World, games: Games, table: Table, chance: random.Random) -> list[Record]:
    """The history of a game that is still running, as far as chance lets it come: some are nearly over."""
    records = await world.store.read(table.game)
    for _ in range(chance.choice([30, 150, 2_000])):
        move = await next_move(table, [games], chance)
        happened = await world.store.read(table.game, len(records))
        if move is None or happened[-1].payload.startswith(b'{"type":"game_ended"'):
            break
        records += happened
    return records


async def stopped(table: Table, setup: Setup, records: list[Record]) -> World:
    """A world that has only so much of the game."""
    events = [decode_event(record.payload) for record in records]
    summary = Summary("running", setup.ruleset, setup.players, "public", table.players[0], [*table.players])
    return World([await stored_as(table.game, records, events, summary)])


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_no_step_of_a_running_game_tells_anybody_what_was_hidden_from_him_then(setup: Setup) -> None:
    world = World([MemoryEventStore()])
    chance = random.Random(str(setup))
    games = world.process()
    table = await dealt(games, setup)
    knowledge = await knowledge_of(world, table.game)
    records = await until_late(world, games, table, chance)
    running = await stopped(table, setup, records)
    hidden = 0
    for record in records:
        # As much as could be known at that version: what came later does not belong there.
        knowledge.learn([record])
        hidden = max(hidden, len(knowledge.hidden_from(None)))
        for seat, player in chance.sample(viewers(table), 2):
            told = await step(running, table.game, player, record.version)
            decoded = knowledge.check(told, seat)
            assert decoded["view"]["viewer"] == seat
            assert decoded["deck"] is None
            assert decoded["last"] == len(records)
    assert hidden >= setup.players * 3
    for seat, player in viewers(table):
        for other in (*range(setup.players), "all"):
            if other == seat:
                continue
            with pytest.raises(NotRevealed):
                await step(running, table.game, player, chance.randint(1, len(records)), viewpoint(other))


def viewpoint(name: int | str) -> Viewpoint:
    assert isinstance(name, int) or name == "all"
    return name if isinstance(name, int) else "all"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_no_step_depends_on_anything_that_was_hidden_from_its_viewer(setup: Setup) -> None:
    world = World([MemoryEventStore()])
    chance = random.Random(f"{setup} again")
    games = world.process()
    table = await dealt(games, setup)
    records = await until_late(world, games, table, chance)
    knowledge = await knowledge_of(world, table.game)
    knowledge.learn(records)
    assert not knowledge.has_ended
    history = [decode_event(record.payload) for record in records]
    summary = Summary("running", setup.ruleset, setup.players, "public", table.players[0], [*table.players])
    for seat, player in [chance.choice([*enumerate(table.players)]), viewers(table)[-1]]:
        changed = with_other_secrets(history, knowledge.hidden_from(seat), chance)
        assert changed != history
        twins = [World([await stored_as(table.game, records, events, summary)]) for events in (history, changed)]
        for version in range(1, len(records) + 1):
            for asked_as in (None, "spectator") if seat is not None and version % 5 == 0 else (None,):
                one, other = [wire(await step(twin, table.game, player, version, asked_as)) for twin in twins]
                assert one == other, f"version {version}"
