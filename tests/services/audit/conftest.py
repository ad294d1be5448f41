"""Stores of these tests' own: in memory, and a database for each test."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import asyncpg
import pytest

from infra.postgres.migrate import upgrade
from infra.postgres.pool import Database, RecordConnection
from tests.infra.conftest import anchor_store, database, database_url, event_store, owner, postgres_store, template
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.audit.archive import Archive, build

__all__ = ["anchor_store", "database", "database_url", "event_store", "owner", "postgres_store", "template"]


@pytest.fixture(scope="session")
def archived(postgres_server: DatabaseServer) -> Iterator[tuple[str, Archive]]:
    """The name of a database with games and anchors, and what is in it."""
    name = f"archive_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    yield name, asyncio.run(build(url))
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
def archive(archived: tuple[str, Archive]) -> Archive:
    """What is in the database of `archive_url`."""
    return archived[1]


@pytest.fixture
def archive_url(postgres_server: DatabaseServer, archived: tuple[str, Archive]) -> Iterator[str]:
    """A copy of it for one test, for its owner."""
    name = f"test_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name} template {archived[0]}")
    yield with_database(postgres_server.url, name)
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
async def archive_database(archive_url: str) -> AsyncIterator[Database]:
    """A pool on that copy, as the application uses it."""
    database = await Database.open(archive_url)
    yield database
    await database.close()


@pytest.fixture
async def archive_owner(archive_url: str) -> AsyncIterator[RecordConnection]:
    """The owner of that copy."""
    connection = await asyncpg.connect(archive_url)
    yield connection
    await connection.close()
