"""A migrated database for every test that asks for one."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from infra.postgres.migrate import upgrade
from tests.servers import DatabaseServer, run_sql, with_database


@pytest.fixture
def database_url(postgres_server: DatabaseServer) -> Iterator[str]:
    """Its address, for its owner."""
    name = f"system_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    yield url
    run_sql(postgres_server.url, f"drop database {name} with (force)")
