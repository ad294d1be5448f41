"""What a subscriber costs to whom nothing happens, and how fast all of them are reached when something does."""

import asyncio
import resource
import statistics
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from time import perf_counter

from rich.progress import Progress

from services.bench.figures import Figure, figure
from services.bench.four import Four
from services.bench.live import LAST_SECONDS
from services.bench.load import answered
from services.bench.recorded import RecordedGame
from services.bench.serving import Served
from services.bench.tables import SEATS
from services.identity.access import AccessTokens

TABLES = 1250
ROUNDS = 3
"""So often everybody is reached, each time by one move at every table."""
CALM_SECONDS = 2.0
"""Until everybody knows who is there."""

_AT_ONCE = 16
_ALIVE = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def allow_connections() -> None:
    """For this process and those that it starts from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = TABLES * SEATS + 1000
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


async def connection_bytes(served: Served) -> float:
    """What an HTTP connection takes that has asked for something once."""
    count = TABLES * SEATS
    before = served.resident_bytes()
    writers: list[asyncio.StreamWriter] = []

    async def connect() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writers.append(writer)
        writer.write(_ALIVE)
        await answered(reader)

    try:
        await _each([connect] * count)
        return (served.resident_bytes() - before) / count
    finally:
        for writer in writers:
            writer.close()


async def measure(
    served: Served, games: Sequence[RecordedGame], tokens: AccessTokens, connection: float, progress: Progress
) -> list[Figure]:
    """On a server that has had nobody until now. `connection` is the baseline."""
    sitting = progress.add_task("idle subscribers", total=len(games))
    tables = [Four(game) for game in games]
    count = len(games) * SEATS
    before = served.resident_bytes()

    async def sit_down(table: Four) -> None:
        await table.sit_down(served.port, tokens)
        progress.advance(sitting)

    try:
        await _each([partial(sit_down, table) for table in tables])
        await asyncio.sleep(CALM_SECONDS)
        taken = (served.resident_bytes() - before) / count
        moves = [await _all_at_once(tables, Four.move) for _ in range(ROUNDS)]
        pings = [await _all_at_once(tables, Four.ping) for _ in range(ROUNDS)]
    finally:
        for table in tables:
            table.get_up()
    who = f"{count:,} idle subscribers at {len(tables):,} tables"
    reached, answered = statistics.median(moves), statistics.median(pings)
    return [
        figure(f"{who}, memory of each", taken / 1024, "KB", connection / 1024, "an idle HTTP connection", most=40),
        figure(f"{who}, a move to all", reached * 1000, "ms", answered * 1000, "a ping to each", most=1000),
    ]


async def _all_at_once(tables: Sequence[Four], act: Callable[[Four], Awaitable[None]]) -> float:
    begin = perf_counter()
    async with asyncio.timeout(LAST_SECONDS):
        await asyncio.gather(*map(act, tables))
    return perf_counter() - begin


async def _each(steps: Sequence[Callable[[], Coroutine[None, None, None]]]) -> None:
    """A few at a time."""
    waiting = iter(steps)

    async def go_on() -> None:
        for step in waiting:
            await step()

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(go_on())
