"""How long it takes to have a game in memory that was not there."""

import statistics
from time import perf_counter

from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database
from services.bench.figures import Figure, figure
from services.bench.recorded import RecordedGame
from services.bench.tables import store_game
from services.games.cache import GameCache

EVENTS = 1000
ROUNDS = 50


async def measure(url: str, game: RecordedGame) -> Figure:
    """The cold load of a long game, beside the bare reading of its rows. It is in the database afterwards."""
    database = await Database.open(url)
    store = PostgresEventStore(database)
    try:
        await store_game(store, game, EVENTS)
        loads, reads = [], []
        for _ in range(ROUNDS):
            begin = perf_counter()
            await GameCache(store, 1).get(game.game)
            loads.append(perf_counter() - begin)
            begin = perf_counter()
            await store.read(game.game)
            reads.append(perf_counter() - begin)
    finally:
        await store.close()
        await database.close()
    load, read = statistics.median(loads) * 1000, statistics.median(reads) * 1000
    return figure(f"cold load of {EVENTS} events", load, "ms", read, "reading its rows alone", most=10)
