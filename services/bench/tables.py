"""Tables at which a measurement plays, put into the database as if they had been set up there."""

import asyncio
import os
import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from uuid import UUID

from domain.evolve import fold
from infra.event_store import Append, NewGame
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database
from services.bench.recorded import RecordedGame, record
from services.games.live_game import new_records, summary_of

SEATS = 4
_AT_ONCE = 16


def recorded_tables(dice: random.Random, most_moves: int | None = None) -> Iterator[RecordedGame]:
    """Games of players who are nowhere else, for ever. The dice fix the course of each, and chance its name."""
    while True:
        game = str(UUID(bytes=os.urandom(16), version=4))
        players = [str(UUID(bytes=os.urandom(16), version=4)) for _ in range(SEATS)]
        yield record(game, dice.randbytes(32), players, dice, most_moves=most_moves)


async def store_tables(url: str, games: Iterable[RecordedGame], events: int | None = None) -> None:
    """Each with so many of its first events, or up to where its first move can be made."""
    database = await Database.open(url)
    store = PostgresEventStore(database)
    try:
        waiting = iter(games)
        await asyncio.gather(*(_store_in_turn(store, waiting, events) for _ in range(_AT_ONCE)))
    finally:
        await store.close()
        await database.close()


async def _store_in_turn(store: PostgresEventStore, games: Iterator[RecordedGame], events: int | None) -> None:
    for game in games:
        await store_game(store, game, game.started if events is None else events)


async def store_game(store: PostgresEventStore, game: RecordedGame, events: int) -> None:
    """With so many of its first events."""
    happened = game.events[:events]
    state = fold(game.game, happened)
    start, history = new_records(state, happened, datetime.now(UTC))
    await store.create(NewGame(Append(game.game, 0, history, summary_of(state), None), start, game.seed, None))
