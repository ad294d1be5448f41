"""How long it takes to come back to a stream after a thousand events, beside reading the same events page by page."""

import asyncio
import statistics
from time import perf_counter

from services.bench.figures import Figure, figure
from services.bench.load import answered, question
from services.bench.recorded import RecordedGame
from services.bench.serving import Served
from services.identity.access import AccessTokens

EVENTS = 1000
ROUNDS = 30
_PAGE = 500
_MOST_BYTES = 8 * 1024 * 1024


async def measure(served: Served, game: RecordedGame, tokens: AccessTokens) -> Figure:
    """A game of exactly so many events, read by its host who has none of them. Each time anew, from the connection
    on until the last one is there."""
    token = tokens.issue(game.players[0])
    streams, pages = [], []
    for _ in range(ROUNDS):
        pages.append(await _read_pages(served.port, game.game, token))
        streams.append(await _resume(served.port, game.game, token))
    resumed, read = statistics.median(streams) * 1000, statistics.median(pages) * 1000
    return figure(f"resuming after {EVENTS} events", resumed, "ms", read, "reading their pages", most=50)


async def _resume(port: int, game: str, token: str) -> float:
    begin = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_MOST_BYTES)
    try:
        writer.write(question(f"/v1/games/{game}/stream?after=0", token))
        await reader.readuntil(b"\nid: %d\n" % EVENTS)
        await reader.readuntil(b"\n\n")
        return perf_counter() - begin
    finally:
        writer.close()
        await writer.wait_closed()


async def _read_pages(port: int, game: str, token: str) -> float:
    begin = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_MOST_BYTES)
    try:
        for after in range(0, EVENTS, _PAGE):
            writer.write(question(f"/v1/games/{game}/events?after={after}&limit={_PAGE}", token))
            await answered(reader)
        return perf_counter() - begin
    finally:
        writer.close()
        await writer.wait_closed()
