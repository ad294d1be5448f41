"""A database that goes away: callers are told so within bounds, nothing is half stored or stored twice,
and everything works again when it is back."""

import asyncio
import math
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from infra.embedded.postgres import EmbeddedPostgres
from infra.event_store import StoreFault, StoreUnavailable
from infra.postgres.errors import translate
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import upgrade
from infra.postgres.pool import Database, RecordConnection
from tests.infra.games import Game, assert_chain, created
from tests.infra.proxy import Proxy

PATIENCE = 20.0


@pytest.fixture
async def proxy(database_url: str) -> AsyncIterator[Proxy]:
    async with Proxy(database_url) as proxy:
        yield proxy


@pytest.fixture
async def wired(proxy: Proxy) -> AsyncIterator[PostgresEventStore]:
    """A store whose only connection goes through the proxy."""
    database = await Database.open(proxy.url, size=1, patience=1.0)
    store = PostgresEventStore(database)
    yield store
    await store.close()
    await database.close()


async def warmed_up(store: PostgresEventStore) -> Game:
    """A game, and a connection on which the append is prepared: the next thing that it sends is an append."""
    game = await created(store)
    append = game.following()
    assert await store.append(append)
    game.accept(append)
    return game


async def until_receipted(store: PostgresEventStore, game: Game, key: str) -> None:
    """Returns when the append with that key is committed."""
    async with asyncio.timeout(PATIENCE):
        while await store.receipt(game.game, game.host, key) is None:  # noqa: ASYNC110 - the database sets no event here
            await asyncio.sleep(0.001)


