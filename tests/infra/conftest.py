"""A database of its own for every test that asks for one, copied from one that was migrated once."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from infra.anchors import AnchorStore
from infra.event_store import EventStore
from infra.memory.anchors import MemoryAnchorStore
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from infra.players import PlayerStore
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import upgrade
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database, RecordConnection
from tests.infra.valkeys import ValkeyCluster, ValkeyProcess, free_ports
from tests.servers import DatabaseServer, run_sql, with_database


@pytest.fixture(scope="session")
def template(postgres_server: DatabaseServer) -> Iterator[str]:
    """The name of a migrated database without any row."""
    name = f"template_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    upgrade(with_database(postgres_server.url, name))
    yield name
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
def database_url(postgres_server: DatabaseServer, template: str) -> Iterator[str]:
    """A migrated database, for its owner."""
    name = f"test_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name} template {template}")
    yield with_database(postgres_server.url, name)
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A pool on that database, as the application uses it."""
    database = await Database.open(database_url)
    yield database
    await database.close()


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[RecordConnection]:
    """The owner of that database, who may do everything that anybody may."""
    connection = await asyncpg.connect(database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def postgres_store(database: Database) -> AsyncIterator[PostgresEventStore]:
    """One process's event store."""
    store = PostgresEventStore(database)
    yield store
    await store.close()


@pytest.fixture
async def second_store(database_url: str) -> AsyncIterator[PostgresEventStore]:
    """Another process's event store on the same database: its own pool, its own group commit."""
    database = await Database.open(database_url)
    store = PostgresEventStore(database)
    yield store
    await store.close()
    await database.close()


@pytest.fixture(params=["memory", "postgres"])
def event_store(request: pytest.FixtureRequest) -> EventStore:
    """Each implementation in turn."""
    if request.param == "memory":
        return MemoryEventStore()
    store: PostgresEventStore = request.getfixturevalue("postgres_store")
    return store


@pytest.fixture
def player_store(event_store: EventStore, request: pytest.FixtureRequest) -> PlayerStore:
    """Each implementation in turn, beside the event store."""
    if isinstance(event_store, MemoryEventStore):
        return MemoryPlayerStore(event_store)
    database: Database = request.getfixturevalue("database")
    return PostgresPlayerStore(database)


@pytest.fixture
def anchor_store(event_store: EventStore, request: pytest.FixtureRequest) -> AnchorStore:
    """Each implementation in turn, over the games of the event store."""
    if isinstance(event_store, MemoryEventStore):
        return MemoryAnchorStore(event_store)
    database: Database = request.getfixturevalue("database")
    return PostgresAnchorStore(database)


@pytest.fixture(scope="session")
def valkey_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyCluster]:
    """Three servers that share the work. A test that harms one heals it."""
    with ValkeyCluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ValkeyProcess]:
    """A server for one test, which may do with it what it likes."""
    with ValkeyProcess(tmp_path / "valkey", free_ports(1)[0]) as process:
        yield process
