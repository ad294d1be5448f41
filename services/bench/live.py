"""How fast a move reaches all players of its table over WebSockets, beside a message on the same sockets that is
refused at once."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from time import perf_counter
from uuid import uuid4

import msgspec
from rich.progress import Progress

from services.bench.figures import Figure, figure
from services.bench.four import Four, Reached
from services.bench.load import asked, percentile
from services.bench.recorded import RecordedGame
from services.bench.server import Commit
from services.bench.serving import Served
from services.identity.access import AccessTokens

TABLES = 100
PACE = 300
"""Moves a second of all tables together, where it is measured how long one takes."""
WINDOWS = 3
BESIDE = 0.3
"""Of a window, for what is measured beside it."""
WARM_UP_SECONDS = 1.0
LAST_SECONDS = 30.0
"""So long what was begun in a window may take afterwards. A frame that is missing is an error."""
MOST_A_SECOND = 3600
"""More than is ever reached, so that no table runs out of moves."""

_Act = Callable[[Four], Coroutine[None, None, None]]


def moves_needed(seconds: float) -> int:
    """Of each table."""
    return int((WARM_UP_SECONDS + WINDOWS * seconds) * MOST_A_SECOND / TABLES + WINDOWS * seconds * PACE / TABLES)


async def measure(
    served: Served, games: Sequence[RecordedGame], tokens: AccessTokens, seconds: float, progress: Progress
) -> list[Figure]:
    """Windows of moves and of refused messages in turn, first at a steady pace, then as fast as it goes."""
    measuring = progress.add_task("moves over WebSockets", total=4 * WINDOWS)
    async with _sitting(served, games, tokens) as tables:
        await _as_fast_as_it_goes(tables, Four.move, WARM_UP_SECONDS)
        _taken(tables)
        await _commits(served, tokens)
        for _ in range(WINDOWS):
            await _at_a_pace(tables, Four.ask_in_vain, seconds * BESIDE)
            progress.advance(measuring)
            await _at_a_pace(tables, Four.move, seconds)
            progress.advance(measuring)
        figures = _delays(*_taken(tables), await _commits(served, tokens))
        rates: list[tuple[float, float]] = []
        for _ in range(WINDOWS):
            refused = await _as_fast_as_it_goes(tables, Four.ask_in_vain, seconds * BESIDE)
            progress.advance(measuring)
            rates.append((await _as_fast_as_it_goes(tables, Four.move, seconds), refused))
            progress.advance(measuring)
        return figures + _rates(rates, *_taken(tables))


def _delays(reached: list[Reached], refused: list[int], commits: dict[tuple[str, int], int]) -> list[Figure]:
    seen = [one.had - commits[one.game, one.version] for one in reached]
    whole = [one.had - one.sent for one in reached]
    return [
        *_shares(f"commit to all four players, {PACE} moves/s", seen, refused, {0.5: 5, 0.99: 25}),
        *_shares(f"sent to all four players, {PACE} moves/s", whole, refused, {0.5: None, 0.99: None}),
    ]


def _rates(rates: list[tuple[float, float]], reached: list[Reached], refused: list[int]) -> list[Figure]:
    moves, nothing = sorted(rates)[len(rates) // 2]
    whole = [one.had - one.sent for one in reached]
    return [
        figure(
            f"moves over WebSockets, {TABLES} tables", moves, "moves/s", nothing, "messages refused at once", least=1700
        ),
        *_shares(
            f"sent to all four players, {TABLES} tables at full speed",
            whole,
            refused,
            {0.5: None, 0.95: None, 0.99: None},
        ),
    ]


def _shares(
    name: str, nanoseconds: Sequence[int], beside: Sequence[int], most: Mapping[float, float | None]
) -> Iterator[Figure]:
    """For each share the time within which it stays, and what it may be at most."""
    for share, limit in most.items():
        value, baseline = (percentile(times, share) / 1e6 for times in (nanoseconds, beside))
        yield figure(f"{name}, p{share * 100:.0f}", value, "ms", baseline, "a message refused at once", most=limit)


@asynccontextmanager
async def _sitting(
    served: Served, games: Sequence[RecordedGame], tokens: AccessTokens
) -> AsyncIterator[Sequence[Four]]:
    tables = [Four(game) for game in games]
    try:
        await asyncio.gather(*(table.sit_down(served.port, tokens) for table in tables))
        yield tables
    finally:
        for table in tables:
            table.get_up()


async def _as_fast_as_it_goes(tables: Sequence[Four], act: _Act, seconds: float) -> float:
    """Every table does the next thing when the one before is done; so many a second."""

    async def go_on(table: Four) -> int:
        for done in count():
            if perf_counter() >= until or not table.moves_left:
                return done
            await act(table)
        return 0

    begin = perf_counter()
    until = begin + seconds
    async with asyncio.timeout(seconds + LAST_SECONDS):
        done = sum(await asyncio.gather(*map(go_on, tables)))
    return done / (perf_counter() - begin)


async def _at_a_pace(tables: Sequence[Four], act: _Act, seconds: float) -> None:
    """One table after the other, at fixed times, however long each takes."""
    begin = perf_counter()
    async with asyncio.timeout(seconds + LAST_SECONDS), asyncio.TaskGroup() as group:
        for number in range(int(seconds * PACE)):
            await asyncio.sleep(begin + number / PACE - perf_counter())
            group.create_task(act(tables[number % len(tables)]))


def _taken(tables: Sequence[Four]) -> tuple[list[Reached], list[int]]:
    """All that was noted since the last time."""
    reached = [one for table in tables for one in table.reached]
    refused = [one for table in tables for one in table.refused]
    for table in tables:
        table.reached.clear()
        table.refused.clear()
    return reached, refused


async def _commits(served: Served, tokens: AccessTokens) -> dict[tuple[str, int], int]:
    """When what was committed, since the last time."""
    answer = await asked(served.port, "/v1/commits", tokens.issue(str(uuid4())))
    return {(one.game, one.version): one.nanoseconds for one in msgspec.json.decode(answer, type=list[Commit])}
