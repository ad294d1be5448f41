"""Token keys: the first signs, a weak one is refused, and the kept one is for its owner only."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from infra.kept_key import KeyRefused
from services.identity.keys import KEY_FILE, kept_keys, parse_keys

FIRST = "a" * 32
SECOND = "b" * 40


def test_the_first_key_signs_and_all_of_them_verify() -> None:
    keys = parse_keys(f"{FIRST}, {SECOND},")
    assert keys.signing.secret == FIRST.encode()
    assert [key.secret for key in keys.by_kid.values()] == [FIRST.encode(), SECOND.encode()]


@pytest.mark.parametrize("text", ["", ",", "short", f"{FIRST},short"])
def test_a_missing_or_short_key_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(KeyRefused) as refused:
        parse_keys(text)
    assert "short" not in str(refused.value)


def test_a_representation_shows_no_secret() -> None:
    keys = parse_keys(FIRST)
    assert FIRST not in repr(keys)
    assert FIRST not in repr(keys.signing)
    assert FIRST not in keys.signing.kid


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    data = tmp_path / "a new folder"
    first = kept_keys(data)
    assert stat.S_IMODE((data / KEY_FILE).stat().st_mode) == 0o600
    assert kept_keys(data).signing.secret == first.signing.secret
    assert len(first.signing.secret) >= 32
    assert [path.name for path in data.iterdir()] == [KEY_FILE]


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as starters:
        keys = list(starters.map(lambda _: kept_keys(tmp_path), range(16)))
    assert len({key.signing.secret for key in keys}) == 1


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    kept_keys(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o644)
    with pytest.raises(KeyRefused, match="chmod 600"):
        kept_keys(tmp_path)


@pytest.mark.parametrize("content", [b"\xff\xfe\xfa" * 20, None])
def test_a_file_that_is_none_of_keys_is_named_and_not_shown(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "token.key"
    if content is None:
        path.mkdir(mode=0o700)
    else:
        path.write_bytes(content)
        path.chmod(0o600)

    with pytest.raises(KeyRefused, match="cannot be read as a file of keys") as refused:
        kept_keys(tmp_path)

    assert str(path) in str(refused.value)
    assert refused.value.__cause__ is None
