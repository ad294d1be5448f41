"""Every anchor that is not as it was made is found, and so is every game that none has taken; what was noted earlier
holds the whole database to it."""

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec
import pytest

from domain.anchors import Anchor, statement
from infra.memory.clock import ManualClock
from infra.postgres import inspection
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database, RecordConnection
from infra.signing import SigningKeys
from services.audit.anchoring import Anchoring
from services.audit.proofs import AnchorsUnreadable, anchors_in
from tests.exports import KEYS, OTHERS
from tests.services.audit.archive import TODAY, Archive, Auditors, damage, rows_detail

FIRST, SECOND, THIRD = date(2026, 11, 23), date(2026, 11, 24), date(2026, 11, 25)


@pytest.fixture
def auditors(archive_database: Database) -> Auditors:
    return Auditors(archive_database)


async def stored(database: Database) -> list[Anchor]:
    """From the first on."""
    return (await PostgresAnchorStore(database).anchors(None, 100)).anchors[::-1]


async def test_what_is_right_is_found_right(archive_database: Database, auditors: Auditors) -> None:
    checks = [check async for check in auditors.anchors.checks()]
    assert [(check.name, check.ok) for check in checks] == [*[("anchor", True)] * 3, ("waiting", True)]
    assert [check.detail.split(":")[0] for check in checks[:3]] == ["2026-11-23", "2026-11-24", "2026-11-25"]
    assert [anchor.games for anchor in await stored(archive_database)] == [3, 1, 1]


async def test_it_is_the_same_page_by_page(auditors: Auditors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "_PAGE", 1)
    assert await auditors.wrong_anchors() == []


OF_ANCHORS = {
    "update anchors set games = games + 1 where day = '2026-11-24'": [
        "2026-11-24: anchors.games: it is not what the key has signed.",
        "2026-11-25: anchors.previous: it does not go on from the anchor of 2026-11-24.",
    ],
    "update anchors set root = sha256(root) where day = '2026-11-23'": [
        "2026-11-23: anchors.root: it is not what the key has signed.",
        "2026-11-24: anchors.previous: it does not go on from the anchor of 2026-11-23.",
    ],
    "update anchors set previous = sha256(previous) where day = '2026-11-24'": [
        "2026-11-24: anchors.previous: it is not what the key has signed.",
        "2026-11-25: anchors.previous: it does not go on from the anchor of 2026-11-24.",
    ],
    "update anchors set previous = sha256('') where day = '2026-11-23'": [
        "2026-11-23: anchors.previous: it is not what the key has signed.",
        "2026-11-24: anchors.previous: it does not go on from the anchor of 2026-11-23.",
    ],
    "update anchors set key = translate(key, 'abcdefgh', 'bcdefgha') where day = '2026-11-25'": [
        "2026-11-25: anchors.key: ",
    ],
    "update anchors set signature = translate(signature, 'abcdefgh', 'bcdefgha') where day = '2026-11-25'": [
        "2026-11-25: anchors.day or anchors.signature: it is not what the key has signed.",
    ],
    "update anchors set day = '2026-11-26' where day = '2026-11-25'": [
        "2026-11-25: anchors: the row is missing, and there are games that are said to be in it.",
        "2026-11-26: anchors.games: it is not what the key has signed.",
    ],
    "update anchors as one set root = other.root, signature = other.signature from anchors as other"
    " where one.day > '2026-11-23' and other.day > '2026-11-23' and one.day <> other.day": [
        "2026-11-24: anchors.root: it is not what the key has signed.",
        "2026-11-25: anchors.previous: it is not what the key has signed.",
    ],
    "delete from anchors where day = '2026-11-23'": [
        "2026-11-23: anchors: the row is missing, and there are games that are said to be in it.",
        "2026-11-24: anchors: the anchor before it is missing.",
    ],
    "delete from anchors where day = '2026-11-24'": [
        "2026-11-24: anchors: the row is missing, and there are games that are said to be in it.",
        "2026-11-25: anchors.previous: it does not go on from the anchor of 2026-11-23.",
    ],
    "delete from anchors where day = '2026-11-25'": [
        "2026-11-25: anchors: the row is missing, and there are games that are said to be in it.",
    ],
    "insert into anchors select '2026-11-27', games, root, sha256(root), key, signature from anchors"
    " where day = '2026-11-23'": ["2026-11-27: anchors.previous: it is not what the key has signed."],
    "update anchored_games set day = '2026-11-24' where day = '2026-11-25'": [
        "2026-11-24: ",
        "2026-11-25: anchored_games: there are 0 games, and 1 were signed.",
    ],
    "update anchored_games set day = '2026-11-27' where day = '2026-11-25'": [
        "2026-11-25: anchored_games: there are 0 games, and 1 were signed.",
        "2026-11-27: anchors: the row is missing, and there are games that are said to be in it.",
    ],
    "update anchored_games set position = position + 1 where position = 2": ["2026-11-23: anchored_games.position: "],
    "update anchored_games set position = 2 - position where day = '2026-11-23'": [
        "2026-11-23: anchored_games.position: ",
    ],
    "update anchored_games set proof = set_bit(proof, 77, 1 - get_bit(proof, 77)) where position = 1": [
        "2026-11-23: games.head_hash or anchored_games.proof: the head of ",
    ],
    "update anchored_games set proof = '' where position = 1": [
        "2026-11-23: games.head_hash or anchored_games.proof: the head of ",
    ],
    "update anchored_games set proof = proof || sha256('') where position = 0 and day = '2026-11-25'": [
        "2026-11-25: games.head_hash or anchored_games.proof: the head of ",
    ],
    "delete from anchored_games where position = 2": [
        "2026-11-23: anchored_games: there are 2 games, and 3 were signed.",
        "{2} is over since 2026-11-23, and is in no anchor.",
    ],
    "delete from anchored_games where position = 1": [
        "2026-11-23: anchored_games.position: {2} is at 2, where 1 belongs.",
        "{1} is over since 2026-11-23, and is in no anchor.",
    ],
    "insert into anchored_games values ('ffffffff-ffff-ffff-ffff-ffffffffffff', '2026-11-24', 1, '')": [
        "2026-11-24: games: the row of ffffffff-ffff-ffff-ffff-ffffffffffff is missing.",
    ],
    "update games set head_hash = sha256(head_hash) where game = '{1}'": [
        "2026-11-23: games.head_hash or anchored_games.proof: the head of {1} is not in that anchor.",
    ],
    "delete from games where game = '{1}'": ["2026-11-23: games: the row of {1} is missing."],
}


