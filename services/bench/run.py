"""One run of all measurements, on a Postgres and a Valkey of its own that are gone afterwards."""

import base64
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import uvloop
from rich.console import Console
from rich.progress import Progress

from infra.clock import SystemClock
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey
from infra.postgres.migrate import upgrade
from infra.signing import parse_signing_keys
from services.bench import audit, http, idle, live, replay, resume, rules, storage
from services.bench.figures import Figure
from services.bench.recorded import RecordedGame
from services.bench.serving import serving
from services.bench.tables import recorded_tables, store_tables
from services.identity.access import AccessTokens
from services.identity.keys import parse_keys

GAMES = 24
"""Of each edition."""


def run(console: Console, seconds: float) -> list[Figure]:
    """All figures; `seconds` is the length of a window under load."""
    with Progress(console=console, transient=True) as progress:
        recording = progress.add_task("recording games", total=1)
        editions = rules.recorded_games(GAMES)
        progress.advance(recording)
        measuring = progress.add_task("rules, replay, referee, memory", total=rules.FIGURES * len(editions))
        figures = []
        for figure in rules.measure(editions):
            figures.append(figure)
            progress.advance(measuring)
        keys = parse_signing_keys(base64.b64encode(os.urandom(32)).decode())
        figures.append(audit.verifying(editions, keys))
        with (
            tempfile.TemporaryDirectory(prefix="bohnanza-bench-") as folder,
            EmbeddedPostgres(Path(folder)) as postgres,
            EmbeddedValkey(Path(folder)) as valkey,
        ):
            upgrade(postgres.url)
            figures.append(uvloop.run(audit.verifying_database(postgres.url, editions, keys)))
            figures += uvloop.run(_served(postgres.url, valkey.url, Path(folder), seconds, progress))
    return figures


async def _served(url: str, redis_url: str, folder: Path, seconds: float, progress: Progress) -> list[Figure]:
    """What is measured on servers."""
    dice = random.Random(1)  # noqa: S311 - a fixed course of the games, no secret
    key = os.urandom(32).hex()
    tokens = AccessTokens(parse_keys(key), SystemClock(), 86_400)
    games = recorded_tables(dice)
    long = next(game for game in games if len(game.events) >= storage.EVENTS)
    figures = [await storage.measure(url, long)]

    tables = _enough(games, http.CLIENTS, moves=http.moves_needed(seconds))
    await store_tables(url, tables)
    async with serving(url, folder, key) as served:
        figures += await http.measure(served, tables, tokens, seconds, progress)
        figures.append(await audit.exporting(url, served, next(games), tokens))

    each = live.moves_needed(seconds)
    tables = _enough((game for game in games if len(game.moves) >= each), live.TABLES)
    await store_tables(url, tables)
    async with serving(url, folder, key, redis_url) as served:
        figures += await live.measure(served, tables, tokens, seconds, progress)
        figures.append(await resume.measure(served, long, tokens))
        figures.append(await replay.measure(served, long, tokens))

    short = recorded_tables(dice, most_moves=idle.ROUNDS)
    tables = _enough(short, idle.TABLES)
    await store_tables(url, tables)
    idle.allow_connections()
    async with serving(url, folder, key, redis_url) as served:
        connection = await idle.connection_bytes(served)
    async with serving(url, folder, key, redis_url) as served:
        figures += await idle.measure(served, tables, tokens, connection, progress)
    return figures


def _enough(games: Iterator[RecordedGame], tables: int, *, moves: int = 0) -> list[RecordedGame]:
    """At least so many tables, with at least so many moves together."""
    enough: list[RecordedGame] = []
    found = 0
    while len(enough) < tables or found < moves:
        enough.append(next(games))
        found += len(enough[-1].moves)
    return enough
