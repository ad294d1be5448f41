"""What a command says when its settings let it not start: one clear sentence, exit code 2, no traceback, no secret."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def refused(folder: Path, command: str = "api", **settings: str) -> str:
    """What it says."""
    environment = os.environ | {f"BOHNANZA_{name.upper()}": value for name, value in settings.items()}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "services.cli.main", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    return said


def test_without_a_database(tmp_path: Path) -> None:
    assert "BOHNANZA_DATABASE_URL" in refused(tmp_path)


@pytest.mark.parametrize("command", ["api", "migrate", "up"])
def test_with_addresses_that_their_passwords_tear_apart(tmp_path: Path, command: str) -> None:
    said = refused(
        tmp_path,
        command,
        database_url="postgresql://user:hidden/word@127.0.0.1/db",
        migrate_database_url="postgresql://user:hidden#word@127.0.0.1/db",
        redis_url="redis://:hidden/word@127.0.0.1:abc/0",
    )

    assert [line.split(":")[0] for line in said.splitlines()] == [
        "BOHNANZA_DATABASE_URL",
        "BOHNANZA_MIGRATE_DATABASE_URL",
        "BOHNANZA_REDIS_URL",
    ]
    assert "hidden" not in said


def test_with_a_key_that_others_can_read(tmp_path: Path) -> None:
    key = tmp_path / "token.key"
    key.write_text("k" * 64)
    key.chmod(0o644)

    said = refused(tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none", data_dir=str(tmp_path))

    assert str(key) in said
    assert "k" * 64 not in said


def test_with_several_wrong_settings_at_once(tmp_path: Path) -> None:
    said = refused(tmp_path, port="many", cached_games="0", token_keys="short", portt="1")

    for name in ("PORT", "CACHED_GAMES", "TOKEN_KEYS", "PORTT"):
        assert f"BOHNANZA_{name}:" in said
    assert "short" not in said
