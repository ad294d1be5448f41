"""Real servers for the whole run: an own Postgres and an own Valkey for every worker, started when first asked for."""

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis.configuration import set_hypothesis_home_dir

from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey
from infra.settings import PREFIX, TEST_PREFIX
from tests.servers import DatabaseServer, GivenServer, run_sql, with_database

GIVEN = f"{TEST_PREFIX}DATABASE_URL"


def pytest_configure(config: pytest.Config) -> None:
    """No setting of the person who starts the tests may change what they test."""
    set_hypothesis_home_dir(config.rootpath / ".cache" / "hypothesis")
    for name in list(os.environ):
        if name.startswith(PREFIX) and not name.startswith(TEST_PREFIX):
            del os.environ[name]


def pytest_report_header() -> str:
    """Which database the tests use, without its password."""
    return (
        f"database: the one in {GIVEN}"
        if GIVEN in os.environ
        else f"database: embedded Postgres ({GIVEN} names another)"
    )


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatabaseServer]:
    """A Postgres for the session."""
    if GIVEN in os.environ:
        yield GivenServer(os.environ[GIVEN])
        return
    with EmbeddedPostgres(tmp_path_factory.mktemp("servers")) as postgres:
        yield postgres


@pytest.fixture
def empty_url(postgres_server: DatabaseServer) -> Iterator[str]:
    """A database in which nothing is, for its owner."""
    name = f"empty_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    yield with_database(postgres_server.url, name)
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey for the session."""
    with EmbeddedValkey(tmp_path_factory.mktemp("servers")) as valkey:
        yield valkey.url


@pytest.fixture
def spaced(tmp_path: Path) -> Path:
    """A folder whose path has a space."""
    folder = tmp_path / "with a space"
    folder.mkdir()
    return folder
