"""Pitfalls C2 and C3: seats before the start. However many come, leave and start at once, each seat has
one person, each person one seat, and a game starts once."""

import asyncio
import random

import pytest

from domain.commands import Reveal
from domain.events import GameAbandoned, GameStarted, PlayerJoined, PlayerLeft
from domain.evolve import fold
from domain.shuffle import commitment
from services.games.answers import Joined
from services.games.errors import CommandRefused, GameError, NotHost, NotYourSeat
from services.games.games import Games
from tests.infra.games import assert_chain
from tests.services.games.tables import (
    Table,
    World,
    new_id,
    open_table,
    outcome,
    running_table,
    send,
)


def joined(outcomes: list[object]) -> list[Joined]:
    return [answer for answer in outcomes if isinstance(answer, Joined)]


def refused(outcomes: list[object]) -> list[str]:
    return [answer.code for answer in outcomes if isinstance(answer, GameError)]


async def seated(world: World, table: Table) -> list[str | None]:
    """Who sits where, once from the history and once from the lobby, which must agree."""
    state = fold(table.game, await world.history(table.game))
    players = [seat.player for seat in state.seats]
    page = await world.store.games(
        caller=table.players[0], status=state.status, ruleset=None, player=table.players[0], cursor=None, limit=50
    )
    row = next(row for row in page.rows if row.game == table.game)
    assert row.summary.players == players
    assert row.version == state.version
    return players


async def join(games: Games, table: Table, player: str) -> object:
    return await outcome(games.join(table.game, player, table.invite, ""))


async def join_after(seconds: float, games: Games, table: Table) -> object:
    await asyncio.sleep(seconds)
    return await join(games, table, new_id())


@pytest.mark.parametrize("seed", range(4))
async def test_seven_people_sit_down_at_once_and_the_eighth_is_told_that_it_is_full(world: World, seed: int) -> None:
    processes = world.processes(3)
    chance = random.Random(seed)
    for _ in range(25):
        table = await open_table(processes[0], 7, taken=1)
        newcomers = [new_id() for _ in range(6)]
        outcomes = await asyncio.gather(*(join(chance.choice(processes), table, player) for player in newcomers))
        assert sorted(answer.seat for answer in joined(outcomes)) == [1, 2, 3, 4, 5, 6]
        players = await seated(world, table)
        for player, answer in zip(newcomers, joined(outcomes), strict=True):
            assert players[answer.seat] == player == answer.view.seats[answer.seat].player
        late = await join(chance.choice(processes), table, new_id())
        assert isinstance(late, CommandRefused)
        assert (late.code, late.version) == ("game_full", 8)


async def test_eight_people_for_seven_seats(world: World) -> None:
    processes = world.processes(3)
    for _ in range(10):
        table = await open_table(processes[0], 7, taken=1)
        outcomes = await asyncio.gather(*(join(processes[number % 3], table, new_id()) for number in range(7)))
        assert sorted(answer.seat for answer in joined(outcomes)) == [1, 2, 3, 4, 5, 6]
        assert refused(outcomes) == ["game_full"]


async def test_fifty_people_for_the_last_seat(world: World) -> None:
    processes = world.processes(3)
    chance = random.Random(3)
    for spread in (0.0, 0.002, 0.01):
        table = await open_table(processes[0], 3, taken=2)
        runners = [join_after(chance.uniform(0, spread), processes[number % 3], table) for number in range(50)]
        outcomes = await asyncio.gather(*runners)
        assert [answer.seat for answer in joined(outcomes)] == [2]
        assert refused(outcomes) == ["game_full"] * 49
        assert await world.version(table.game) == 4


async def test_who_joins_twice_has_one_seat(world: World) -> None:
    processes = world.processes(3)
    for _ in range(10):
        table = await open_table(processes[0], 4, taken=1)
        player = new_id()
        outcomes = await asyncio.gather(*(join(processes[number % 3], table, player) for number in range(9)))
        assert {answer.seat for answer in joined(outcomes)} == {1}
        assert len(joined(outcomes)) == 9
        assert await seated(world, table) == [table.players[0], player, None, None]
        host = await processes[1].join(table.game, table.players[0], None, "another nonce")
        assert host.seat == 0
        assert await world.version(table.game) == 3


async def test_who_joins_again_after_the_start_is_at_his_seat(world: World) -> None:
    games = world.process()
    table = await running_table(games, 3)
    version = await world.version(table.game)
    again = await world.process().join(table.game, table.players[2], None, "")
    assert (again.seat, again.view.viewer, again.view.version) == (2, 2, version)
    late = await join(games, table, new_id())
    assert isinstance(late, CommandRefused)
    assert late.code == "game_full"


async def test_a_seat_that_was_left_elsewhere_is_taken_anew(world: World) -> None:
    games, second = world.processes(2)
    table = await open_table(games, 3, taken=1)
    player = new_id()
    assert (await games.join(table.game, player, None, "")).seat == 1
    await second.leave(table.game, player)
    # This process has not seen yet that the seat was left.
    again = await games.join(table.game, player, None, "")
    assert again.seat == 1
    assert again.view.version == await world.version(table.game)
    assert await seated(world, table) == [table.players[0], player, None]


async def test_the_lowest_free_seat_is_taken(world: World) -> None:
    games = world.process()
    table = await open_table(games, 4, taken=4)
    await games.leave(table.game, table.players[2])
    await games.leave(table.game, table.players[1])
    assert (await games.join(table.game, new_id(), None, "")).seat == 1
    assert (await world.process().join(table.game, new_id(), None, "")).seat == 2


