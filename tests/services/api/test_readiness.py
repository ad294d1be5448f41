"""Readiness says which of the things outside is missing and why, without a secret, and never holds up the end."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import asyncpg
import pytest

from infra.event_store import StoreFault, StoreUnavailable
from infra.postgres.migrate import SchemaState, schema_state, upgrade
from infra.postgres.pool import Database
from services.api.readiness import Readiness
from tests.servers import run_sql


async def there() -> None:
    """A database that answers."""


async def current() -> SchemaState:
    return "current"


async def details(readiness: Readiness) -> dict[str, str]:
    try:
        return {row.name: row.detail for row in await readiness() if row.name in ("database", "schema")}
    finally:
        await readiness.close()


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (StoreUnavailable("ConnectionRefusedError"), "not reachable (ConnectionRefusedError)"),
        (StoreFault("X (42501)"), "refused (X (42501)); is the login a member of bohnanza_app?"),
    ],
)
async def test_a_database_that_refuses_is_told_from_one_that_is_not_there(error: Exception, detail: str) -> None:
    async def fails() -> None:
        raise error

    assert await details(Readiness(fails, current, None, lambda: True)) == {"database": detail, "schema": "current"}


@asynccontextmanager
async def logged_in(url: str, name: str) -> AsyncIterator[Readiness]:
    before, _, after = url.partition("@")
    scheme = before.partition("//")[0]
    address = f"{scheme}//{name}:secret@{after}"
    database = await Database.open(address)
    yield Readiness(database.ping, partial(schema_state, address), None, lambda: True)
    await database.close()


async def test_what_a_login_sees_that_is_no_member_and_one_that_is(empty_url: str) -> None:
    name = f"stranger_{time.time_ns()}"
    await asyncio.to_thread(upgrade, empty_url)
    await asyncio.to_thread(run_sql, empty_url, f"create role {name} login password 'secret'")
    try:
        refused = "refused (InsufficientPrivilegeError (42501)); is the login a member of bohnanza_app?"
        async with logged_in(empty_url, name) as readiness:
            assert await details(readiness) == {"database": refused, "schema": f"not known: {refused}"}

        await asyncio.to_thread(run_sql, empty_url, f"grant bohnanza_app to {name}")
        async with logged_in(empty_url, name) as readiness:
            assert await details(readiness) == {"database": "reachable", "schema": "current"}
    finally:
        await asyncio.to_thread(run_sql, empty_url, f"drop role {name}")


async def test_a_login_that_owns_nothing_finds_an_empty_database_and_leaves_it_empty(empty_url: str) -> None:
    name = f"stranger_{time.time_ns()}"
    await asyncio.to_thread(run_sql, empty_url, f"create role {name} login password 'secret'")
    try:
        async with logged_in(empty_url, name) as readiness:
            assert (await details(readiness))["schema"] == "missing; run `bohnanza migrate`"
        connection = await asyncpg.connect(empty_url)
        assert await connection.fetchval("select count(*) from pg_tables where schemaname = 'public'") == 0
        await connection.close()
    finally:
        await asyncio.to_thread(run_sql, empty_url, f"drop role {name}")


async def test_an_address_that_cannot_be_read_is_an_answer_without_its_password() -> None:
    url = "postgresql://user:hidden/word@127.0.0.1/db"
    database = await Database.open(url)
    assert await details(Readiness(database.ping, partial(schema_state, url), None, lambda: True)) == {
        "database": "not reachable (ValueError)",
        "schema": "not known: not reachable (ValueError)",
    }
    await database.close()


async def test_a_question_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.api.readiness.PATIENCE", 0.05)

    async def hangs() -> SchemaState:
        await asyncio.Event().wait()
        return "current"

    begun = time.monotonic()
    async with asyncio.timeout(10):
        told = await details(Readiness(there, hangs, None, lambda: True))
    assert told["schema"] == "not known: no answer yet"
    assert time.monotonic() - begun < 1


async def test_redis_being_away_is_told_and_a_hub_that_does_not_work_makes_unready() -> None:
    for connected, works in itertools.product((True, False), repeat=2):
        rows = await Readiness(there, current, lambda: connected, lambda: works)()  # noqa: B023 - asked at once
        told = {row.name: (row.ok, row.required) for row in rows}
        assert told["redis"] == (connected, False)
        assert told["live"] == (works, True)
