"""Commands a second over HTTP, beside requests of the same shape that do nothing."""

import asyncio
import os
import random
import socket
import statistics
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import msgspec
from rich.progress import Progress

from infra.clock import SystemClock
from infra.memory.clock import SeededEntropy
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database
from services.bench.figures import Figure, figure
from services.bench.load import Load, Prepared, put_load, request
from services.bench.recorded import RecordedGame, record
from services.games.games import Games
from services.games.requests import NewGameRequest
from services.identity.access import AccessTokens
from services.identity.keys import parse_keys

CLIENTS = 32
WINDOWS = 5
SEATS = 4
_START_SECONDS = 20.0
_STOP_SECONDS = 15.0


async def measure(url: str, folder: Path, seconds: float, games: int, progress: Progress) -> list[Figure]:
    """Alternating windows of commands and of nothing, on one worker with durable appends."""
    key = os.urandom(32).hex()
    tokens = AccessTokens(parse_keys(key), SystemClock(), 86_400)
    setting = progress.add_task("setting up tables", total=games)
    tables = []
    async for table in _tables(url, games):
        tables.append(table)
        progress.advance(setting)
    playing = [_moves(tables[client::CLIENTS], tokens) for client in range(CLIENTS)]
    idle = [_nothing(tables[client], tokens) for client in range(CLIENTS)]
    loading = progress.add_task("commands and nothing, in turn", total=2 * WINDOWS)
    commands: list[Load] = []
    nothing: list[Load] = []
    async with _server(url, folder, key) as port:
        await put_load(port, idle, 1.0)
        for _ in range(WINDOWS):
            nothing.append(await put_load(port, idle, seconds))
            progress.advance(loading)
            commands.append(await put_load(port, playing, seconds))
            progress.advance(loading)
    return _figures(commands, nothing)


def _figures(commands: list[Load], nothing: list[Load]) -> list[Figure]:
    ratios = [real.rate / idle.rate for real, idle in zip(commands, nothing, strict=True)]
    middle = sorted(range(WINDOWS), key=ratios.__getitem__)[WINDOWS // 2]
    what = "the same POST doing nothing"
    found = [
        figure(
            f"HTTP commands, {CLIENTS} clients",
            commands[middle].rate,
            "commands/s",
            nothing[middle].rate,
            what,
            least_ratio=0.45,
        )
    ]
    for share in (0.5, 0.99):
        real, idle = (
            statistics.median(load.percentile(share) * 1000 for load in loads) for loads in (commands, nothing)
        )
        found.append(figure(f"HTTP latency, p{share * 100:.0f}", real, "ms", idle, what))
    return found


async def _tables(url: str, count: int) -> AsyncIterator[RecordedGame]:
    """Started games in the database, and the moves that will be played in them. Their seeds are known
    here, so what will be drawn can be foreseen."""
    foreseen = SeededEntropy(1)
    dice = random.Random(1)  # noqa: S311 - a fixed course of the games, no secret
    database = await Database.open(url)
    store, players = PostgresEventStore(database), PostgresPlayerStore(database)
    service = Games(store, players, SystemClock(), SeededEntropy(1))
    try:
        for _ in range(count):
            seed, game = foreseen.token(32), str(UUID(bytes=foreseen.token(16), version=4))
            sitting = [str(UUID(bytes=dice.randbytes(16), version=4)) for _ in range(SEATS)]
            for player in sitting:
                await players.create(player, "Bench", "en", SystemClock().now())
            created = await service.create(sitting[0], NewGameRequest(seats=SEATS))
            if created.game != game:
                message = "the seed of a table was not foreseen"
                raise RuntimeError(message)
            for player in sitting[1:]:
                await service.join(game, player, None, "")
            await service.start(game, sitting[0])
            yield record(game, seed, sitting, dice)
    finally:
        await store.close()
        await database.close()


def _moves(tables: list[RecordedGame], tokens: AccessTokens) -> Iterator[Prepared]:
    """All moves of some tables, move by move around them."""
    signed = {player: tokens.issue(player) for table in tables for player in table.players}
    for table in tables:
        for number, move in enumerate(table.moves):
            body = msgspec.json.encode(move.command)
            token = signed[table.players[move.seat]]
            yield request(f"/v1/games/{table.game}/commands", token, f"move-{number}", body)


def _nothing(table: RecordedGame, tokens: AccessTokens) -> Iterator[Prepared]:
    """The moves of a table for ever, sent to the route that does nothing with them."""
    signed = [tokens.issue(player) for player in table.players]
    prepared = [
        request(
            f"/v1/games/{table.game}/nothing",
            signed[move.seat],
            f"move-{number}",
            msgspec.json.encode(move.command),
        )
        for number, move in enumerate(table.moves)
    ]
    while True:
        yield from prepared


@asynccontextmanager
async def _server(url: str, folder: Path, key: str) -> AsyncIterator[int]:
    """One worker on a port of its own."""
    port = _free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOHNANZA_")}
    environment |= {
        "BOHNANZA_DATABASE_URL": url,
        "BOHNANZA_TOKEN_KEYS": key,
        "BOHNANZA_DATA_DIR": str(folder),
        # What the server can do is measured, not what it lets one client do.
        "BOHNANZA_COMMANDS_PER_SECOND": "0",
        "BOHNANZA_REQUESTS_PER_SECOND": "0",
        "BOHNANZA_ADDRESS_REQUESTS_PER_SECOND": "0",
    }
    command = [sys.executable, "-m", "uvicorn", "--factory", "services.bench.server:create"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--loop", "uvloop", "--http", "httptools"]
    command += ["--no-access-log", "--log-level", "warning", "--no-server-header", "--no-proxy-headers"]
    process = await asyncio.create_subprocess_exec(*command, env=environment)
    try:
        await _until_it_answers(port, process)
        yield port
    finally:
        process.terminate()
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()


async def _until_it_answers(port: int, process: Process) -> None:
    async with asyncio.timeout(_START_SECONDS):
        while process.returncode is None:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                return
    message = f"the measured server ended with exit code {process.returncode}"
    raise RuntimeError(message)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
