"""For auditors: how fast files and the database are verified on one core, and a very long history leaves the server."""

import asyncio
import hashlib
import statistics
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle, pairwise
from pathlib import Path
from time import perf_counter, process_time

import msgspec

from domain.events import PlayerJoined
from domain.evolve import fold
from domain.history import Record, first_hash, header, line, records, trailer
from domain.rulesets import RULES_VERSION
from infra.clock import SystemClock
from infra.event_store import Append, NewGame
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.inspection import Inspection
from infra.postgres.pool import Database
from infra.signing import SigningKeys
from services.audit.database import DatabaseAudit
from services.audit.files import check_file
from services.audit.signatures import signature_of
from services.bench.figures import Figure, figure
from services.bench.load import question
from services.bench.recorded import RecordedGame
from services.bench.serving import Served
from services.games.live_game import summary_of
from services.games.pages import pages
from services.games.sealing import seal_over
from services.identity.access import AccessTokens

ROUNDS = 5
EVENTS = 60_000
_MOVE = timedelta(seconds=1)
"""Of the long history; no game comes near it."""

_BEGIN_SECONDS = 30.0
_PART = 1 << 18


def verifying(editions: dict[str, list[RecordedGame]], keys: SigningKeys) -> Figure:
    """Whole games of all editions as files, each with all its checks."""
    with tempfile.TemporaryDirectory(prefix="bohnanza-bench-") as folder:
        files = [
            _file(Path(folder), name, number, game, keys)
            for name, games in editions.items()
            for number, game in enumerate(games)
        ]
        events = sum(len(game.events) for games in editions.values() for game in games)
        of = signature_of(keys.public)

        def verify() -> None:
            for file in files:
                if not check_file(file, of).ok:
                    message = "a recorded game is not right"
                    raise RuntimeError(message)

        def hash_lines() -> None:
            for file in files:
                head = b""
                for text in file.read_bytes().splitlines():
                    head = hashlib.sha256(head + text).digest()

        checked, hashed = min(_timed(verify)), min(_timed(hash_lines))
    return figure(
        "verifying files", events / checked, "events/s", events / hashed, "hashing their lines alone", least=60_000
    )


async def verifying_database(url: str, editions: dict[str, list[RecordedGame]], keys: SigningKeys) -> Figure:
    """The same games as they are stored, each with all its checks, and every column of every row. What the processor
    has to do is measured: one core."""
    database = await Database.open(url, patience=_BEGIN_SECONDS)
    store = PostgresEventStore(database)
    try:
        inspection = Inspection(database)
        audit = DatabaseAudit(inspection, keys.public, SystemClock())
        games = [await _store_ended(store, game, keys) for recorded in editions.values() for game in recorded]
        events = sum(len(game.events) for recorded in editions.values() for game in recorded)
        checked, reads = [], []
        for _ in range(ROUNDS):
            begin = process_time()
            for game in games:
                if not (await audit.game(game)).ok:
                    message = "a recorded game is not right in the database"
                    raise RuntimeError(message)
            checked.append(process_time() - begin)
            begin = process_time()
            for game in games:
                async with inspection.game(game) as rows:
                    async for _row in rows.events():
                        pass
            reads.append(process_time() - begin)
    finally:
        await store.close()
        await database.close()
    return figure(
        "verifying the database",
        events / min(checked),
        "events/s",
        events / min(reads),
        "reading its rows alone",
        least=60_000,
    )


async def exporting(url: str, served: Served, game: RecordedGame, tokens: AccessTokens) -> Figure:
    """A history of so many events that the beginning of an answer weighs nothing."""
    database = await Database.open(url, patience=_BEGIN_SECONDS)
    store = PostgresEventStore(database)
    try:
        last = await _store_long(store, game)
        token = tokens.issue(game.players[0])
        path = f"/v1/games/{game.game}/export"
        size = await _download(served.port, path, token)
        downloads, reads = [], []
        for _ in range(ROUNDS):
            begin = perf_counter()
            await _download(served.port, path, token)
            downloads.append(perf_counter() - begin)
            begin = perf_counter()
            async for _page in pages(store, game.game, last):
                pass
            reads.append(perf_counter() - begin)
    finally:
        await store.close()
        await database.close()
    megabytes = size / 1e6
    return figure(
        "exporting a long history",
        megabytes / statistics.median(downloads),
        "MB/s",
        megabytes / statistics.median(reads),
        "reading its rows alone",
        least=50,
    )


def _timed(run: Callable[[], None]) -> Iterator[float]:
    for _ in range(ROUNDS):
        begin = perf_counter()
        run()
        yield perf_counter() - begin


def _file(folder: Path, name: str, number: int, game: RecordedGame, keys: SigningKeys) -> Path:
    start = header(game.game, name, RULES_VERSION)
    history = _history(start, game)
    lines = [line(record.version, record.at, record.seat, record.payload) for record in history]
    head = history[-1].hash
    signed = keys.sign(head)
    path = folder / f"{name}-{number}.jsonl"
    path.write_bytes(b"".join(text + b"\n" for text in [start, *lines, trailer(head, signed.key, signed.signature)]))
    return path


def _history(start: bytes, game: RecordedGame) -> list[Record]:
    """All of it at one moment."""
    history: list[Record] = []
    at = datetime.now(UTC)
    for version, (seat, event) in enumerate(zip(_actors(game), game.events, strict=True), 1):
        previous = history[-1].hash if history else first_hash(start)
        history += records(previous, version - 1, at, seat, [event])
    return history


async def _store_ended(store: PostgresEventStore, game: RecordedGame, keys: SigningKeys) -> str:
    """With its seal; its id."""
    state = fold(game.game, game.events)
    start = header(game.game, state.ruleset, state.rules_version)
    history = _history(start, game)
    append = Append(game.game, 0, history, summary_of(state), None)
    await store.create(NewGame(append, first_hash(start), game.seed, None))
    await store.add_seal(game.game, seal_over(history[-1], keys.sign))
    return game.game


def _actors(game: RecordedGame) -> Iterator[int]:
    """Who acted, for each event."""
    for event in game.events[: game.opening]:
        yield event.seat if isinstance(event, PlayerJoined) else 0
    yield from [0] * (game.started - game.opening)
    version = game.started
    for move in game.moves:
        yield from [move.seat] * (move.version - version)
        version = move.version


async def _store_long(store: PostgresEventStore, game: RecordedGame) -> int:
    """Its moves over and over, at the pace of quick players, as if they could; the last version."""
    state = fold(game.game, game.events[: game.started])
    head, at = first_hash(header(game.game, state.ruleset, state.rules_version)), datetime.now(UTC)
    start, history = head, records(head, 0, at, 0, game.events[: game.started])
    spans = pairwise([game.started, *(move.version for move in game.moves)])
    for move, (first, _) in cycle(zip(game.moves, spans, strict=True)):
        if len(history) >= EVENTS:
            break
        at += _MOVE
        history += records(history[-1].hash, len(history), at, move.seat, game.events[first : move.version])
    over = msgspec.structs.replace(summary_of(state), status="abandoned")
    await store.create(NewGame(Append(game.game, 0, history, over, None), start, game.seed, None))
    return len(history)


async def _download(port: int, path: str, token: str) -> int:
    """Its length in bytes, with the few of the chunked coding."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_PART)
    try:
        writer.write(question(path, token).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError("a finished game could not be exported")
        size = 0
        while part := await reader.read(_PART):
            size += len(part)
        return size
    finally:
        writer.close()
        await writer.wait_closed()
