"""How long it takes to have a game in memory that was not there."""

import random
import statistics
from collections.abc import Iterator
from time import perf_counter
from uuid import UUID

from domain.history import first_hash, header, records
from domain.rulesets import RULES_VERSION
from infra.clock import SystemClock
from infra.event_store import Append, NewGame, Summary
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database
from services.bench.figures import Figure, figure
from services.bench.recorded import RecordedGame, record
from services.games.cache import GameCache

EVENTS = 1000
ROUNDS = 50


async def measure(url: str) -> Figure:
    """The cold load of a long game, beside the bare reading of its rows."""
    dice = random.Random(2)  # noqa: S311 - a fixed course of the games, no secret
    long = next(game for game in _games(dice) if len(game.events) >= EVENTS)
    database = await Database.open(url)
    store = PostgresEventStore(database)
    try:
        await _store(store, long)
        loads, reads = [], []
        for _ in range(ROUNDS):
            begin = perf_counter()
            await GameCache(store, 1).get(long.game)
            loads.append(perf_counter() - begin)
            begin = perf_counter()
            await store.read(long.game)
            reads.append(perf_counter() - begin)
    finally:
        await store.close()
        await database.close()
    load, read = statistics.median(loads) * 1000, statistics.median(reads) * 1000
    return figure(f"cold load of {EVENTS} events", load, "ms", read, "reading its rows alone", most=10)


def _games(dice: random.Random) -> Iterator[RecordedGame]:
    while True:
        game = str(UUID(bytes=dice.randbytes(16), version=4))
        players = [str(UUID(bytes=dice.randbytes(16), version=4)) for _ in range(4)]
        yield record(game, dice.randbytes(32), players, dice)


async def _store(store: PostgresEventStore, game: RecordedGame) -> None:
    start = first_hash(header(game.game, "classic", RULES_VERSION))
    history = records(start, 0, SystemClock().now(), 0, game.events[:EVENTS])
    summary = Summary("running", "classic", len(game.players), "public", game.players[0], list(game.players))
    await store.create(NewGame(Append(game.game, 0, history, summary, None), start, game.seed, None))
