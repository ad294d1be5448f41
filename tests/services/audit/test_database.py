"""Every row of the database that is not as it was stored is found and named, whichever column, row or table it is."""

import asyncio
import random
import re
from datetime import timedelta

import msgspec
import pytest

from domain.beans import BEANS
from domain.history import line, next_hash
from infra.event_store import StoreFault, StoreUnavailable
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.players import MemoryPlayerStore
from infra.postgres import inspection
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database, RecordConnection
from services.audit.anchoring import Anchoring
from services.audit.audits import Audits
from services.audit.database import DatabaseAudit
from services.audit.exports import Exports
from services.audit.files import Verdict
from services.games.errors import HistoryUnreadable
from services.games.games import Games
from tests.exports import KEYS, OTHERS
from tests.infra.games import new_id
from tests.services.audit.archive import TODAY, Archive, Auditors, damage, rows_detail, version_of
from tests.services.audit.damages import DAMAGES, MOVED, UPDATE
from tests.services.games.tables import next_move, running_table

LINES = ["format", "chain", "signature", "commitment", "shuffles", "moves", "coins", "end", "ranking"]


@pytest.fixture
def auditors(archive_database: Database) -> Auditors:
    return Auditors(archive_database)


async def test_what_is_right_is_found_right_and_nothing_is_left_out(archive: Archive, auditors: Auditors) -> None:
    verdicts = await auditors.verdicts()
    assert list(verdicts) == archive.games
    assert [check for verdict in verdicts.values() for check in verdict.checks if not check.ok] == []
    names = {game: [check.name for check in verdict.checks] for game, verdict in verdicts.items()}
    for game in (archive.ended, *archive.left):
        assert names[game] == [*LINES, "rows", "anchor"]
    assert names[archive.left_today] == [*LINES, "rows"]
    for game in (archive.running, archive.opened, archive.private):
        assert names[game] == ["format", "chain", "shuffles", "moves", "coins", "rows"]
    assert verdicts[archive.ended].events > 100


