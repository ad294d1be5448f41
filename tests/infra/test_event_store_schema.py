"""What the database itself refuses, whoever asks: a version twice, and any change of what happened."""

import asyncpg
import pytest

from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import RecordConnection
from infra.postgres.statements import statement
from tests.infra.games import NOON, created, new_id

COPY = (
    "insert into events select game, version, at, seat, type, payload, hash from events where game = $1 and version = 1"
)
CHANGES = [
    "update events set payload = '{}'",
    "update events set seat = 1 where version = 1",
    "update events set seat = 1 where false",
    "delete from events",
    "delete from events where version = 2",
    "delete from events where false",
    "truncate events",
    "truncate events, games cascade",
    "merge into events using games on games.game = events.game when matched then delete",
    "merge into events using games on games.game = events.game when matched then update set seat = 3",
    "insert into events select * from events on conflict (game, version) do update set seat = 3",
    "with gone as (delete from events returning game) select * from gone",
    "update readable_events set seat = 1",
    "delete from readable_events",
]
ALLOWED = {
    "events": {"SELECT", "INSERT"},
    "receipts": {"SELECT", "INSERT"},
    "seals": {"SELECT", "INSERT"},
    "anchors": {"SELECT", "INSERT"},
    "anchored_games": {"SELECT", "INSERT"},
    "game_secrets": {"SELECT", "INSERT"},
    "games": {"SELECT", "INSERT"},
    "players": {"SELECT", "INSERT"},
    "refresh_families": {"SELECT", "INSERT"},
    "tickets": {"SELECT", "INSERT", "DELETE"},
    "erasures": {"SELECT"},
    "readable_events": set[str](),
    "alembic_version": {"SELECT"},
}
UPDATABLE = {
    "games": {"version", "head_hash", "status", "players"},
    "players": {"name", "locale"},
    "refresh_families": {"token_hash", "expires_at", "revoked_at"},
}


async def test_a_version_cannot_be_stored_twice(postgres_store: PostgresEventStore, owner: RecordConnection) -> None:
    game = await created(postgres_store)
    with pytest.raises(asyncpg.UniqueViolationError, match="events_pkey"):
        await owner.execute(COPY, game.game)


async def test_events_have_no_other_unique_key(owner: RecordConnection) -> None:
    keys = await owner.fetch(
        "select pg_get_indexdef(indexrelid) from pg_index where indrelid = 'events'::regclass and indisunique"
    )
    assert [key[0].partition(" USING ")[2] for key in keys] == ["btree (game, version)"]


async def test_every_unique_key_starts_with_the_game_or_the_player_but_of_the_few_anchors(
    owner: RecordConnection,
) -> None:
    firsts = await owner.fetch(
        """select attname from pg_index
           join pg_class on pg_class.oid = indrelid and relnamespace = 'public'::regnamespace
           join pg_attribute on attrelid = indrelid and attnum = indkey[0]
           where indisunique and relname not in ('alembic_version', 'anchors')"""
    )
    assert len(firsts) == 10
    assert {row[0] for row in firsts} == {"game", "player"}


@pytest.mark.parametrize("change", CHANGES)
async def test_nobody_changes_events(postgres_store: PostgresEventStore, owner: RecordConnection, change: str) -> None:
    game = await created(postgres_store)
    for preparation in ("reset role", "set session_replication_role = replica", "set role bohnanza_app"):
        # An owner who is no superuser fails at the preparation already.
        with pytest.raises(asyncpg.InsufficientPrivilegeError):  # noqa: PT012 - either of the two may refuse
            await owner.execute(preparation)
            await owner.execute(change)
        if preparation.startswith("set session"):
            await owner.execute("reset session_replication_role")
    assert await postgres_store.read(game.game) == game.records


