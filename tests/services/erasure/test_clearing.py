"""What is left to do once a player is erased: tables are left, and what one process did for the player while it did
not know yet is cleared away, whoever is stopped in the middle and whatever goes wrong at a table (pitfalls E14,
A11)."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from domain.commands import EndTrading
from domain.events import Options, PlayerLeft, decode_event
from infra.event_store import StoreFault, StoreUnavailable
from services.erasure.clearing import CLEAR_SECONDS, LONGEST_PAUSE, MOST_TRIES
from services.games.errors import Contention, HistoryUnreadable
from services.games.requests import NewGameRequest
from tests.services.erasure.town import Town, eventually, looks, next_of, town, until
from tests.services.games.counters import counter
from tests.services.games.tables import NOON, new_id, open_table, trading_table

SECRET = b"1" * 32
LATER = NOON + timedelta(days=1)


async def full_soon(town: Town) -> str:
    """A table with two of its three seats free, that begins with the last one taken."""
    request = NewGameRequest(seats=3, options=Options(start_when_full=True))
    return (await town.processes[0].games.create(new_id(), request)).game


async def seats(town: Town, game: str) -> list[bool]:
    """Which are taken."""
    return [seat.player is not None for seat in (await town.processes[-1].games.view(game, new_id())).seats]


async def begins_without(town: Town, game: str, player: str) -> None:
    """When two more have sat down."""
    games = town.processes[0].games
    await games.join(game, new_id(), None, "")
    seen = await games.view(game, new_id())
    assert seen.status == "open"
    await games.join(game, new_id(), None, "")
    seen = await games.view(game, new_id())
    assert seen.status == "running"
    assert player not in [seat.player for seat in seen.seats]


async def test_a_seat_that_is_taken_in_the_moment_of_the_erasure_is_left_at_once() -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        player, game = new_id(), await full_soon(opened)
        await opened.name(player)
        opened.players.before_erasing = lambda: process.games.join(game, player, None, "")
        await process.erasures.erase(player)
        opened.players.before_erasing = None
        await begins_without(opened, game, player)


async def test_a_seat_that_is_taken_when_the_tables_were_just_left_is_left_soon() -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        player, game = new_id(), await full_soon(opened)
        await opened.name(player)
        await process.erasures.erase(player)
        await process.games.join(game, player, None, "")

        async def is_left() -> bool:
            return await seats(opened, game) == [True, False, False]

        await eventually(is_left)
        await begins_without(opened, game, player)


async def test_who_erased_and_was_killed_before_anything_else_leaves_it_to_the_others() -> None:
    async with town(1) as opened:
        player = new_id()
        table = await open_table(opened.processes[0].games, 3, taken=1, host=player)
        await opened.name(player)
        await opened.players.erase(player)
        await eventually(lambda: opened.is_abandoned(table.game))


@pytest.mark.parametrize("hours", [0, 23])
async def test_and_when_there_was_no_other_to_the_next_that_starts(hours: float) -> None:
    async with town(1) as opened:
        player = new_id()
        table = await open_table(opened.processes[0].games, 3, taken=1, host=player)
        await opened.name(player)
        await opened.processes.pop().close()
        await opened.players.erase(player)
        opened.clock.advance(hours * 3_600)
        await opened.begin()
        await eventually(lambda: opened.is_abandoned(table.game))


async def test_what_another_process_did_for_him_meanwhile_is_cleared_away() -> None:
    async with town() as opened:
        here, there = opened.processes
        trading = await trading_table(here.games, 3)
        free = await open_table(there.games, 3, taken=1)
        player = trading.active
        await opened.name(player)
        await here.erasures.erase(player)
        await until(lambda: there.refuses(player))
        await looks(opened)
        # All of this was under way when he was erased.
        await there.games.command(trading.game, player, "a-key-of-mine", EndTrading(), None)
        await opened.players.add_ticket(player, SECRET, NOON, LATER)
        await there.games.join(free.game, player, None, "")
        hosted = await open_table(there.games, 3, taken=1, host=player)
        watcher = await there.live.watch(trading.game, player, None)
        opened.clock.advance(CLEAR_SECONDS - 1)
        await looks(opened)
        assert not await opened.is_forgotten(trading.game, player, "a-key-of-mine")
        opened.clock.advance(1)
        await eventually(lambda: opened.is_forgotten(trading.game, player, "a-key-of-mine"))
        await eventually(lambda: opened.is_abandoned(hosted.game))
        assert not await opened.players.take_ticket(player, SECRET, NOON)
        assert decode_event((await opened.events.read(free.game))[-1].payload) == PlayerLeft(1)
        assert await next_of(watcher, "bye") == {"type": "bye", "retry_ms": None}
        there.live.leave(watcher)


def troubled(leave: Callable[..., Awaitable[None]], game: str, trouble: list[Exception]) -> Callable[..., Any]:
    """As that, but what is in `trouble` is raised at that table."""

    async def instead(at: str, player: str) -> None:
        if at == game and trouble:
            raise trouble[0]
        await leave(at, player)

    return instead


@pytest.mark.parametrize("error", [Contention(), StoreFault("a broken row"), ZeroDivisionError()])
async def test_what_is_wrong_with_one_table_keeps_nobody_from_being_erased_nor_at_another(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, faults = counter("erasure_failures"), counter("erasure_faults")
    async with town(1) as opened:
        (process,) = opened.processes
        player, trouble = new_id(), [error]
        for _ in range(3):
            await open_table(process.games, 3, taken=1, host=player)
        first, *others = [
            entry.game for entry in (await process.games.games(player, "open", None, player, None, 3)).games
        ]
        await opened.name(player)
        monkeypatch.setattr(process.games, "leave", troubled(process.games.leave, first, trouble))
        await process.erasures.erase(player)
        assert process.refuses(player)
        assert not await opened.is_abandoned(first)
        assert all([await opened.is_abandoned(game) for game in others])
        assert failures() + faults() >= 1
        assert (faults() == 0) is not isinstance(error, ZeroDivisionError)
        await looks(opened)
        trouble.clear()
        opened.clock.advance(CLEAR_SECONDS)
        await eventually(lambda: opened.is_abandoned(first))


async def test_tables_that_cannot_be_listed_keep_nobody_from_being_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        player = new_id()
        table = await open_table(process.games, 3, taken=1, host=player)
        await opened.name(player)
        for error in (StoreUnavailable("down"), StoreFault("broken"), ZeroDivisionError()):

            async def broken(*_: object, error: Exception = error) -> None:
                raise error

            somebody = new_id() if error.args != ("down",) else player
            await opened.name(*({somebody} - {player}))
            with monkeypatch.context() as patch:
                patch.setattr(process.games, "games", broken)
                await process.erasures.erase(somebody)
                assert process.refuses(somebody)
                await looks(opened)
        opened.clock.advance(CLEAR_SECONDS)
        await eventually(lambda: opened.is_abandoned(table.game))


async def test_a_table_that_cannot_be_read_is_left_by_a_process_that_can() -> None:
    async with town(0) as opened:
        process = await opened.begin()
        player = new_id()
        table = await open_table(process.games, 3, taken=1, host=player)
        await opened.name(player)
        another = await opened.begin()
        opened.spoilt.spoilt_game = table.game
        await another.erasures.erase(player)
        assert another.refuses(player)
        assert not await opened.is_abandoned(table.game)
        opened.spoilt.spoilt_game = None
        await until(lambda: process.refuses(player))
        await eventually(lambda: opened.is_abandoned(table.game))


async def in_time(town: Town, holds: Callable[[], Awaitable[bool]]) -> None:
    """As time goes by."""
    for _ in range(300):
        if await holds():
            return
        town.clock.advance(LONGEST_PAUSE)
        await looks(town)
    raise AssertionError("it has not come to that")


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("leaving", HistoryUnreadable("a game", 1, "broken")),
        ("leaving", Contention()),
        ("leaving", ZeroDivisionError()),
        ("erasing", StoreFault("broken")),
        ("erasing", ZeroDivisionError()),
    ],
)
async def test_what_cannot_be_done_is_tried_again_and_not_for_ever(
    where: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures, faults = counter("erasure_failures"), counter("erasure_faults")
    tries = 0

    async def fail(*_: object) -> None:
        nonlocal tries
        tries += 1
        raise error

    async def many() -> bool:
        return tries >= MOST_TRIES

    async with town(1) as opened:
        (process,) = opened.processes
        player = new_id()
        await open_table(process.games, 3, taken=1, host=player)
        await opened.name(player)
        await opened.players.erase(player)
        if where == "leaving":
            monkeypatch.setattr(process.games, "leave", fail)
        else:
            opened.players.before_erasing = fail
        await in_time(opened, many)
        for _ in range(3):
            opened.clock.advance(LONGEST_PAUSE)
            await looks(opened)
        assert tries == MOST_TRIES
        # Each is counted, and that it is given up.
        assert failures() + faults() == MOST_TRIES + 1
        assert process.erasures.is_working


async def test_what_went_wrong_for_a_while_is_done_in_the_end() -> None:
    async with town(1) as opened:
        (process,) = opened.processes
        trading = await trading_table(process.games, 3)
        player, errors = trading.active, [ZeroDivisionError(), StoreFault("broken"), ZeroDivisionError()]

        async def fail() -> None:
            if errors:
                raise errors.pop()

        await opened.name(player)
        await process.erasures.erase(player)
        await looks(opened)
        await process.games.command(trading.game, player, "a-key-of-mine", EndTrading(), None)
        opened.players.before_erasing = fail
        await in_time(opened, lambda: opened.is_forgotten(trading.game, player, "a-key-of-mine"))
        assert not errors


async def test_while_the_store_is_away_it_is_tried_for_as_long_as_it_takes() -> None:
    failures = counter("erasure_failures")

    async def many() -> bool:
        return failures() > MOST_TRIES + 1

    async with town(1) as opened:
        (process,) = opened.processes
        player = new_id()
        table = await open_table(process.games, 3, taken=1, host=player)
        await opened.name(player)
        opened.store.is_down = True
        await process.erasures.erase(player)
        assert process.refuses(player)
        await in_time(opened, many)
        opened.store.is_down = False
        await in_time(opened, lambda: opened.is_abandoned(table.game))


async def test_a_fault_with_one_player_keeps_no_other_from_being_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    faults, behind_the_streams = counter("erasure_faults"), counter("live_faults")
    async with town(1) as opened:
        (process,) = opened.processes
        player, other = new_id(), new_id()
        await opened.name(player, other)

        async def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(process.games, "games", broken)
        await process.erasures.erase(player)
        await until(lambda: faults() == 2)
        assert process.erasures.is_working
        told = {(record.name, record.message) for record in caplog.records if record.levelname == "ERROR"}
        assert told == {("bohnanza.erasure", "A fault behind an erasure")}
        assert behind_the_streams() == 0
        await opened.players.erase(other)
        await until(lambda: process.refuses(other))
