"""How appends travel together, seen from both ends of a wire that the test holds."""

import asyncio
from collections.abc import Awaitable, Sequence

import pytest

from infra.event_store import Append, StoreFault, StoreUnavailable
from infra.postgres.append import GroupCommit
from tests.infra.games import Game


class Wire:
    """Statements that stay on their way until the test answers them."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []
        self.answers: list[asyncio.Future[set[str]]] = []

    async def execute(self, appends: Sequence[Append]) -> set[str]:
        self.sent.append([append.game for append in appends])
        answer: asyncio.Future[set[str]] = asyncio.get_running_loop().create_future()
        self.answers.append(answer)
        return await answer

    async def confirm(self, number: int) -> None:
        """All of that statement is stored."""
        self.answers[number].set_result(set(self.sent[number]))
        await turns()

    async def fail(self, number: int, error: Exception) -> None:
        self.answers[number].set_exception(error)
        await turns()


async def turns() -> None:
    """Lets everything happen that needs no answer."""
    for _ in range(5):
        await asyncio.sleep(0)


async def waiting(*appends: Awaitable[bool]) -> list[asyncio.Future[bool]]:
    """Callers that have asked and wait."""
    futures: list[asyncio.Future[bool]] = [asyncio.ensure_future(append) for append in appends]
    await turns()
    return futures


async def test_an_append_goes_at_once_when_the_wire_is_free() -> None:
    wire, games = Wire(), [Game() for _ in range(2)]
    group = GroupCommit(wire.execute)
    callers = [(await waiting(group.append(game.following())))[0] for game in games]
    assert wire.sent == [[game.game] for game in games]
    await wire.confirm(1)
    assert [caller.done() for caller in callers] == [False, True]
    await wire.confirm(0)
    assert await asyncio.gather(*callers) == [True, True]


async def test_appends_of_one_moment_travel_together() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute)
    callers = await waiting(*(group.append(game.following()) for game in games))
    assert wire.sent == [[game.game for game in games]]
    await wire.confirm(0)
    assert all(caller.result() for caller in callers)


async def test_what_comes_while_the_wire_is_full_collects_up_to_the_limit() -> None:
    wire, games = Wire(), [Game() for _ in range(7)]
    group = GroupCommit(wire.execute, in_flight=1, batch=4)
    callers = []
    for game in games:
        callers += await waiting(group.append(game.following()))
    assert [len(sent) for sent in wire.sent] == [1]
    await wire.confirm(0)
    assert [len(sent) for sent in wire.sent] == [1, 4]
    await wire.confirm(1)
    await wire.confirm(2)
    assert [game for sent in wire.sent for game in sent] == [game.game for game in games]
    assert await asyncio.gather(*callers) == [True] * 7


async def test_each_is_won_or_lost_on_its_own() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute)
    callers = await waiting(*(group.append(game.following()) for game in games))
    wire.answers[0].set_result({games[1].game})
    assert await asyncio.gather(*callers) == [False, True, False]


async def test_a_game_is_in_one_statement_at_a_time() -> None:
    wire, game, other = Wire(), Game(), Game()
    group = GroupCommit(wire.execute)
    callers = await waiting(
        *(group.append(game.following(count)) for count in (1, 2, 3)), group.append(other.following())
    )
    assert wire.sent == [[game.game, other.game]]
    await wire.confirm(0)
    assert wire.sent[1:] == [[game.game]]
    assert [caller.done() for caller in callers] == [True, False, False, True]
    await wire.confirm(1)
    await wire.confirm(2)
    assert [len(sent) for sent in wire.sent] == [2, 1, 1]


async def test_who_stops_waiting_takes_nothing_from_the_others() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute)
    callers = await waiting(*(group.append(game.following()) for game in games))
    callers[1].cancel()
    await wire.confirm(0)
    assert callers[0].result()
    assert callers[2].result()
    assert callers[1].cancelled()


async def test_what_nobody_waits_for_any_more_is_not_sent() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute, in_flight=1)
    first = await waiting(group.append(games[0].following()))
    gone, kept = await waiting(group.append(games[1].following()), group.append(games[2].following()))
    gone.cancel()
    await wire.confirm(0)
    assert wire.sent == [[games[0].game], [games[2].game]]
    await wire.confirm(1)
    assert first[0].result()
    assert kept.result()


async def test_an_unknown_outcome_is_told_to_each_and_the_way_is_free_again() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute, in_flight=1)
    callers = await waiting(*(group.append(game.following()) for game in games))
    await wire.fail(0, StoreUnavailable("lost"))
    for caller in callers:
        with pytest.raises(StoreUnavailable, match="lost"):
            await caller
    again = await waiting(group.append(games[0].following()))
    await wire.confirm(1)
    assert again[0].result()


async def test_after_a_fault_each_is_sent_for_itself_and_the_bad_one_fails_alone() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute, in_flight=1)
    callers = await waiting(*(group.append(game.following()) for game in games))
    late = await waiting(group.append(games[0].following()))
    await wire.fail(0, StoreFault("bad"))
    assert wire.sent[1:] == [[game.game] for game in games]
    await wire.confirm(1)
    await wire.fail(2, StoreFault("bad"))
    await wire.confirm(3)
    assert callers[0].result()
    assert callers[2].result()
    with pytest.raises(StoreFault, match="bad"):
        await callers[1]
    assert wire.sent[4:] == [[games[0].game]]
    await wire.confirm(4)
    assert late[0].result()


async def test_a_fault_of_the_program_reaches_its_callers() -> None:
    wire, game = Wire(), Game()
    group = GroupCommit(wire.execute)
    callers = await waiting(group.append(game.following()))
    await wire.fail(0, LookupError("a mistake"))
    with pytest.raises(LookupError, match="a mistake"):
        await callers[0]


async def test_closing_waits_for_what_was_asked_and_takes_nothing_new() -> None:
    wire, games = Wire(), [Game() for _ in range(3)]
    group = GroupCommit(wire.execute, in_flight=1)
    callers = []
    for game in games[:2]:
        callers += await waiting(group.append(game.following()))
    closing = asyncio.ensure_future(group.close())
    await turns()
    with pytest.raises(StoreUnavailable, match="closing"):
        await group.append(games[2].following())
    assert not closing.done()
    await wire.confirm(0)
    assert not closing.done()
    await wire.confirm(1)
    await closing
    assert await asyncio.gather(*callers) == [True, True]
