"""What happens between a commit and its answer, without a database, with one that hangs, and when a game
cannot be folded: nothing is half done, nothing is done twice, and no other game suffers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import cast

import pytest

from domain.commands import EndTrading, Offer
from domain.events import Event, GameStarted, PlayerJoined, PlayerLeft, TradeOffered, Visibility
from domain.evolve import evolve, fold
from domain.state import State
from domain.views import view, with_names
from infra.event_store import StoreUnavailable
from services.games import live_game, writing
from services.games.errors import Contention, GameError, GameNotFound, HistoryUnreadable, NotYourSeat
from services.games.games import Games
from services.games.requests import NewGameRequest
from tests.infra.games import assert_chain
from tests.services.games.stores import Spoilt, Troubled, Unlucky
from tests.services.games.tables import (
    Trading,
    World,
    new_id,
    open_table,
    outcome,
    send,
    trading_table,
    wire,
)

GENEROUS = 20.0
COMMAND = Offer(want={"red": 1})


async def offers_of(world: World, game: str) -> int:
    return sum(isinstance(event, TradeOffered) for event in await world.history(game))


@pytest.mark.parametrize("elsewhere", [False, True], ids=["on the same process", "on another process"])
async def test_a_crash_between_commit_and_answer_is_healed_by_the_retry(world: World, elsewhere: bool) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    trading = await trading_table(games)
    version = await world.version(trading.game)
    store.crashes_after = {"append"}
    with pytest.raises(StoreUnavailable):
        await games.command(trading.game, trading.active, "key", COMMAND, version)
    store.crashes_after.clear()
    world.clock.advance(60)
    retry = await (world.process() if elsewhere else games).command(
        trading.game, trading.active, "key", COMMAND, version
    )
    assert retry.replayed
    assert retry.version == version + 1 == await world.version(trading.game)
    assert isinstance(retry.events[0].event, TradeOffered)
    assert await offers_of(world, trading.game) == 1
    copy = await world.process().command(trading.game, trading.active, "key", COMMAND, None)
    assert wire(copy) == wire(retry)
    # The copy that had not been told goes on without a gap.
    answer = await send(games, trading.game, trading.active, EndTrading())
    assert answer.events[0].version == version + 2
    assert_chain(trading.game, await world.store.read(trading.game))


async def test_joining_leaving_and_starting_survive_the_same_crash(world: World) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    table = await open_table(games, 3, taken=2)
    newcomer = new_id()
    crashing: list[tuple[Callable[[], Awaitable[object]], type[Event]]] = [
        (lambda: games.join(table.game, newcomer, None, ""), cast("type[Event]", PlayerJoined)),
        (lambda: games.start(table.game, table.players[0]), cast("type[Event]", GameStarted)),
    ]
    for use, effect in crashing:
        before = sum(isinstance(event, effect) for event in await world.history(table.game))
        store.crashes_after = {"append"}
        with pytest.raises(StoreUnavailable):
            await use()
        store.crashes_after.clear()
        await use()
        await use()
        assert sum(isinstance(event, effect) for event in await world.history(table.game)) == before + 1
    left: list[tuple[Visibility, type[GameError]]] = [("public", NotYourSeat), ("private", GameNotFound)]
    for visibility, told in left:
        other = await open_table(games, 3, taken=2, visibility=visibility)
        store.crashes_after = {"append"}
        with pytest.raises(StoreUnavailable):
            await games.leave(other.game, other.players[1])
        store.crashes_after.clear()
        for _ in range(2):
            # A stranger by now; a client that has lost an answer takes this for one.
            with pytest.raises(told):
                await games.leave(other.game, other.players[1])
        assert [seat.player for seat in (await games.view(other.game, other.players[0])).seats][1] is None
        assert sum(isinstance(event, PlayerLeft) for event in await world.history(other.game)) == 1


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_a_game_whose_answer_cannot_be_made_is_not_created(
    world: World, monkeypatch: pytest.MonkeyPatch, visibility: Visibility
) -> None:
    """Else the host is told of a failure, there is a game all the same, and nobody ever learns its invite."""
    games, host = world.process(), new_id()

    async def unavailable(_: object) -> dict[str, str]:
        raise StoreUnavailable("down")

    monkeypatch.setattr(world.players, "names", unavailable)
    with pytest.raises(StoreUnavailable):
        await games.create(host, NewGameRequest(visibility=visibility))
    monkeypatch.undo()
    assert (await games.games(host, None, None, host, None, 10)).games == []


async def test_without_a_store_nothing_happens_and_with_it_the_next_try_succeeds(world: World) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    trading = await trading_table(games)
    game, player = trading.game, trading.active
    before = await world.store.read(game)
    store.is_down = True
    uses: list[Callable[[], Awaitable[object]]] = [
        lambda: games.command(game, player, "key", COMMAND, None),
        lambda: games.view(game, player),
        lambda: games.actions(game, player),
        lambda: games.events(game, player, 0, 10),
        lambda: games.games(player, None, None, None, None, 10),
        lambda: games.create(player, NewGameRequest()),
        lambda: games.join(game, new_id(), None, ""),
        lambda: world.process(store=store).view(game, player),
    ]
    for use in uses:
        with pytest.raises(StoreUnavailable):
            await use()
    assert await world.store.read(game) == before
    store.is_down = False
    answer = await games.command(game, player, "key", COMMAND, None)
    assert not answer.replayed
    assert answer.version == len(before) + 1


@pytest.mark.parametrize("committed", [False, True], ids=["before the commit", "after the commit"])
async def test_a_store_that_hangs_ends_in_contention_and_the_retry_finds_out(
    world: World, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    trading = await trading_table(games)
    version = await world.version(trading.game)
    monkeypatch.setattr(writing, "MOST_SECONDS", 0.2)
    (store.hangs_after if committed else store.hangs_before).add("append")
    async with asyncio.timeout(GENEROUS):
        outcomes = await asyncio.gather(
            outcome(games.command(trading.game, trading.active, "key", COMMAND, None)),
            outcome(send(games, trading.game, trading.others[0], Offer(to=trading.active_seat, want={"red": 1}))),
        )
    assert {type(error) for error in outcomes} == {Contention}
    assert {error.code for error in outcomes if isinstance(error, Contention)} == {"busy"}
    monkeypatch.undo()
    store.release()
    for process in (games, world.process()):
        answer = await process.command(trading.game, trading.active, "key", COMMAND, None)
        assert answer.replayed is (committed or process is not games)
        assert isinstance(answer.events[0].event, TradeOffered)
    made = [event for event in await world.history(trading.game) if isinstance(event, TradeOffered)]
    assert [event.author for event in made].count(trading.active_seat) == 1
    assert_chain(trading.game, await world.store.read(trading.game))
    assert await world.version(trading.game) >= version + 1


async def test_a_caller_who_gives_up_takes_nothing_from_the_others(world: World) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    trading = await trading_table(world.process())
    store.hangs_before.add("read")
    async with asyncio.timeout(GENEROUS):
        impatient = asyncio.create_task(games.view(trading.game, trading.active))
        patient = asyncio.create_task(games.view(trading.game, trading.others[0]))
        await store.is_reached.wait()
        impatient.cancel()
        await asyncio.wait([impatient])
        store.release()
        assert (await patient).game == trading.game
    assert impatient.cancelled()
    assert store.calls.count("secrets") == 1


async def test_a_caller_who_gives_up_in_the_middle_of_an_append_blocks_nobody(world: World) -> None:
    store = Troubled(world.store)
    games = world.process(store=store)
    trading = await trading_table(games)
    store.hangs_after.add("append")
    async with asyncio.timeout(GENEROUS):
        impatient = asyncio.create_task(games.command(trading.game, trading.active, "key", COMMAND, None))
        await store.is_reached.wait()
        impatient.cancel()
        await asyncio.wait([impatient])
        store.release()
        copy = await games.command(trading.game, trading.active, "key", COMMAND, None)
        assert copy.replayed
        await send(games, trading.game, trading.active, EndTrading())
    assert await offers_of(world, trading.game) == 1


async def test_who_loses_every_race_gives_up_after_a_bounded_number_of_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    trading = await trading_table(world.process())
    store = Unlucky(world.store)
    monkeypatch.setattr(writing, "MOST_ATTEMPTS", 7)
    before = await world.version(trading.game)
    with pytest.raises(Contention):
        await send(world.process(store=store), trading.game, trading.active, COMMAND)
    assert len(store.lost) == 7
    assert await world.version(trading.game) == before


async def play_on(games: Games, tables: list[Trading]) -> list[object]:
    """One offer at each table at the same time."""

    async def play(trading: Trading) -> object:
        try:
            return await send(games, trading.game, trading.active, COMMAND)
        except (HistoryUnreadable, ZeroDivisionError) as error:
            return error

    return await asyncio.gather(*map(play, tables))


async def test_a_game_whose_history_is_spoilt_fails_alone_and_recovers(world: World) -> None:
    store = Spoilt(world.store)
    tables = [await trading_table(world.process(), 3) for _ in range(10)]
    games = world.process(store=store)
    store.spoilt_game = tables[4].game
    before = await world.version(tables[4].game)
    for _ in range(2):
        outcomes = await play_on(games, tables)
        assert [isinstance(result, HistoryUnreadable) for result in outcomes] == [number == 4 for number in range(10)]
        with pytest.raises(HistoryUnreadable):
            await games.view(tables[4].game, tables[4].active)
    assert await world.version(tables[4].game) == before
    store.spoilt_game = None
    answer = await send(games, tables[4].game, tables[4].active, COMMAND)
    assert answer.version == before + 1


class Faulty:
    """`evolve` with a fault: the step of one game fails half way."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.failures = 0

    def __call__(self, state: State, event: Event) -> None:
        if state.game == self.game and isinstance(event, TradeOffered):
            evolve(state, event)
            state.offers.clear()
            self.failures += 1
            raise ZeroDivisionError
        evolve(state, event)


