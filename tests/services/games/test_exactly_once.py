"""Pitfalls B2 and B4, edge case 97: however often, wherever and whenever a command arrives, it has one
effect, and every copy gets the answer that the first one got."""

import asyncio
import itertools
import random
from collections.abc import Callable

import pytest

from domain.commands import EndTrading, Offer, Plant, Reveal, Withdraw
from domain.events import CardsRevealed, TradeOffered
from services.games.answers import Answer
from services.games.errors import CommandRefused, KeyReused, NotYourSeat, StaleVersion
from services.games.games import Games
from tests.services.games.tables import (
    Move,
    World,
    active_at,
    hand,
    new_id,
    next_move,
    replayed,
    running_table,
    send,
    trading_table,
    wire,
)

Again = Callable[[World, Games], Games]


@pytest.fixture(params=["the same process", "another process", "after a restart"])
def again(request: pytest.FixtureRequest) -> Again:
    """Where the second copy arrives."""
    if request.param == "the same process":
        return lambda _, games: games
    return lambda world, _: world.process()


async def warmed(world: World, games: Games, game: str, player: str) -> Games:
    """A process that has seen the game before the command came: its copy is behind."""
    await games.view(game, player)
    world.clock.advance(1)
    return games


async def test_97_a_repeated_offer_is_on_the_table_once(world: World, again: Again) -> None:
    games = world.process()
    trading = await trading_table(games)
    second = await warmed(world, again(world, games), trading.game, trading.active)
    command, key = Offer(want={"red": 1}), new_id()
    first = await games.command(trading.game, trading.active, key, command, None)
    world.clock.advance(60)
    for _ in range(3):
        copy = await second.command(trading.game, trading.active, key, command, None)
        assert wire(copy) == replayed(first)
    assert sum(isinstance(event, TradeOffered) for event in await world.history(trading.game)) == 1
    assert len((await games.view(trading.game, trading.active)).offers) == 1


async def test_97_a_repetition_that_the_rules_would_refuse_gets_the_first_answer(world: World, again: Again) -> None:
    games = world.process()
    table = await running_table(games)
    player = table.players[await active_at(games, table)]
    await send(games, table.game, player, Plant((await hand(games, table.game, player))[0], 0))
    second = await warmed(world, again(world, games), table.game, player)
    first = await games.command(table.game, player, "key", Reveal(), None)
    assert any(isinstance(item.event, CardsRevealed) for item in first.events)
    with pytest.raises(CommandRefused) as refusal:
        await second.command(table.game, player, "another key", Reveal(), None)
    assert refusal.value.code == "wrong_phase"
    assert wire(await second.command(table.game, player, "key", Reveal(), None)) == replayed(first)
    assert await world.version(table.game) == first.version


async def test_a_condition_that_no_longer_holds_does_not_keep_a_copy_from_its_answer(
    world: World, again: Again
) -> None:
    games = world.process()
    trading = await trading_table(games)
    version = await world.version(trading.game)
    second = again(world, games)
    command = Offer(want={"red": 1})
    first = await games.command(trading.game, trading.active, "key", command, version)
    await send(games, trading.game, trading.active, EndTrading())
    for condition in (version, None, version + 17):
        copy = await second.command(trading.game, trading.active, "key", command, condition)
        assert wire(copy) == replayed(first)


async def test_97_copies_at_the_same_time_have_one_effect_and_one_answer(world: World) -> None:
    processes = world.processes(3)
    trading = await trading_table(processes[0])
    chance = random.Random(97)
    for number, spread in enumerate((0.0, 0.0005, 0.002, 0.005) * 6):
        command, key = Offer(want={"red": 1}, to=None), f"key {number}"
        before = await world.version(trading.game)

        async def deliver(games: Games, command: Offer = command, key: str = key, spread: float = spread) -> Answer:
            await asyncio.sleep(chance.uniform(0, spread))
            return await games.command(trading.game, trading.active, key, command, None)

        answers = await asyncio.gather(*(deliver(games) for games in processes for _ in range(3)))
        firsts = [answer for answer in answers if not answer.replayed]
        assert len(firsts) == 1
        assert {wire(answer) for answer in answers if answer.replayed} == {replayed(firsts[0])}
        assert await world.version(trading.game) == before + 1 == firsts[0].version
        # The table takes only so many open offers of one player.
        (offered,) = [item.event for item in firsts[0].events if isinstance(item.event, TradeOffered)]
        await processes[0].command(trading.game, trading.active, f"back {number}", Withdraw(offered.offer), None)


async def test_97_every_command_of_a_whole_game_is_answered_the_same_after_its_end(world: World) -> None:
    processes = world.processes(2)
    table = await running_table(processes[0], 3)
    chance = random.Random(4)
    moves: list[Move] = []
    while (move := await next_move(table, processes, chance)) is not None:
        world.clock.advance(1)
        moves.append(move)
    history = await world.store.read(table.game)
    assert len(moves) > 100
    restarted = world.process()
    for move, games in zip(moves, itertools.cycle([restarted, *processes]), strict=False):
        copy = await games.command(table.game, move.player, move.key, move.command, None)
        assert wire(copy) == replayed(move.answer)
    assert await world.store.read(table.game) == history
    with pytest.raises(CommandRefused) as refusal:
        await restarted.command(table.game, moves[-1].player, new_id(), moves[-1].command, None)
    assert (refusal.value.code, refusal.value.version) == ("game_not_running", len(history))


