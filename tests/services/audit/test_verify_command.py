"""`bohnanza verify` in a database: what it prints, and its exit codes."""

import asyncio
from pathlib import Path

import asyncpg
import msgspec
import pytest
from click.testing import CliRunner, Result

from services.audit.jwks import jwks
from services.cli.failure import WRONG_SETTINGS, Failure
from services.cli.verify import command
from tests.exports import KEYS, OTHERS
from tests.services.audit.archive import Archive, damage


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    path.write_bytes(msgspec.json.encode(jwks(KEYS.public)))
    return path


@pytest.fixture(autouse=True)
def _chosen(archive_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", archive_url)
    monkeypatch.setenv("BOHNANZA_DATA_DIR", str(tmp_path / "data"))


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def damaged(url: str, statement: str) -> None:
    async def at_once() -> None:
        connection = await asyncpg.connect(url)
        await damage(connection, statement)
        await connection.close()

    asyncio.run(at_once())


def test_a_game_is_told_check_by_check(archive: Archive, keys: Path) -> None:
    told = verify("--game", archive.ended, "--game", archive.running, "--keys", keys)
    assert told.exit_code == 0, told.output
    assert told.output.count("All is right.") == 2
    assert told.output.count("right  rows ") == 2


def test_all_games_are_counted(archive: Archive, keys: Path) -> None:
    told = verify("--all", "--anchors", "--keys", keys)
    assert told.exit_code == 0, told.output
    assert f"{len(archive.games)} of {len(archive.games)} games are right, " in told.output
    assert "checks of the anchors are right." in told.output


def test_what_is_wrong_is_shown_and_the_rest_counted(archive: Archive, archive_url: str, keys: Path) -> None:
    change = "update events set seat = 1 where version = 2 and game = "
    damaged(archive_url, f"{change}'{archive.left[0]}'")
    told = verify("--all", "--keys", keys)
    assert told.exit_code == 1
    assert f"Game {archive.left[0]}" in told.output
    assert "WRONG  rows" in told.output
    assert "version 2" in told.output.lower()
    assert f"{len(archive.games) - 1} of {len(archive.games)} games are right, " in told.output


def test_an_anchor_that_is_another_one_than_was_kept_is_told(archive_url: str, keys: Path, tmp_path: Path) -> None:
    async def stored() -> list[asyncpg.Record]:
        connection = await asyncpg.connect(archive_url)
        rows: list[asyncpg.Record] = await connection.fetch(
            "select day, games, root, previous, key, signature from anchors"
        )
        await connection.close()
        return rows

    rows = [dict(row) for row in asyncio.run(stored())]
    as_shown = [
        {**row, "root": row["root"].hex(), "previous": row["previous"] and row["previous"].hex()} for row in rows
    ]
    kept = tmp_path / "anchors.json"
    kept.write_bytes(msgspec.json.encode({"anchors": as_shown, "next": None}))
    assert verify("--anchors", "--kept", kept, "--keys", keys).exit_code == 0
    part = tmp_path / "part.json"
    part.write_bytes(msgspec.json.encode(as_shown[:1]))
    assert verify("--all", "--kept", kept, "--kept", part, "--keys", keys).exit_code == 0

    kept.write_bytes(msgspec.json.encode({"anchors": [{**as_shown[0], "games": 77}], "next": None}))
    told = verify("--anchors", "--kept", kept, "--keys", keys)
    assert told.exit_code == 1
    assert "WRONG  kept" in told.output


def test_a_game_that_was_removed_whole_is_missed_in_its_anchor(archive: Archive, archive_url: str, keys: Path) -> None:
    for table in ("events", "games", "seals", "game_secrets", "anchored_games"):
        damaged(archive_url, f"delete from {table} where game = '{archive.left[0]}'")  # noqa: S608 - one of the above
    told = verify("--all", "--keys", keys)
    assert told.exit_code == 1
    count = len(archive.games) - 1
    assert f"{count} of {count} games are right, " in told.output
    assert "WRONG  anchor" in told.output


def test_a_list_of_kept_anchors_without_an_anchor_is_refused(keys: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_bytes(b'{"anchors":[],"next":null}')
    for option in ("--all", "--anchors"):
        told = verify(option, "--kept", empty, "--keys", keys)
        assert isinstance(told.exception, Failure)
        assert str(told.exception) == f"{empty}: There is no anchor in it."


def test_a_game_that_is_nowhere_is_not_right(keys: Path) -> None:
    told = verify("--game", "00000000-0000-4000-8000-000000000000", "--keys", keys)
    assert told.exit_code == 1
    assert "no such game" in told.output
    assert verify("--game", "no id", "--keys", keys).exit_code == 2


def test_other_keys_are_not_trusted(archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "others.json"
    path.write_bytes(msgspec.json.encode(jwks(OTHERS.public)))
    assert verify("--game", archive.ended, "--keys", path).exit_code == 1


def test_without_keys_none_is_made_for_the_purpose(archive: Archive, tmp_path: Path) -> None:
    told = verify("--game", archive.ended)
    assert isinstance(told.exception, Failure)
    assert told.exception.exit_code == WRONG_SETTINGS
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("url", ["postgresql://u:hidden@127.0.0.1:1/games", None])
def test_without_a_database_it_says_what_to_do(url: str | None, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if url is None:
        monkeypatch.delenv("BOHNANZA_DATABASE_URL")
    else:
        monkeypatch.setenv("BOHNANZA_DATABASE_URL", url)
    told = verify("--all", "--keys", keys)
    assert isinstance(told.exception, Failure)
    assert "hidden" not in str(told.exception)
    assert ("cannot be reached" if url else "BOHNANZA_DATABASE_URL") in str(told.exception)


def test_a_database_without_the_schema_is_told(empty_url: str, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", empty_url)
    told = verify("--all", "--keys", keys)
    assert isinstance(told.exception, Failure)
    assert "bohnanza migrate --check" in str(told.exception) or "reached" in str(told.exception)


@pytest.mark.parametrize("arguments", [["--game", "x", "file"], ["--all", "file"], ["--anchors", "--audit", "a"]])
def test_what_does_not_fit_together_is_a_wrong_use(arguments: list[str]) -> None:
    assert verify(*arguments).exit_code == 2