@pytest.mark.parametrize("change", OF_ANCHORS)
async def test_what_is_changed_of_the_anchors_is_named(
    auditors: Auditors, archive_owner: RecordConnection, change: str
) -> None:
    rows = await archive_owner.fetch("select game from anchored_games where day = $1 order by position", FIRST)
    games = [str(row[0]) for row in rows]
    await damage(archive_owner, change.format(*games))
    found = await auditors.wrong_anchors()
    expected = [said.format(*games) for said in OF_ANCHORS[change]]
    assert len(found) == len(expected), found
    for detail, said in zip(found, expected, strict=True):
        assert detail.startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "update anchored_games set day = '2026-11-24' where game = '{ended}'",
            "The proof does not lead from the head",
        ),
        (
            "update anchored_games set day = '2026-11-27' where game = '{ended}'",
            "anchored_games.day: there is no anchor",
        ),
        ("update anchored_games set position = (position + 1) % 3 where game = '{ended}'", "The proof does not lead"),
        (
            "update anchored_games set proof = set_bit(proof, 9, 1 - get_bit(proof, 9)) where game = '{ended}'",
            "The proof",
        ),
        ("update anchored_games set proof = '' where game = '{ended}'", "The proof does not lead from the head"),
        ("delete from anchored_games where game = '{ended}'", "anchored_games: the game is over since 2026-11-23"),
        ("delete from anchors where day = '2026-11-23'", "anchored_games.day: there is no anchor of 2026-11-23."),
        ("update anchors set root = sha256(root) where day = '2026-11-23'", "The proof does not lead from the head"),
        ("update anchors set games = 5 where day = '2026-11-23'", "The proof does not lead from the head"),
        ("update anchors set previous = sha256('') where day = '2026-11-23'", "Of the anchor of 2026-11-23: "),
        ("update anchors set signature = key where day = '2026-11-23'", "Of the anchor of 2026-11-23: "),
        ("update anchors set key = signature where day = '2026-11-23'", "Of the anchor of 2026-11-23: "),
    ],
)
async def test_a_game_is_held_against_its_anchor(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection, change: str, said: str
) -> None:
    await damage(archive_owner, change.format(ended=archive.ended))
    checks = (await auditors.wrong_games())[archive.ended]
    assert [check.name for check in checks] == ["anchor"]
    assert checks[0].detail.startswith(said)


