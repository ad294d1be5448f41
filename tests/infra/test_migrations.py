"""Schema changes: whole or not at all, by one process at a time, and never on a database of the future."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import asyncpg
import pytest
from alembic import command

from infra.event_store import StoreUnavailable
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import SchemaTooNew, check, upgrade
from infra.postgres.pool import Database
from tests.infra.games import assert_chain, created
from tests.servers import run_sql

ROOT = Path(__file__).parents[2]
EARLIER = """insert into games (
                 game, version, status, ruleset, seats, visibility, host, players, header_hash, head_hash, created_at
             )
             select gen_random_uuid(), 1, 'ended', 'classic', 1, 'public', gen_random_uuid(), array[gen_random_uuid()],
                 sha256('header'), sha256('head'), now()"""
UPGRADE = "import sys; from infra.postgres.migrate import upgrade; upgrade(sys.argv[1])"


async def query(url: str, sql: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(sql)
    finally:
        await connection.close()


async def play(url: str) -> None:
    """Makes a game and moves it on."""
    database = await Database.open(url)
    store = PostgresEventStore(database)
    game = await created(store)
    assert await store.append(game.following(3, key="key"))
    assert_chain(game.game, await store.read(game.game))
    await store.close()
    await database.close()


def test_an_empty_database_is_brought_up_and_works(empty_url: str) -> None:
    assert check(empty_url) == "empty"
    upgrade(empty_url)
    assert check(empty_url) == "current"
    asyncio.run(play(empty_url))


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_a_database_of_an_earlier_version_keeps_what_it_holds(
    empty_url: str, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    to_revision = command.upgrade
    monkeypatch.setattr("infra.postgres.migrate.command.upgrade", lambda config, _: to_revision(config, revision))
    upgrade(empty_url)
    monkeypatch.undo()
    assert check(empty_url) == "behind"
    asyncio.run(query(empty_url, EARLIER))
    upgrade(empty_url)
    assert check(empty_url) == "current"
    [row] = asyncio.run(query(empty_url, "select (select count(*) from games), (select count(*) from tickets)"))
    assert tuple(row) == (1, 0)
    asyncio.run(play(empty_url))


def test_a_second_time_changes_nothing(database_url: str) -> None:
    asyncio.run(play(database_url))
    schema = "select * from information_schema.columns where table_schema = 'public' order by table_name, column_name"
    before = asyncio.run(query(database_url, schema))
    upgrade(database_url)
    upgrade(database_url)
    assert asyncio.run(query(database_url, schema)) == before
    [row] = asyncio.run(query(database_url, "select count(*) from games"))
    assert row[0] == 1


def test_processes_that_start_together_do_it_once(empty_url: str) -> None:
    starting = [subprocess.Popen([sys.executable, "-c", UPGRADE, empty_url], cwd=ROOT) for _ in range(3)]
    assert [process.wait(60) for process in starting] == [0, 0, 0]
    assert check(empty_url) == "current"
    asyncio.run(play(empty_url))


def test_a_database_of_the_future_is_refused_and_left_alone(database_url: str) -> None:
    run_sql(database_url, "update alembic_version set version_num = '9999'")
    assert check(database_url) == "newer"
    with pytest.raises(SchemaTooNew, match="newer version"):
        upgrade(database_url)
    assert check(database_url) == "newer"


def test_a_failure_in_the_middle_leaves_nothing(empty_url: str) -> None:
    run_sql(empty_url, "create table receipts (something text)")
    with pytest.raises(asyncpg.DuplicateTableError):
        upgrade(empty_url)
    assert check(empty_url) == "empty"
    tables = asyncio.run(query(empty_url, "select tablename from pg_tables where schemaname = 'public'"))
    assert [row[0] for row in tables] == ["receipts"]
    run_sql(empty_url, "drop table receipts")
    upgrade(empty_url)
    assert check(empty_url) == "current"


def test_a_check_that_gets_no_answer_ends_all_the_same(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.postgres.migrate._CHECK_SECONDS", 0.3)

    async def look_while_locked() -> None:
        holder = await asyncpg.connect(database_url)
        try:
            async with holder.transaction():
                await holder.execute("lock table alembic_version in access exclusive mode")
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(asyncio.to_thread(check, database_url), 10)
        finally:
            await holder.close()

    begun = time.monotonic()
    asyncio.run(look_while_locked())
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "url", ["postgresql://user:hidden/word@127.0.0.1/db", "postgresql://user:hidden@127.0.0.1:99999/db"]
)
async def test_an_address_that_cannot_be_connected_to_is_a_database_that_is_not_there(url: str) -> None:
    database = await Database.open(url)
    with pytest.raises(StoreUnavailable, match=r"^(ValueError|OverflowError)$"):
        await database.ping()
    await database.close()
    with pytest.raises(StoreUnavailable, match=r"^(ValueError|OverflowError)$"):
        await asyncio.to_thread(check, url)


def as_user(url: str, name: str) -> str:
    before, _, after = url.partition("@")
    scheme = before.partition("//")[0]
    return f"{scheme}//{name}:secret@{after}"


def test_a_user_who_may_not_create_the_role_is_told_what_an_administrator_has_to_run(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The role belongs to the whole server and exists by now: the statement is read with another name for it."""
    name = f"plain_{time.time_ns()}"
    original = Path.read_text

    def renamed(path: Path, encoding: str | None = None) -> str:
        return original(path, encoding=encoding).replace("bohnanza_app", f"{name}_app")

    run_sql(empty_url, f"create role {name} login password 'secret'; grant all on schema public to {name}")
    try:
        monkeypatch.setattr(Path, "read_text", renamed)
        with pytest.raises(asyncpg.InsufficientPrivilegeError) as refused:
            upgrade(as_user(empty_url, name))
        assert f"CREATE ROLE {name}_app NOLOGIN; GRANT {name}_app TO {name};" in (refused.value.hint or "")
        assert str(refused.value).startswith(f'The user "{name}" may not set up the role')
        assert "An administrator has to run once" in str(refused.value)

        run_sql(empty_url, f"create role {name}_app nologin")
        with pytest.raises(asyncpg.InsufficientPrivilegeError) as refused:
            upgrade(as_user(empty_url, name))
        assert refused.value.hint == f"An administrator has to run once: GRANT {name}_app TO {name};"

        run_sql(empty_url, f"grant {name}_app to {name}")
        upgrade(as_user(empty_url, name))
        assert check(as_user(empty_url, name)) == "current"
    finally:
        run_sql(empty_url, f"drop owned by {name}, {name}_app; drop role {name}, {name}_app")


def test_a_user_who_may_create_roles_needs_no_administrator(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"creator_{time.time_ns()}"
    original = Path.read_text

    def renamed(path: Path, encoding: str | None = None) -> str:
        return original(path, encoding=encoding).replace("bohnanza_app", f"{name}_app")

    run_sql(empty_url, f"create role {name} login createrole password 'secret'; grant all on schema public to {name}")
    try:
        monkeypatch.setattr(Path, "read_text", renamed)
        upgrade(as_user(empty_url, name))
        monkeypatch.undo()
        monkeypatch.setattr("infra.postgres.pool.APPLICATION_ROLE", f"{name}_app")
        asyncio.run(play(as_user(empty_url, name)))
    finally:
        run_sql(empty_url, f"drop owned by {name}, {name}_app; drop role {name}_app, {name}")