async def test_the_application_role_may_do_what_it_needs_and_no_more(owner: RecordConnection) -> None:
    tables = await owner.fetch(
        "select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')"
    )
    assert {row[0] for row in tables} == set(ALLOWED)
    kinds = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
    for table, allowed in ALLOWED.items():
        may = {
            kind
            for kind in kinds
            if await owner.fetchval("select has_table_privilege('bohnanza_app', $1, $2)", table, kind)
        }
        assert may == allowed, table
        columns = await owner.fetch(
            """select attname from pg_attribute where attrelid = $1::text::regclass and attnum > 0
               and has_column_privilege('bohnanza_app', attrelid, attnum, 'UPDATE')""",
            table,
        )
        assert {row[0] for row in columns} == UPDATABLE.get(table, set()), table


async def test_the_application_role_owns_nothing_and_cannot_log_in(owner: RecordConnection) -> None:
    role = await owner.fetchrow(
        """select rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
                  exists (select from pg_class where relowner = pg_roles.oid)
           from pg_roles where rolname = 'bohnanza_app'"""
    )
    assert role is not None
    assert not any(role)


async def test_the_store_acts_as_the_application_role(postgres_store: PostgresEventStore) -> None:
    row = await postgres_store._database.fetchrow("select current_user, session_user, current_setting('jit')")
    assert row is not None
    assert row[0] == "bohnanza_app" != row[1]
    assert row[2] == "off"


async def test_a_lost_append_does_not_poison_the_transaction_around_it(
    postgres_store: PostgresEventStore, owner: RecordConnection
) -> None:
    game = await created(postgres_store)
    lost = game.following()
    assert await postgres_store.append(game.following(2))
    record = lost.records[0]
    async with owner.transaction():
        rows = await owner.fetch(
            statement("append"),
            [game.game], [lost.expected], [record.version], [record.hash], ["running"], ["{NULL,NULL,NULL}"],
            [None], [None], [None], [None], [None], [None], [None], [None],
            [game.game], [record.version], [record.at], [0], ["turn_started"], [record.payload], [record.hash],
        )  # fmt: skip
        assert rows == []
        assert await owner.fetchval("select 1") == 1
    assert len(await postgres_store.read(game.game)) == 4


async def test_appends_touch_no_index_of_the_heads(postgres_store: PostgresEventStore, owner: RecordConnection) -> None:
    game = await created(postgres_store)
    for _ in range(50):
        append = game.following()
        assert await postgres_store.append(append)
        game.accept(append)
    await postgres_store._database.fetch("select pg_stat_force_next_flush()")
    await postgres_store._database.ping()
    updates, hot = 0, 0
    for _ in range(50):
        await owner.execute("select pg_stat_clear_snapshot()")
        row = await owner.fetchrow("select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'games'")
        assert row is not None
        updates, hot = row
        if updates == 50:
            break
    assert (updates, hot) == (50, 50)


async def test_the_stored_bytes_are_the_exact_json_and_a_view_shows_them_readable(
    postgres_store: PostgresEventStore, owner: RecordConnection
) -> None:
    game = await created(postgres_store)
    record = game.records[1]
    row = await owner.fetchrow(
        "select *, event ->> 'turn' as turn from readable_events where game = $1 and version = 2", game.game
    )
    assert row is not None
    assert (str(row["game"]), row["at"], row["seat"], row["type"]) == (game.game, NOON, 0, "turn_started")
    assert (row["turn"], row["hash"]) == ("2", record.hash.hex())
    payload = await owner.fetchval("select payload from events where game = $1 and version = 2", game.game)
    assert payload == record.payload == b'{"type":"turn_started","turn":2,"seat":0}'


async def test_a_fault_names_the_constraint_and_no_value(postgres_store: PostgresEventStore) -> None:
    game = await created(postgres_store)
    with pytest.raises(
        Exception, match=r"^UniqueViolationError \(23505\) at (events|games|game_secrets)_pkey$"
    ) as caught:
        await postgres_store.create(game.new())
    assert caught.value.__suppress_context__
    with pytest.raises(Exception, match=r"^DataError \(22000\)$"):
        await postgres_store._database.fetch("select $1::uuid", "a secret " + new_id())