async def test_a_game_whose_folding_fails_fails_alone_and_recovers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = world.process()
    tables = [await trading_table(games, 3) for _ in range(10)]
    broken = tables[4]
    key = new_id()
    monkeypatch.setattr(live_game, "evolve", Faulty(broken.game))
    # It is stored before it is folded: the answer is lost, the event is not.
    with pytest.raises(ZeroDivisionError):
        await games.command(broken.game, broken.active, key, COMMAND, None)
    outcomes = await play_on(games, tables)
    assert [isinstance(result, ZeroDivisionError) for result in outcomes] == [number == 4 for number in range(10)]
    with pytest.raises(ZeroDivisionError):
        await games.view(broken.game, broken.active)
    assert await offers_of(world, broken.game) == 1
    monkeypatch.undo()
    answer = await games.command(broken.game, broken.active, key, COMMAND, None)
    assert answer.replayed
    seen = await games.view(broken.game, broken.active)
    assert [made.offer for made in seen.offers] == [1]
    assert with_names(seen, {}) == view(fold(broken.game, await world.history(broken.game)), broken.active_seat)


async def test_a_half_folded_copy_is_neither_written_from_nor_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = world.process()
    trading = await trading_table(games, 7)
    monkeypatch.setattr(live_game, "evolve", Faulty(trading.game))
    attempts = [
        games.command(trading.game, player, new_id(), Offer(to=trading.active_seat, want={"red": 1}), None)
        for player in trading.others
    ]
    views = [games.view(trading.game, player) for player in trading.table.players]
    results = await asyncio.gather(*attempts, *views, return_exceptions=True)
    assert any(isinstance(result, ZeroDivisionError) for result in results[: len(attempts)])
    # Some were answered from before the fault; nobody is shown an offer, or the lack of one, that is none.
    assert_chain(trading.game, await world.store.read(trading.game))
    fault = await world.version(trading.game)
    assert all(getattr(result, "version", 0) < fault for result in results[len(attempts) :])
    monkeypatch.undo()
    await send(games, trading.game, trading.active, COMMAND)
    records = await world.store.read(trading.game)
    assert_chain(trading.game, records)
    seen = await games.view(trading.game, trading.active)
    assert with_names(seen, {}) == view(fold(trading.game, await world.history(trading.game)), trading.active_seat)


async def test_two_who_read_the_same_fault_do_not_hide_it_from_each_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, other = world.processes(2)
    trading = await trading_table(games, 3)
    await games.view(trading.game, trading.active)
    for command in (COMMAND, EndTrading()):
        await send(other, trading.game, trading.active, command)
    monkeypatch.setattr(live_game, "evolve", Faulty(trading.game))
    results = await asyncio.gather(
        *(games.view(trading.game, player) for player in trading.table.players * 3), return_exceptions=True
    )
    assert {type(result) for result in results} <= {ZeroDivisionError, RuntimeError}
    monkeypatch.undo()
    seen = await games.view(trading.game, trading.active)
    assert with_names(seen, {}) == view(fold(trading.game, await world.history(trading.game)), trading.active_seat)