async def test_one_comes_while_another_leaves(world: World) -> None:
    processes = world.processes(2)
    chance = random.Random(11)
    for _ in range(20):
        table = await open_table(processes[0], 3)
        newcomer = new_id()
        pause = chance.uniform(0, 0.003)

        async def come(table: Table = table, newcomer: str = newcomer, pause: float = pause) -> object:
            await asyncio.sleep(pause)
            return await join(processes[1], table, newcomer)

        came, _ = await asyncio.gather(come(), processes[0].leave(table.game, table.players[1]))
        players = await seated(world, table)
        if isinstance(came, Joined):
            assert (came.seat, players[1]) == (1, newcomer)
        else:
            assert refused([came]) == ["game_full"]
            assert players[1] is None


async def test_started_twice_is_started_once(world: World) -> None:
    processes = world.processes(3)
    for _ in range(10):
        table = await open_table(processes[0], 3)
        views = await asyncio.gather(*(games.start(table.game, table.players[0]) for games in processes))
        assert {view.status for view in views} == {"running"}
        events = await world.history(table.game)
        assert sum(isinstance(event, GameStarted) for event in events) == 1
        assert [view.version for view in views] == [len(events)] * 3


async def test_a_start_and_a_leave_exclude_each_other(world: World) -> None:
    processes = world.processes(2)
    chance = random.Random(12)
    for _ in range(20):
        table = await open_table(processes[0], 3)
        pause = chance.uniform(0, 0.003)

        async def leave(table: Table = table, pause: float = pause) -> object:
            await asyncio.sleep(pause)
            return await outcome(processes[1].leave(table.game, table.players[2]))

        started, left = await asyncio.gather(outcome(processes[0].start(table.game, table.players[0])), leave())
        players = await seated(world, table)
        if left is None:
            assert refused([started]) == ["seats_open"]
            assert players[2] is None
        else:
            assert refused([left]) == ["already_started"]
            assert not isinstance(started, GameError)
            assert players == table.players


async def test_the_last_one_to_come_starts_a_game_that_was_made_so(world: World) -> None:
    processes = world.processes(3)
    for _ in range(10):
        table = await open_table(processes[0], 5, taken=1, start_when_full=True)
        outcomes = await asyncio.gather(*(join(processes[number % 3], table, new_id()) for number in range(6)))
        assert sorted(answer.seat for answer in joined(outcomes)) == [1, 2, 3, 4]
        assert refused(outcomes) == ["game_full"] * 2
        assert sorted(answer.view.status for answer in joined(outcomes)) == ["open", "open", "open", "running"]
        assert None not in await seated(world, table)
        records = await world.store.read(table.game)
        assert_chain(table.game, records)
        events = await world.history(table.game)
        assert sum(isinstance(event, GameStarted) for event in events) == 1
        # Everything since the last one sat down happened with it.
        last = max(index for index, event in enumerate(events) if isinstance(event, PlayerJoined))
        assert isinstance(events[last + 1], GameStarted)
        assert len({record.seat for record in records[last:]}) == 1
        assert (await processes[1].view(table.game, table.players[0])).status == "running"


async def test_without_its_host_a_game_is_abandoned(world: World) -> None:
    games, second = world.processes(2)
    table = await open_table(games, 3)
    await second.view(table.game, table.players[1])
    await games.leave(table.game, table.players[0])
    seen = await second.view(table.game, table.players[1])
    assert seen.status == "abandoned"
    assert seen.result is not None
    assert commitment(bytes.fromhex(seen.result.seed)) == seen.commitment
    events = await world.history(table.game)
    listed = await games.games(table.players[1], "abandoned", None, table.players[1], None, 10)
    assert [entry.game for entry in listed.games] == [table.game]
    assert [taken is None for taken in listed.games[0].players] == [True, False, False]
    assert events[-2] == PlayerLeft(0)
    assert isinstance(events[-1], GameAbandoned)
    outcomes = [
        await join(second, table, new_id()),
        await outcome(second.leave(table.game, table.players[1])),
        await outcome(send(second, table.game, table.players[1], Reveal())),
    ]
    assert refused(outcomes) == ["game_not_running", "game_not_running", "game_not_running"]
    assert await world.history(table.game) == events


async def test_the_host_leaves_while_others_come(world: World) -> None:
    processes = world.processes(2)
    for _ in range(10):
        table = await open_table(processes[0], 3, taken=1)
        came, left = await asyncio.gather(
            join(processes[1], table, new_id()), outcome(processes[0].leave(table.game, table.players[0]))
        )
        assert left is None
        assert isinstance(came, Joined) or refused([came]) == ["game_not_running"]
        events = await world.history(table.game)
        assert isinstance(events[-1], GameAbandoned)
        assert sum(isinstance(event, PlayerJoined) for event in events) == 1 + isinstance(came, Joined)


async def test_what_only_the_host_and_only_the_seated_may_do(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3)
    version = await world.version(table.game)
    for player in (table.players[1], new_id()):
        with pytest.raises(NotHost):
            await games.start(table.game, player)
    for use in (games.leave(table.game, new_id()), games.actions(table.game, new_id())):
        with pytest.raises(NotYourSeat):
            await use
    with pytest.raises(NotYourSeat):
        await send(games, table.game, new_id(), Reveal())
    assert await world.version(table.game) == version


async def test_nobody_leaves_after_the_start_and_nobody_starts_with_a_seat_free(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3, taken=2)
    with pytest.raises(CommandRefused) as refusal:
        await games.start(table.game, table.players[0])
    assert (refusal.value.code, refusal.value.version) == ("seats_open", 3)
    running = await running_table(games, 3)
    version = await world.version(running.game)
    for player in running.players:
        with pytest.raises(CommandRefused) as refusal:
            await games.leave(running.game, player)
        assert (refusal.value.code, refusal.value.version) == ("already_started", version)
    assert await world.version(running.game) == version