@pytest.mark.parametrize("day", ["infinity", "-infinity", "4000-01-01 BC", "99999-01-01"])
@pytest.mark.parametrize("table", ["anchors", "anchored_games"])
async def test_a_day_that_there_cannot_be_is_named(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection, table: str, day: str
) -> None:
    await damage(archive_owner, f"update {table} set day = '{day}' where day = '2026-11-24'")  # noqa: S608 - as above
    auditors = Auditors(archive_database)
    found = await auditors.wrong_anchors()
    assert found[0] == f"anchors.day or anchored_games.day: {day} is no day of an anchor."
    assert set(await auditors.wrong_games()) == {archive.left[2]}
    # Whoever asks for the anchors or for a proof gets an answer, with a signature that tells.
    anchors = PostgresAnchorStore(archive_database)
    assert len((await anchors.anchors(None, 100)).anchors) == 3
    assert await anchors.newest() is not None
    await anchors.anchored(archive.left[2])


async def test_a_game_in_the_anchor_of_another_day_is_told(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection
) -> None:
    """All of it signed with our key: the day alone is wrong, or late."""
    for days, ok, words in ((-1, False, "after the day of its anchor, 2026-11-22"), (1, True, "only on 2026-11-24")):
        anchor = (await stored(archive_database))[0]
        said = (FIRST + timedelta(days=days), anchor.games, anchor.root, None)
        signed = KEYS.sign(statement(*said))
        await damage(archive_owner, "delete from anchors")
        columns = (said[0], said[1], bytes.fromhex(anchor.root), None, signed.key, signed.signature)
        await archive_owner.execute("insert into anchors values ($1, $2, $3, $4, $5, $6)", *columns)
        await archive_owner.execute("update anchored_games set day = $1 where game = $2", said[0], archive.ended)
        checks = (await Auditors(archive_database).database.game(archive.ended)).checks
        assert (checks[-1].name, checks[-1].ok) == ("anchor", ok)
        assert words in checks[-1].detail
        assert "ended on 2026-11-23" in checks[-1].detail