async def test_a_key_belongs_to_one_command(world: World, again: Again) -> None:
    games = world.process()
    trading = await trading_table(games)
    first = await games.command(trading.game, trading.active, "key", Offer(want={"red": 1}), None)
    second = again(world, games)
    own = (await hand(games, trading.game, trading.active))[0]
    # One that the rules would allow, one that they would not, and one with a condition that does not hold.
    for command, condition in (
        (Offer(want={"red": 2}), None),
        (Plant(own, 0), None),
        (EndTrading(), first.version - 1),
    ):
        with pytest.raises(KeyReused):
            await second.command(trading.game, trading.active, "key", command, condition)
    assert await world.version(trading.game) == first.version
    copy = await second.command(trading.game, trading.active, "key", Offer(want={"red": 1}), None)
    assert wire(copy) == replayed(first)


async def test_one_key_for_two_commands_at_the_same_time_carries_out_one(world: World) -> None:
    processes = world.processes(2)
    trading = await trading_table(processes[0])
    for number in range(20):
        commands = (Offer(want={"red": 1}), Offer(want={"blue": 1}))
        before = await world.version(trading.game)
        answers = await asyncio.gather(
            *(
                games.command(trading.game, trading.active, f"key {number}", command, None)
                for games, command in zip(processes, commands, strict=True)
            ),
            return_exceptions=True,
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Answer", "KeyReused"]
        assert await world.version(trading.game) == before + 1


async def test_a_refused_command_is_decided_anew(world: World, again: Again) -> None:
    games = world.process()
    table = await running_table(games)
    player = table.players[await active_at(games, table)]
    second = await warmed(world, again(world, games), table.game, player)
    before = await world.version(table.game)
    for _ in range(2):
        with pytest.raises(CommandRefused) as refusal:
            await games.command(table.game, player, "key", Reveal(), None)
        assert (refusal.value.code, refusal.value.version) == ("must_plant_first", before)
    assert await world.version(table.game) == before
    await send(games, table.game, player, Plant((await hand(games, table.game, player))[0], 0))
    answer = await second.command(table.game, player, "key", Reveal(), None)
    assert not answer.replayed
    assert await world.version(table.game) == answer.version


async def test_the_same_key_of_another_player_is_another_key(world: World) -> None:
    games, second = world.processes(2)
    trading = await trading_table(games)
    version = await world.version(trading.game)
    command = Offer(to=trading.active_seat, want={"red": 1})
    answers = [
        await process.command(trading.game, player, "key", command, None)
        for process, player in zip((games, second), trading.others, strict=False)
    ]
    assert [answer.replayed for answer in answers] == [False, False]
    assert [answer.version for answer in answers] == [version + 1, version + 2]


async def test_the_same_key_in_another_game_is_another_key(world: World) -> None:
    games = world.process()
    first, second = await trading_table(games), await trading_table(games)
    for trading in (first, second):
        answer = await games.command(trading.game, trading.active, "key", EndTrading(), None)
        assert not answer.replayed


async def test_a_stale_condition_is_refused_with_the_present_version_and_changes_nothing(
    world: World, again: Again
) -> None:
    games = world.process()
    trading = await trading_table(games)
    second = await warmed(world, again(world, games), trading.game, trading.active)
    before = await world.version(trading.game)
    await send(games, trading.game, trading.active, Offer(want={"red": 1}))
    command = Offer(want={"blue": 1})
    with pytest.raises(StaleVersion) as stale:
        await second.command(trading.game, trading.active, "key", command, before)
    assert stale.value.version == await world.version(trading.game) == before + 1
    # What it was told is good for the next try, with the same key.
    answer = await second.command(trading.game, trading.active, "key", command, stale.value.version)
    assert (answer.version, answer.replayed) == (before + 2, False)


async def test_a_condition_on_a_version_that_this_process_has_not_seen_yet_holds(world: World) -> None:
    games, second = world.processes(2)
    trading = await trading_table(games)
    await second.view(trading.game, trading.active)
    made = await send(games, trading.game, trading.active, Offer(want={"red": 1}))
    answer = await second.command(trading.game, trading.active, "key", EndTrading(), made.version)
    assert answer.events[0].version == made.version + 1


async def test_a_stranger_has_no_answer_to_get(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    await games.command(trading.game, trading.active, "key", Offer(want={"red": 1}), None)
    with pytest.raises(NotYourSeat):
        await games.command(trading.game, new_id(), "key", Offer(want={"red": 1}), None)


async def test_the_order_of_the_wants_makes_no_other_command(world: World) -> None:
    games = world.processes(1)[0]
    trading = await trading_table(games)
    first = await games.command(trading.game, trading.active, "key", Offer(want={"red": 1, "blue": 2}), None)
    again = await games.command(trading.game, trading.active, "key", Offer(want={"blue": 2, "red": 1}), None)
    assert wire(again) == replayed(first)
