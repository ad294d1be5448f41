"""Every test here runs over a store in memory and over a real database, with several processes on it."""

import random
from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import pytest

from infra.memory.event_store import MemoryEventStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database
from tests.infra.conftest import template
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.games.stores import Staggered
from tests.services.games.tables import World

__all__ = ["template"]

PROCESSES = 3


@pytest.fixture(scope="session")
def shared_url(postgres_server: DatabaseServer, template: str) -> Iterator[str]:
    """One database for all these tests: none of them looks at a game that it has not created itself."""
    name = f"games_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name} template {template}")
    yield with_database(postgres_server.url, name)
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture(params=["memory", "postgres"])
def url_of_store(request: pytest.FixtureRequest) -> str | None:
    """The database of the test; None: none."""
    if request.param == "memory":
        return None
    url: str = request.getfixturevalue("shared_url")
    return url


@pytest.fixture
def memory_world() -> World:
    """For tests that count steps or look into the store: all in memory."""
    memory = MemoryEventStore()
    return World([Staggered(memory, random.Random(number)) for number in range(PROCESSES)])


@pytest.fixture
async def world(url_of_store: str | None, memory_world: World) -> AsyncIterator[World]:
    """One log, and a way to it for each of several processes."""
    if url_of_store is None:
        yield memory_world
        return
    databases = [await Database.open(url_of_store, size=3) for _ in range(PROCESSES)]
    stores = [PostgresEventStore(database) for database in databases]
    yield World(stores, entropy=uuid4().int)
    for store, database in zip(stores, databases, strict=True):
        await store.close()
        await database.close()
