"""The embedded Postgres: where it can live, what survives, and what it says when it cannot start."""

import asyncio
import json
import os
import signal
import socket
import stat
from pathlib import Path

import asyncpg
import psutil
import pytest

from infra.embedded.failures import ServerFailed
from infra.embedded.postgres import EmbeddedPostgres
from infra.postgres.migrate import check, upgrade
from tests.servers import wait_until


async def ask(url: str, sql: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_it_keeps_its_data_over_a_restart_in_a_folder_with_a_space(spaced: Path) -> None:
    with EmbeddedPostgres(spaced) as postgres:
        await run(postgres.url, "create table kept (bean text)", "insert into kept values ('soy')")

    with EmbeddedPostgres(spaced) as postgres:
        assert await ask(postgres.url, "select bean from kept") == "soy"


def test_a_path_too_long_for_a_socket_gets_a_short_one_that_is_removed_again(tmp_path: Path) -> None:
    deep = tmp_path / ("long" * 25)
    deep.mkdir()
    postgres = EmbeddedPostgres(deep)

    with postgres:
        assert asyncio.run(ask(postgres.url, "select 1")) == 1
        folder = Path(json.loads((postgres.home / "socket.json").read_text()))
        assert sorted(path.name for path in folder.iterdir()) == [".s.PGSQL.5432", ".s.PGSQL.5432.lock"]
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    assert not folder.exists()


async def test_it_is_durable_and_in_utc(postgres_server: EmbeddedPostgres) -> None:
    assert await ask(postgres_server.url, "select current_setting('fsync')") == "on"
    assert await ask(postgres_server.url, "select current_setting('synchronous_commit')") == "on"
    assert await ask(postgres_server.url, "select current_setting('timezone')") == "UTC"


async def test_what_was_committed_survives_the_death_of_the_server(spaced: Path) -> None:
    with EmbeddedPostgres(spaced) as postgres:
        await run(postgres.url, "create table kept (bean text)", "insert into kept values ('soy')")
        assert postgres.pid is not None
        os.kill(postgres.pid, signal.SIGKILL)
        wait_until(lambda: postgres.exit_code is not None, 5, "the server is dead")

    with EmbeddedPostgres(spaced) as postgres:
        assert await ask(postgres.url, "select bean from kept") == "soy"


async def test_without_a_port_nothing_listens_on_the_network(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as postgres:
        connections = psutil.Process(postgres.pid).net_connections("inet")

    assert connections == []


async def test_with_a_port_it_also_listens_on_the_loopback_address(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    with EmbeddedPostgres(tmp_path, port) as postgres:
        listening = {connection.laddr for connection in psutil.Process(postgres.pid).net_connections("inet")}
        password = (tmp_path / "postgres" / "password").read_text().strip()
        over_network = f"postgresql://bohnanza:{password}@127.0.0.1:{port}/bohnanza"
        assert await ask(over_network, "select 1") == 1
        with pytest.raises(asyncpg.InvalidPasswordError):
            await ask(over_network.replace(password, "guessed"), "select 1")

    assert listening == {("127.0.0.1", port)}


def test_its_files_and_password_are_for_their_owner_alone(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as postgres:
        assert stat.S_IMODE(postgres.home.stat().st_mode) == 0o700
        assert stat.S_IMODE((postgres.home / "password").stat().st_mode) == 0o600
        assert psutil.Process(postgres.pid).uids().effective != 0


def test_the_login_of_the_api_may_no_more_than_the_application_needs(tmp_path: Path) -> None:
    async def look(url: str) -> None:
        connection = await asyncpg.connect(url, server_settings={"role": "bohnanza_app"})
        try:
            await connection.execute("reset role")
            await connection.execute("set role none")
            assert await connection.fetchval("select session_user") == "bohnanza_api"
            rights = await connection.fetchrow(
                """select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls
                   from pg_roles where rolname = current_user"""
            )
            assert rights is not None
            assert tuple(rights) == (False,)
            for forbidden in (
                "set role bohnanza",
                "set session authorization bohnanza",
                "delete from events",
                "drop table events",
                "alter table events disable trigger all",
                "update alembic_version set version_num = '9'",
                "create table mine (bean text)",
                "select pg_read_file('PG_VERSION')",
            ):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await connection.execute(forbidden)
        finally:
            await connection.close()

    with EmbeddedPostgres(tmp_path) as postgres:
        upgrade(postgres.url)
        url = postgres.api_login()
        asyncio.run(look(url))
        assert check(url) == "current"
        assert stat.S_IMODE((postgres.home / "api-password").stat().st_mode) == 0o600
        # What it was given by mistake is taken away by the next start.
        asyncio.run(run(postgres.url, "alter role bohnanza_api superuser"))

    with EmbeddedPostgres(tmp_path) as postgres:
        assert postgres.api_login() == url
        asyncio.run(look(url))


async def test_a_note_of_a_dead_server_whose_number_another_program_has_now_is_no_hindrance(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as postgres:
        note = (postgres.cluster / "postmaster.pid").read_text().splitlines()
    owner = postgres.cluster.stat()
    stale = postgres.cluster / "postmaster.pid"
    stale.write_text("\n".join([str(os.getpid()), *note[1:]]) + "\n")
    os.chown(stale, owner.st_uid, owner.st_gid)

    with EmbeddedPostgres(tmp_path) as postgres:
        assert await ask(postgres.url, "select 1") == 1


def test_a_second_server_on_the_same_folder_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as first:
        with pytest.raises(ServerFailed, match="is in use by another process"):
            EmbeddedPostgres(tmp_path).start()
        assert first.exit_code is None


async def test_an_interrupted_first_start_is_begun_anew(tmp_path: Path) -> None:
    half = tmp_path / "postgres" / "cluster.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")

    with EmbeddedPostgres(tmp_path) as postgres:
        assert await ask(postgres.url, "select current_database()") == "bohnanza"


def test_a_start_that_fails_says_why(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as postgres:
        configuration = postgres.cluster / "postgresql.conf"
    configuration.write_text("nonsense = 'on'\n")

    with pytest.raises(ServerFailed) as failed:
        EmbeddedPostgres(tmp_path).start()

    assert str(failed.value).startswith("Postgres did not start.")
    assert 'unrecognized configuration parameter "nonsense"' in str(failed.value)


def test_data_of_another_major_version_is_named(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path) as postgres:
        version = postgres.cluster / "PG_VERSION"
    version.write_text("99\n")

    with pytest.raises(ServerFailed, match=r"was made by Postgres 99, and this program brings Postgres 18"):
        EmbeddedPostgres(tmp_path).start()
