"""The function `erase_player` in the database: the application may erase a person, and may delete nothing else."""

import asyncio
import time
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest
from alembic import command

from infra.event_store import StoreFault
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import check, upgrade
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database, RecordConnection
from tests.infra.games import NOON, new_id
from tests.infra.test_players_erasure import played, somebody
from tests.servers import run_sql

README = Path(__file__).parents[2] / "README.md"
ERASE = "select erase_player($1)"
LEFT = """
    select (select count(*) from players where player = $1) + (select count(*) from refresh_families where player = $1)
         + (select count(*) from tickets where player = $1) + (select count(*) from receipts where player = $1)
"""


@pytest.mark.parametrize("table", ["players", "receipts", "refresh_families", "erasures", "games", "events"])
async def test_the_application_may_not_delete_by_itself(database: Database, table: str) -> None:
    with pytest.raises(StoreFault, match=r"^InsufficientPrivilegeError \(42501\)"):
        await database.execute(f"delete from {table}")  # noqa: S608 - a name from above


async def test_the_application_may_not_say_that_somebody_was_erased(database: Database) -> None:
    with pytest.raises(StoreFault, match=r"^InsufficientPrivilegeError \(42501\)"):
        await database.execute("insert into erasures values ($1::uuid, $2::timestamptz)", new_id(), NOON)


async def test_the_application_may_erase_and_nobody_else_may(database: Database, owner: RecordConnection) -> None:
    players = PostgresPlayerStore(database)
    player, _ = await somebody(players)
    stranger = f"stranger_{time.time_ns()}"
    await owner.execute(f"create role {stranger}; grant usage on schema public to {stranger}")
    try:
        await owner.execute(f"set role {stranger}")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="erase_player"):
            await owner.execute(ERASE, player)
        await owner.execute("reset role")
        assert await players.get(player) is not None
        assert await players.erase(player)
    finally:
        await owner.execute(f"reset role; drop owned by {stranger}; drop role {stranger}")


async def test_it_acts_for_the_owner_of_the_tables_by_a_path_of_its_own(owner: RecordConnection) -> None:
    row = await owner.fetchrow(
        """select prosecdef, proowner = (select relowner from pg_class where oid = 'players'::regclass), proconfig
           from pg_proc where proname = 'erase_player'"""
    )
    assert row is not None
    assert tuple(row) == (True, True, ["search_path=pg_catalog, pg_temp"])


async def test_tables_that_a_caller_makes_do_not_take_the_place_of_the_real_ones(
    database: Database, postgres_store: PostgresEventStore, owner: RecordConnection
) -> None:
    player, _ = await somebody(PostgresPlayerStore(database))
    await played(postgres_store, player)
    assert await owner.fetchval(LEFT, player) == 4
    name = await owner.fetchval("select current_database()")
    await owner.execute(f'grant temporary on database "{name}" to bohnanza_app; set role bohnanza_app')
    for table in ("players", "refresh_families", "tickets", "receipts", "games", "erasures"):
        await owner.execute(f"create temporary table {table} (player uuid, game uuid, players uuid[], erased_at text)")
    assert await owner.fetchval("select erase_player($1)", player)
    await owner.execute("discard temp; reset role")
    assert await owner.fetchval(LEFT, player) == 0
    assert await owner.fetchval("select count(*) from erasures where player = $1", player) == 1


async def test_who_is_back_with_a_back_up_is_erased_anew_from_a_copy_of_the_list(
    database: Database, owner: RecordConnection
) -> None:
    """As the README tells operators to."""
    players = PostgresPlayerStore(database)
    (player, _), (other, _) = await somebody(players), await somebody(players)
    await owner.execute("create table backed_up as table players")
    await players.erase(player)
    await owner.execute("create table erased as table erasures")
    await owner.execute("truncate players, erasures; insert into players table backed_up")
    assert await players.get(player) is not None
    recipe = "select erase_player(player) from erased"
    assert f"`{recipe}`" in " ".join(README.read_text().split())
    await owner.execute(recipe)
    assert await players.get(player) is None
    assert await players.get(other) is not None
    assert [one.player for one in await players.erased_since(None, timedelta(minutes=1))] == [player]


def test_it_works_in_a_schema_other_than_public(empty_url: str) -> None:
    run_sql(empty_url, "create schema beans")
    url = f"{empty_url}{'&' if '?' in empty_url else '?'}search_path=beans"
    upgrade(url)
    assert check(url) == "current"

    async def erased() -> tuple[int, int, int]:
        database = await Database.open(url)
        events = PostgresEventStore(database)
        connection = await asyncpg.connect(url)
        try:
            player, _ = await somebody(PostgresPlayerStore(database))
            await played(events, player)
            before = await connection.fetchval(LEFT, player)
            assert await PostgresPlayerStore(database).erase(player)
            elsewhere = "select count(*) from pg_class where relnamespace = 'public'::regnamespace"
            return before, await connection.fetchval(LEFT, player), await connection.fetchval(elsewhere)
        finally:
            await connection.close()
            await events.close()
            await database.close()

    assert asyncio.run(erased()) == (4, 0, 0)


# As a program of that time wrote them: the one of today knows more tables.
EARLIER = """
    insert into games values
        ('{game}', 9, 'running', 'classic', 2, 'public', '{player}', '{{{player},{other}}}',
         decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), null, now());
    insert into receipts values ('{game}', '{player}', 'a-key', '', 8, 9), ('{game}', '{other}', 'a-key', '', 7, 7);
    insert into players values ('{player}', 'Ada', 'en', now()), ('{other}', 'Grace', 'en', now());
    insert into refresh_families values ('{player}', '{player}', '', now()), ('{other}', '{other}', '', now());
    insert into tickets values ('{player}', decode(repeat('00', 32), 'hex'), now())
"""


def test_who_played_on_an_earlier_version_can_be_erased(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    to_revision = command.upgrade
    monkeypatch.setattr("infra.postgres.migrate.command.upgrade", lambda config, _: to_revision(config, "0002"))
    upgrade(empty_url)
    monkeypatch.undo()
    player, other = new_id(), new_id()
    run_sql(empty_url, EARLIER.format(game=new_id(), player=player, other=other))
    upgrade(empty_url)
    assert asyncio.run(_erased(empty_url, player, other)) == [(4, 0), (3, 3)]


async def _erased(url: str, player: str, other: str) -> list[tuple[int, int]]:
    """How much is kept of the two before the first of them is erased, and afterwards."""
    database, connection = await Database.open(url), await asyncpg.connect(url)
    try:
        before = [await connection.fetchval(LEFT, one) for one in (player, other)]
        assert await PostgresPlayerStore(database).erase(player)
        after = [await connection.fetchval(LEFT, one) for one in (player, other)]
        return list(zip(before, after, strict=True))
    finally:
        await connection.close()
        await database.close()