async def test_it_is_the_same_page_by_page(
    archive: Archive, auditors: Auditors, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await auditors.verdicts()
    monkeypatch.setattr(inspection, "_PAGE", 3)
    assert await auditors.verdicts() == whole
    assert list(whole) == archive.games


async def test_nothing_is_told_of_what_is_secret(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    await damage(archive_owner, "update game_secrets set seed = sha256(seed)")
    seeds = [row[0] for row in await archive_owner.fetch("select seed from game_secrets")]
    verdicts = await auditors.verdicts()
    told = "\n".join(check.detail for verdict in verdicts.values() for check in verdict.checks)
    assert not any(seed.hex() in told for seed in seeds)
    for game in archive.games:
        assert rows_detail(verdicts[game].checks).startswith("game_secrets.seed: ")


@pytest.mark.parametrize("name", DAMAGES)
async def test_what_is_changed_of_a_game_is_named(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection, name: str
) -> None:
    last = await version_of(archive_owner, archive.ended)
    statement, said = (
        text.format(ended=archive.ended, left=archive.left[0], last=last, next=last + 1) for text in DAMAGES[name]
    )
    await damage(archive_owner, statement)
    found = await auditors.wrong_games()
    assert rows_detail(found.pop(archive.ended)).startswith(said)
    assert set(found) <= {archive.left[0]}
    assert not found or "swapped" in name


@pytest.mark.parametrize("table", MOVED)
async def test_what_is_moved_to_a_game_that_there_is_not_is_missed_here_and_found_there(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection, table: str
) -> None:
    nowhere = "ffffffff-ffff-ffff-ffff-ffffffffffff"
    rows = " and version = 20" if table == "events" else ""
    moving = UPDATE.format(table=table, change=f"game = '{nowhere}'", rows=rows)
    await damage(archive_owner, moving.format(ended=archive.ended))
    found = await auditors.wrong_games()
    assert rows_detail(found.pop(archive.ended)) == MOVED[table]
    said = (
        "events, version 1: the row is missing."
        if table == "games"
        else f"games: the row is missing. There are rows in {table}."
    )
    assert rows_detail(found.pop(nowhere)) == said
    assert found == {}


async def test_a_seal_of_a_game_that_goes_on_is_one_too_many(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    await archive_owner.execute(
        "insert into seals select $1, head_hash, ended_at, key, signature from seals where game = $2",
        archive.running,
        archive.ended,
    )
    found = await auditors.wrong_games()
    assert rows_detail(found.pop(archive.running)) == "seals: there is a row, and the game goes on."
    assert found == {}


async def test_rows_that_were_exchanged_between_games_are_named(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    ended, running = archive.ended, archive.running
    await damage(archive_owner)
    move = "update events set game = $1 where game = $2 and version = 12"
    for to, away in ((new_id(), ended), (ended, running)):
        await archive_owner.execute(move, to, away)
    await archive_owner.execute(
        "update events set game = $1 where version = 12 and not exists (select from games where game = events.game)",
        running,
    )
    found = await auditors.wrong_games()
    assert set(found) == {ended, running}
    for checks in found.values():
        assert rows_detail(checks).startswith("events, version 12: it is not the row that was stored")


@pytest.mark.parametrize("table", ["events", "game_secrets", "seals", "anchored_games", "receipts"])
async def test_rows_of_no_game_are_found_in_every_table(
    auditors: Auditors, archive_owner: RecordConnection, table: str
) -> None:
    stray = "00000000-0000-0000-0000-000000000000"
    adding = {
        "events": "insert into events select '{0}', 1, at, seat, type, payload, hash from events limit 1",
        "game_secrets": "insert into game_secrets values ('{0}', '', null)",
        "seals": "insert into seals select '{0}', head_hash, ended_at, key, signature from seals limit 1",
        "anchored_games": "insert into anchored_games values ('{0}', '2026-11-23', 0, '')",
        "receipts": "insert into receipts values ('{0}', '{0}', 'key', sha256(''), 1, 1)",
    }
    await archive_owner.execute(adding[table].format(stray))
    found = await auditors.wrong_games()
    assert rows_detail(found[stray]) == f"games: the row is missing. There are rows in {table}."


async def rewritten(owner: RecordConnection, game: str) -> bytes:
    """Somebody lets all happen a moment later from some command on, and sets right everything that hangs on it but for
    what he cannot sign, the new head."""
    rows = await owner.fetch(
        "select version, at, seat, payload, hash from events where game = $1 order by version", game
    )
    first = next(index for index in range(20, len(rows)) if rows[index]["at"] > rows[index - 1]["at"])
    hashed: bytes = rows[first - 1]["hash"]
    for row in rows[first:]:
        at = row["at"] + timedelta(microseconds=1)
        hashed = next_hash(hashed, line(row["version"], at, row["seat"], row["payload"]))
        change = "update events set at = $3, hash = $4 where game = $1 and version = $2"
        await owner.execute(change, game, row["version"], at, hashed)
    await owner.execute("update games set head_hash = $2 where game = $1", game, hashed)
    await owner.execute("update seals set ended_at = ended_at + interval '1 microsecond' where game = $1", game)
    return hashed


async def test_a_history_that_was_rewritten_whole_is_not_the_one_that_was_signed_and_anchored(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    ended = archive.ended
    await damage(archive_owner)
    head = await rewritten(archive_owner, ended)
    checks = (await auditors.wrong_games())[ended]
    assert rows_detail(checks) == "seals.head_hash: it is not the hash of the last event."
    assert [check.name for check in checks if check.name in ("chain", "signature", "anchor")] == ["chain", "anchor"]

    await archive_owner.execute("update seals set head_hash = $2 where game = $1", ended, head)
    checks = (await auditors.wrong_games())[ended]
    assert rows_detail(checks) == "seals.signature: the key has not signed that head."
    assert [check.name for check in checks] == ["signature", "rows", "anchor"]

    forged = OTHERS.sign(head)
    await archive_owner.execute(
        "update seals set key = $2, signature = $3 where game = $1", ended, forged.key, forged.signature
    )
    checks = (await auditors.wrong_games())[ended]
    assert rows_detail(checks) == f"seals.key: {forged.key} is none of the trusted keys."

    # Even who can sign with our key cannot change what was anchored.
    signed = KEYS.sign(head)
    await archive_owner.execute(
        "update seals set key = $2, signature = $3 where game = $1", ended, signed.key, signed.signature
    )
    checks = (await auditors.wrong_games())[ended]
    assert [check.name for check in checks] == ["anchor"]


async def test_an_event_is_named_that_no_head_knows_or_that_cannot_have_happened_though_all_hashes_fit(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    running = archive.running
    last = await version_of(archive_owner, running)
    row = await archive_owner.fetchrow("select at, hash from events where game = $1 and version = $2", running, last)
    assert row is not None
    payload = (
        b'{"type":"field_harvested","seat":0,"field":9,"bean":"red","count":9,"coins":4,"discarded":5,"final":false}'
    )
    hashed = next_hash(row["hash"], line(last + 1, row["at"], 0, payload))
    await damage(archive_owner)
    await archive_owner.execute(
        "insert into events values ($1, $2, $3, 0, 'field_harvested', $4, $5)",
        running,
        last + 1,
        row["at"],
        payload,
        hashed,
    )
    checks = (await auditors.wrong_games())[running]
    assert rows_detail(checks) == f"events, version {last + 1}: the row comes behind the head."
    await archive_owner.execute(
        "update games set version = $2, head_hash = $3 where game = $1", running, last + 1, hashed
    )
    checks = (await auditors.wrong_games())[running]
    assert rows_detail(checks) == f"events.payload, version {last + 1}: it cannot have happened in this game."
    assert any(check.name == "moves" and f"Version {last + 1}" in check.detail for check in checks)


async def test_a_missing_seal_is_named_at_once_when_a_later_day_is_anchored(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection
) -> None:
    """On the day after: the third day is anchored, so nothing of the second may be without."""
    now = TODAY - timedelta(days=4)
    await damage(archive_owner)
    await archive_owner.execute("delete from seals where game = $1", archive.left[2])
    await archive_owner.execute("delete from seals where game = $1", archive.left[3])
    found = await Auditors(archive_database, now).wrong_games()
    assert rows_detail(found[archive.left[2]]) == "seals: the game is over and the row is missing."
    assert archive.left[3] not in found


async def test_a_game_that_was_rewritten_and_lost_its_seal_is_not_signed_anew(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection
) -> None:
    ended = archive.ended
    await damage(archive_owner)
    await rewritten(archive_owner, ended)
    await archive_owner.execute("delete from seals where game = $1", ended)
    await archive_owner.execute("delete from anchored_games where game = $1", ended)
    store, anchors = PostgresEventStore(archive_database), PostgresAnchorStore(archive_database)
    await Anchoring(store, anchors, KEYS.sign, ManualClock(TODAY + timedelta(days=2))).anchor()
    assert await store.seal(ended) is None
    assert await anchors.anchored(ended) is None

    host = str(await archive_owner.fetchval("select host from games where game = $1", ended))
    audit = await Audits(store, anchors, KEYS).audit(ended, host)
    assert [(check.name, check.detail) for check in audit.checks if not check.ok] == [
        ("signature", "The game is over and has no seal, and it can be given none any more.")
    ]
    assert [check.name for check in audit.checks] == LINES
    with pytest.raises(HistoryUnreadable):
        await Exports(store, anchors, KEYS).export(ended, host)
    found = await Auditors(archive_database, TODAY + timedelta(days=2)).wrong_games()
    assert rows_detail(found[ended]) == "seals: the game is over and the row is missing."
    await store.close()


async def replanted(owner: RecordConnection, game: str, column: str) -> str:
    """The first bean that was planted is said to be another, and all hashes are made to fit; the new head."""
    rows = await owner.fetch(
        "select version, at, seat, type, payload, hash from events where game = $1 order by version", game
    )
    first = next(index for index, row in enumerate(rows) if row["type"] == "bean_planted")
    event = msgspec.json.decode(rows[first]["payload"])
    other = "red" if event["bean"] == "green" else "green"
    event[column] = other if column == "bean" else event[column] + 1
    payloads = {first: msgspec.json.encode(event)}
    hashed: bytes = rows[first - 1]["hash"]
    for index in range(first, len(rows)):
        row = rows[index]
        payload = payloads.get(index, row["payload"])
        hashed = next_hash(hashed, line(row["version"], row["at"], row["seat"], payload))
        change = "update events set payload = $3, hash = $4 where game = $1 and version = $2"
        await owner.execute(change, game, row["version"], payload, hashed)
    await owner.execute("update games set head_hash = $2 where game = $1", game, hashed)
    return hashed.hex()


@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize(("column", "reason"), [("bean", "wrong_card"), ("card", "not_front_card")])
async def test_of_a_game_that_goes_on_neither_the_head_nor_a_card_is_told(
    archive: Archive,
    auditors: Auditors,
    archive_owner: RecordConnection,
    column: str,
    reason: str,
    is_sealed: bool,
) -> None:
    running = archive.running
    await damage(archive_owner)
    head = await replanted(archive_owner, running, column)
    if is_sealed:
        sealing = "insert into seals select $1, $2, ended_at, key, signature from seals where game = $3"
        await archive_owner.execute(sealing, running, bytes.fromhex(head), archive.ended)
    planted = "select min(version) from events where game = $1 and type = 'bean_planted'"
    version = await archive_owner.fetchval(planted, running)
    verdict = await auditors.database.game(running)
    [moves] = [check for check in verdict.checks if check.name == "moves"]
    assert moves.detail == f"Version {version}: {reason}."
    assert verdict.head is None
    told = " ".join(check.detail for check in verdict.checks)
    hashes = [row[0].hex() for row in await archive_owner.fetch("select hash from events where game = $1", running)]
    assert not [text for text in (*hashes, *BEANS, "[Cc]ard [0-9]+") if re.search(rf"\b{text}\b", told)]


async def test_of_a_game_that_goes_on_and_is_right_no_hash_is_told(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    for game in (archive.running, archive.opened, archive.private):
        verdict = await auditors.database.game(game)
        assert verdict.ok
        head: bytes = await archive_owner.fetchval("select head_hash from games where game = $1", game)
        assert head.hex() not in repr(verdict)
    ended = await auditors.database.game(archive.ended)
    assert ended.head is not None
    assert ended.head in ended.checks[1].detail


async def test_a_game_that_is_over_need_not_be_sealed_and_anchored_within_two_days(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection
) -> None:
    await damage(archive_owner)
    await archive_owner.execute("delete from seals where game = $1", archive.left_today)
    assert await Auditors(archive_database).wrong_games() == {}
    later = Auditors(archive_database, TODAY + timedelta(days=3))
    checks = (await later.wrong_games())[archive.left_today]
    assert [check.name for check in checks] == ["rows", "anchor"]
    assert rows_detail(checks) == "seals: the game is over and the row is missing."
    assert checks[1].detail.startswith("anchored_games: ")


@pytest.mark.parametrize("error", [OverflowError("a secret"), StoreFault("a secret")])
async def test_what_nobody_has_thought_of_is_told_of_its_game_and_the_others_are_looked_at(
    archive: Archive, auditors: Auditors, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    looked_at = DatabaseAudit._looked_at

    async def poisoned(audit: DatabaseAudit, game: str) -> Verdict:
        if game == archive.ended:
            raise error
        return await looked_at(audit, game)

    monkeypatch.setattr(DatabaseAudit, "_looked_at", poisoned)
    verdicts = await auditors.verdicts()
    assert list(verdicts) == archive.games
    assert [game for game, verdict in verdicts.items() if not verdict.ok] == [archive.ended]
    assert rows_detail(verdicts[archive.ended].checks) == f"It could not be looked at: {type(error).__name__}."


async def test_one_game_can_be_asked_for(archive: Archive, auditors: Auditors) -> None:
    verdict = await auditors.database.game(archive.ended)
    assert verdict.ok
    assert verdict.head is not None
    unknown = await auditors.database.game(new_id())
    assert rows_detail(unknown.checks) == "games: no such game."


async def test_a_game_that_goes_on_is_right_at_every_moment(archive_database: Database, auditors: Auditors) -> None:
    store = PostgresEventStore(archive_database)
    games = Games(store, MemoryPlayerStore(), ManualClock(TODAY), SeededEntropy(99), sign=KEYS.sign)
    table = await running_table(games, 3)
    ended = asyncio.Event()

    async def play() -> None:
        chance = random.Random(5)
        while await next_move(table, [games], chance) is not None:
            pass
        ended.set()

    playing = asyncio.create_task(play())
    looked = set()
    while not ended.is_set():
        verdict = await auditors.database.game(table.game)
        assert [check for check in verdict.checks if not check.ok] == []
        looked.add(verdict.events)
    await playing
    assert len(looked) > 5
    assert (await auditors.database.game(table.game)).ok
    await store.close()


async def test_a_look_at_the_rows_changes_nothing(archive: Archive, archive_database: Database) -> None:
    with pytest.raises(StoreUnavailable, match="ReadOnlySQLTransactionError"):
        async with archive_database.transaction(snapshot=True) as connection:
            await connection.execute("insert into seals select * from seals")
    assert archive.games


async def test_a_game_that_has_not_happened_yet_is_named(archive: Archive, archive_database: Database) -> None:
    """A time that has not come would keep it from being missed in its anchor for as long."""
    early = Auditors(archive_database, TODAY - timedelta(days=1))
    verdict = (await early.verdicts())[archive.left_today]
    assert "has not come yet" in rows_detail(verdict.checks)
    version = verdict.events
    assert rows_detail(verdict.checks).startswith(f"events.at, version {version}: ")
