"""How long a step of a replay takes at any version of a game of a thousand events, beside reading that one event."""

import asyncio
import statistics
from time import perf_counter

from services.bench.figures import Figure, figure
from services.bench.load import answered, question
from services.bench.recorded import RecordedGame
from services.bench.serving import Served
from services.identity.access import AccessTokens

EVENTS = 1000
APART = 9
"""Versions from one that is asked for to the next: so few that the slowest step is not missed."""
ROUNDS = 5
_WARM_UP = 20


async def measure(served: Served, game: RecordedGame, tokens: AccessTokens) -> Figure:
    """A game of exactly so many events, seen by its host. Of every step the middle of some rounds, and of the steps
    the slowest."""
    token = tokens.issue(game.players[0])
    versions = range(1, EVENTS + 1, APART)
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)

    async def asked(path: str) -> float:
        begin = perf_counter()
        writer.write(question(f"/v1/games/{game.game}/{path}", token))
        await answered(reader)
        return perf_counter() - begin

    try:
        for _ in range(_WARM_UP):
            await asked("replay")
        steps: dict[int, list[float]] = {version: [] for version in versions}
        events: list[float] = []
        for _ in range(ROUNDS):
            for version in versions:
                events.append(await asked(f"events?after={version - 1}&limit=1"))
                steps[version].append(await asked(f"replay?version={version}"))
    finally:
        writer.close()
        await writer.wait_closed()
    slowest = max(statistics.median(rounds) for rounds in steps.values()) * 1000
    one = statistics.median(events) * 1000
    return figure(f"any step of a replay of {EVENTS} events", slowest, "ms", one, "reading that event", most=15)