@pytest.fixture
def server() -> Iterator[EmbeddedPostgres]:
    """A server of its own, for a test that ends it. In a short path its socket lies in its own folder, and its
    address is the same after a restart."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, EmbeddedPostgres(Path(folder)) as server:
        upgrade(server.url)
        yield server


async def test_an_append_is_one_round_trip_and_so_is_every_other_call(wired: PostgresEventStore, proxy: Proxy) -> None:
    game = await warmed_up(wired)
    append = game.following(3, key="key")
    before = proxy.round_trips
    assert await wired.append(append)
    game.accept(append)
    assert proxy.round_trips - before == 1

    games = [await created(wired) for _ in range(10)]
    before = proxy.round_trips
    assert all(await asyncio.gather(*(wired.append(game.following(2)) for game in games)))
    assert proxy.round_trips - before == 1

    await wired.read(game.game)
    before = proxy.round_trips
    await wired.read(game.game)
    assert proxy.round_trips - before == 1


async def test_the_server_sees_one_transaction_an_append(wired: PostgresEventStore, owner: RecordConnection) -> None:
    statements = []
    game = await created(wired)
    async with wired._database._pool.acquire() as connection:
        connection.add_query_logger(lambda query: statements.append(query.query))
    for _ in range(5):
        append = game.following(2, key=f"{game.version}")
        assert await wired.append(append)
        game.accept(append)
    assert len(statements) == 5
    assert len(set(statements)) == 1
    assert await owner.fetchval("select count(distinct xmin::text) from events where game = $1", game.game) == 6


async def test_a_crash_between_commit_and_answer_leaves_a_receipt(
    wired: PostgresEventStore, proxy: Proxy, postgres_store: PostgresEventStore
) -> None:
    game = await warmed_up(wired)
    append = game.following(2, key="key")
    proxy.holds_answers = True
    asking = asyncio.ensure_future(wired.append(append))
    await until_receipted(postgres_store, game, "key")
    proxy.cut()
    with pytest.raises(StoreUnavailable):
        await asking
    proxy.holds_answers = False
    assert await wired.receipt(game.game, game.host, "key") == append.receipt
    assert not await wired.append(append)
    assert await wired.read(game.game) == game.records + append.records


async def test_an_answer_that_never_comes_is_waited_for_within_bounds(wired: PostgresEventStore, proxy: Proxy) -> None:
    game = await warmed_up(wired)
    proxy.holds_answers = True
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await wired.append(game.following(key="key"))
    assert time.monotonic() - began < 5
    proxy.holds_answers = False
    proxy.cut()
    async with asyncio.timeout(PATIENCE):
        assert (await wired.receipt(game.game, game.host, "key")) is not None


async def test_connections_killed_in_mid_flight_lose_and_double_nothing(
    postgres_store: PostgresEventStore, owner: RecordConnection
) -> None:
    games = [await created(postgres_store) for _ in range(12)]
    unavailable = 0
    is_over = False

    async def play(game: Game) -> int:
        """So many appends; more than forty only if nobody has noticed a kill by then."""
        nonlocal unavailable
        number = 0
        while number < 40 or not unavailable:
            append = game.following(1 + number % 3, key=f"{number}")
            stored = False
            while not stored:
                try:
                    stored = await postgres_store.append(append)
                    if not stored:
                        # The answer to an earlier copy was lost.
                        assert await postgres_store.receipt(game.game, game.host, f"{number}") == append.receipt
                        stored = True
                except StoreUnavailable:
                    unavailable += 1
            game.accept(append)
            number += 1
        return number

    async def kill() -> None:
        while not is_over:
            await owner.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bohnanza'"
            )
            await asyncio.sleep(0.1)

    killer = asyncio.ensure_future(kill())
    async with asyncio.timeout(PATIENCE):
        played = await asyncio.gather(*map(play, games))
    is_over = True
    await killer
    for game, appends in zip(games, played, strict=True):
        assert await postgres_store.read(game.game) == game.records
        assert_chain(game.game, game.records)
        assert await owner.fetchval("select count(*) from receipts where game = $1", game.game) == appends


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL])
async def test_a_server_restarted_under_load_is_found_again(server: EmbeddedPostgres, how: signal.Signals) -> None:
    database = await Database.open(server.url, size=4, patience=2.0)
    store = PostgresEventStore(database)
    games = [await created(store) for _ in range(8)]
    goals: list[float] = [math.inf] * len(games)
    slowest = 0.0

    async def play(number: int, game: Game) -> None:
        nonlocal slowest
        while game.version < goals[number]:
            append = game.following(key=f"{game.version}")
            began = time.monotonic()
            try:
                stored = await store.append(append)
                stored = stored or await store.receipt(game.game, game.host, f"{game.version}") == append.receipt
            except StoreUnavailable:
                stored = False
                await asyncio.sleep(0.01)
            slowest = max(slowest, time.monotonic() - began)
            if stored:
                game.accept(append)

    players = [asyncio.ensure_future(play(*place)) for place in enumerate(games)]
    await asyncio.sleep(0.3)
    assert server.pid is not None
    os.kill(server.pid, how)
    await asyncio.to_thread(server.stop)
    await asyncio.sleep(0.2)
    goals[:] = [game.version + 10 for game in games]
    await asyncio.to_thread(server.start)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*players)
    assert slowest < 6
    for game in games:
        assert await store.read(game.game) == game.records
        assert_chain(game.game, game.records)
    await store.close()
    await database.close()


async def test_an_idle_pool_works_at_once_after_a_restart(server: EmbeddedPostgres) -> None:
    database = await Database.open(server.url, size=4, patience=2.0)
    await asyncio.gather(*(database.ping() for _ in range(4)))
    await asyncio.to_thread(server.stop)
    with pytest.raises(StoreUnavailable):
        await database.ping()
    await asyncio.to_thread(server.start)
    await asyncio.gather(*(database.ping() for _ in range(8)))
    await database.close()


async def test_a_server_that_is_not_there_is_said_to_be_unavailable(tmp_path: Path) -> None:
    for url in (f"postgresql://nobody@/none?host={tmp_path}", "postgresql://nobody:none@127.0.0.1:1/none"):
        database = await Database.open(url, patience=1.0)
        with pytest.raises(StoreUnavailable):
            await database.ping()
        await database.close()


async def test_a_pool_in_use_is_waited_for_within_bounds(database_url: str, owner: RecordConnection) -> None:
    database = await Database.open(database_url, size=1, patience=0.5)
    store = PostgresEventStore(database)
    game = await created(store)
    async with owner.transaction():
        await owner.execute("select from games where game = $1 for update", game.game)
        began = time.monotonic()
        answers = await asyncio.gather(
            store.append(game.following()), store.read(game.game), database.ping(), return_exceptions=True
        )
        assert time.monotonic() - began < 3
        assert isinstance(answers[0], StoreUnavailable)
    assert await store.append(game.following())
    await store.close()
    await database.close()


async def test_a_closed_store_is_unavailable(database_url: str) -> None:
    database = await Database.open(database_url)
    store = PostgresEventStore(database)
    game = await created(store)
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.append(game.following())
    await database.close()
    with pytest.raises(StoreUnavailable):
        await store.read(game.game)


UNAVAILABLE: list[Exception] = [
    asyncpg.DiskFullError(""),
    asyncpg.OutOfMemoryError(""),
    asyncpg.TooManyConnectionsError(""),
    asyncpg.AdminShutdownError(""),
    asyncpg.CrashShutdownError(""),
    asyncpg.CannotConnectNowError(""),
    asyncpg.QueryCanceledError(""),
    asyncpg.ConnectionDoesNotExistError(""),
    asyncpg.ConnectionFailureError(""),
    asyncpg.PostgresIOError(""),
    asyncpg.ReadOnlySQLTransactionError(""),
    asyncpg.DeadlockDetectedError(""),
    asyncpg.SerializationError(""),
    asyncpg.LockNotAvailableError(""),
    asyncpg.InvalidPasswordError(""),
    asyncpg.InvalidCatalogNameError(""),
    asyncpg.InterfaceError("pool is closing"),
    asyncpg.InternalClientError("unexpected"),
    ConnectionRefusedError(),
    ConnectionResetError(),
    FileNotFoundError(),
    TimeoutError(),
]
FAULTS: list[Exception] = [
    asyncpg.UniqueViolationError(""),
    asyncpg.CheckViolationError(""),
    asyncpg.UndefinedTableError(""),
    asyncpg.InsufficientPrivilegeError(""),
    asyncpg.CharacterNotInRepertoireError(""),
    asyncpg.PostgresSyntaxError(""),
    asyncpg.DataError(""),
]


@pytest.mark.parametrize("error", UNAVAILABLE, ids=lambda error: type(error).__name__)
def test_what_passes_by_itself_is_unavailable(error: Exception) -> None:
    assert type(translate(error)) is StoreUnavailable


@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
def test_what_would_fail_again_is_a_fault(error: Exception) -> None:
    assert type(translate(error)) is StoreFault