async def test_a_proof_of_a_game_that_is_no_longer_there_is_found(
    archive: Archive, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    nowhere = "ffffffff-ffff-ffff-ffff-ffffffffffff"
    await damage(archive_owner)
    await archive_owner.execute("update anchored_games set game = $1 where game = $2", nowhere, archive.ended)
    found = await auditors.wrong_games()
    assert rows_detail(found[nowhere]) == "games: the row is missing. There are rows in anchored_games."
    assert [check.name for check in found[archive.ended]] == ["anchor"]


async def test_a_game_that_was_left_out_for_two_days_is_named(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection
) -> None:
    waiting = Auditors(archive_database, TODAY + timedelta(days=1, hours=23))
    assert await waiting.wrong_anchors() == []
    overdue = Auditors(archive_database, TODAY + timedelta(days=2, hours=1))
    today = TODAY.date()
    assert await overdue.wrong_anchors() == [f"{archive.left_today} is over since {today}, and is in no anchor."]
    await damage(archive_owner)
    await archive_owner.execute("delete from seals where game = $1", archive.left_today)
    assert await waiting.wrong_anchors() == []
    assert await overdue.wrong_anchors() == [
        f"{archive.left_today} is over since {today}, and has no seal and is in no anchor."
    ]


@pytest.mark.parametrize("time", ["-infinity", "4000-01-01 BC", "1969-12-31", "infinity"])
async def test_a_seal_of_a_time_that_never_was_stops_neither_the_checks_nor_the_anchoring(
    archive: Archive, archive_database: Database, archive_owner: RecordConnection, time: str
) -> None:
    await damage(archive_owner)
    await archive_owner.execute(
        "update seals set ended_at = $2::text::timestamptz where game = $1", archive.left_today, time
    )
    assert await Auditors(archive_database).wrong_anchors() == [f"{archive.left_today} is over, and is in no anchor."]
    anchors = PostgresAnchorStore(archive_database)
    now = ManualClock(TODAY + timedelta(days=1))
    await Anchoring(PostgresEventStore(archive_database), anchors, KEYS.sign, now).anchor()
    assert [anchor.day for anchor in await stored(archive_database)] == [FIRST, SECOND, THIRD]


async def resigned(owner: RecordConnection, anchors: Sequence[Anchor], keys: SigningKeys) -> list[Anchor]:
    """Somebody makes a chain of his own of the same heads but for the games of the first day, and signs it."""
    made: list[Anchor] = []
    for anchor in anchors:
        root = anchor.root if made else "ab" * 32
        said = (anchor.day, anchor.games, root, made[-1].hash if made else None)
        signed = keys.sign(statement(*said))
        made.append(Anchor(*said, signed.key, signed.signature))
    await damage(owner, "delete from anchors")
    for row in made:
        previous = None if row.previous is None else bytes.fromhex(row.previous)
        columns = (row.day, row.games, bytes.fromhex(row.root), previous, row.key, row.signature)
        await owner.execute("insert into anchors values ($1, $2, $3, $4, $5, $6)", *columns)
    return made


async def test_what_was_noted_is_still_the_same(archive_database: Database, auditors: Auditors) -> None:
    kept = await stored(archive_database)
    checks = [check async for check in auditors.anchors.checks(kept)]
    assert [check.name for check in checks] == [*["anchor", "kept"] * 3, "waiting"]
    assert all(check.ok for check in checks)
    assert await auditors.wrong_anchors(kept[1:2]) == []


async def test_not_even_who_signs_with_our_key_can_change_what_was_noted(
    archive_database: Database, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    kept = await stored(archive_database)
    await resigned(archive_owner, kept, KEYS)
    found = await auditors.wrong_anchors(kept)
    assert [detail for detail in found if "noted" in detail] == [
        "2026-11-23: anchors.root: it is another than the one that was noted.",
        "2026-11-24: anchors.previous: it is another than the one that was noted.",
        "2026-11-25: anchors.previous: it is another than the one that was noted.",
    ]


async def test_an_anchor_that_vanished_with_its_games_is_missed_by_who_noted_it(
    archive: Archive, archive_database: Database, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    kept = await stored(archive_database)
    gone = archive.left[3]
    tables = ("games", "events", "seals", "game_secrets", "anchored_games")
    await damage(archive_owner, "delete from anchors where day = '2026-11-25'")
    for table in tables:
        await archive_owner.execute("delete from {} where game = $1".format(table), gone)  # noqa: S608, UP032 - as above
    assert await auditors.wrong_games() == {}
    assert await auditors.wrong_anchors() == []
    assert await auditors.wrong_anchors(kept) == ["2026-11-25: anchors: the row is missing."]


async def test_what_was_noted_has_to_be_ours(archive_database: Database, auditors: Auditors) -> None:
    first = (await stored(archive_database))[0]
    spoilt = msgspec.structs.replace(first, root="00" * 32)
    assert await auditors.wrong_anchors([spoilt]) == ["2026-11-23: what was noted is signed by nobody."]
    forged = OTHERS.sign(spoilt.statement)
    theirs = msgspec.structs.replace(spoilt, key=forged.key, signature=forged.signature)
    assert await auditors.wrong_anchors([theirs]) == [
        "2026-11-23: what was noted is signed by none of the trusted keys."
    ]


async def test_a_chain_of_somebody_else_is_none_of_ours(
    archive_database: Database, auditors: Auditors, archive_owner: RecordConnection
) -> None:
    await resigned(archive_owner, await stored(archive_database), OTHERS)
    for detail in await auditors.wrong_anchors():
        assert f"anchors.key: {OTHERS.public[0]} is none of the trusted keys." in detail


def test_noted_anchors_are_an_answer_of_the_api_or_the_list_in_it() -> None:
    row = Anchor(FIRST, 1, "ab" * 32, None, "key", "signature")
    listed = msgspec.json.encode([row])
    assert anchors_in(listed) == [row]
    assert anchors_in(b'{"anchors":' + listed + b',"next":"2026-11-23"}') == [row]
    for nonsense in (b"", b"{}", b"[[]]", b'{"anchors":{}}', b"\xff", b"[" * 9999):
        with pytest.raises(AnchorsUnreadable):
            anchors_in(nonsense)
