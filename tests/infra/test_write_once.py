"""What is written once stays as it was written, whoever asks: the database itself refuses every change."""

import asyncpg
import pytest

from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import RecordConnection
from tests.infra.games import Game, created

ANCHOR = """insert into anchors (day, games, root, previous, key, signature)
            values ('2026-11-30', 1, sha256('root'), null, 'key', 'signature')"""
ANCHORED = "insert into anchored_games (game, day, position, proof) select game, '2026-11-30', 0, '' from games"
FIRST_COLUMN = {"seals": "key", "anchors": "key", "anchored_games": "position", "game_secrets": "seed"}
KEY = {"seals": "game", "anchors": "day", "anchored_games": "game", "game_secrets": "game"}
CHANGES = [
    change.format(table=table, column=column, key=KEY[table])
    for table, column in FIRST_COLUMN.items()
    for change in (
        "update {table} set {column} = {column}",
        "update {table} set {column} = {column} where false",
        "delete from {table}",
        "delete from {table} where false",
        "truncate {table}",
        "merge into {table} using games on true when matched then delete",
        "merge into {table} using games on true when matched then update set {column} = {table}.{column}",
        "insert into {table} select * from {table} on conflict ({key}) do update set {column} = excluded.{column}",
        "with gone as (delete from {table} returning {key}) select * from gone",
    )
]
HEADS = [
    "update games set game = game",
    "update games set ruleset = ruleset, version = version",
    "update games set seats = seats",
    "update games set visibility = visibility",
    "update games set host = host",
    "update games set header_hash = head_hash",
    "update games set created_at = now()",
    "delete from games",
    "delete from games where false",
    "truncate games",
    "merge into games using game_secrets on games.game = game_secrets.game when matched then delete",
]
AFTER_THE_END = [
    "update games set version = version + 1",
    "update games set head_hash = header_hash",
    "update games set status = 'running'",
    "update games set players = players",
    "update games set deadline = now()",
]


async def finished(store: PostgresEventStore, owner: RecordConnection) -> Game:
    """A game with its seal and its anchor."""
    game = await created(store)
    end = game.ending()
    assert await store.append(end)
    game.accept(end)
    await owner.execute(ANCHOR)
    await owner.execute(ANCHORED)
    return game


async def assert_refused(owner: RecordConnection, change: str) -> None:
    """By the owner, with the triggers put to sleep as a replica does, and by the application."""
    for preparation in ("reset role", "set session_replication_role = replica", "set role bohnanza_app"):
        # An owner who is no superuser fails at the preparation already.
        with pytest.raises(asyncpg.InsufficientPrivilegeError):  # noqa: PT012 - either of the two may refuse
            await owner.execute(preparation)
            await owner.execute(change)
        if preparation.startswith("set session"):
            await owner.execute("reset session_replication_role")
    await owner.execute("reset role")


@pytest.mark.parametrize("change", [*CHANGES, *HEADS])
async def test_nobody_changes_what_is_written_once(
    postgres_store: PostgresEventStore, owner: RecordConnection, change: str
) -> None:
    await finished(postgres_store, owner)
    counts = "select (select count(*) from seals), (select count(*) from anchors), (select count(*) from game_secrets)"
    before = await owner.fetchrow(counts)
    await assert_refused(owner, change)
    assert await owner.fetchrow(counts) == before


@pytest.mark.parametrize("change", AFTER_THE_END)
async def test_nobody_moves_the_head_of_a_finished_game(
    postgres_store: PostgresEventStore, owner: RecordConnection, change: str
) -> None:
    await finished(postgres_store, owner)
    await assert_refused(owner, change)


async def test_copy_adds_rows_and_replaces_none(postgres_store: PostgresEventStore, owner: RecordConnection) -> None:
    game = await finished(postgres_store, owner)
    for table in ("games", "events", "seals", "anchors", "anchored_games", "game_secrets"):
        stored = await owner.fetch(f"select * from {table}")  # noqa: S608 - from the list above
        with pytest.raises(asyncpg.UniqueViolationError, match=f"{table}_pkey"):
            await owner.copy_records_to_table(table, records=[tuple(row.values()) for row in stored])
        assert await owner.fetch(f"select * from {table}") == stored  # noqa: S608 - as above
    assert await postgres_store.read(game.game) == game.records


async def test_an_anchor_has_one_successor(postgres_store: PostgresEventStore, owner: RecordConnection) -> None:
    await finished(postgres_store, owner)
    again = ANCHOR.replace("2026-11-30", "2026-12-01")
    with pytest.raises(asyncpg.UniqueViolationError, match="anchors_previous"):
        await owner.execute(again)
    follows = again.replace("null", "sha256('statement')")
    await owner.execute(follows)
    with pytest.raises(asyncpg.UniqueViolationError, match="anchors_previous"):
        await owner.execute(follows.replace("2026-12-01", "2026-12-02"))
