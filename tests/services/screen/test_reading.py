"""A file is a recording in which everything is right, or it is refused with a sentence that says where."""

import errno
import os
import re
from pathlib import Path

import msgspec
import pytest

from domain.events import GameEnded
from services.screen import reading
from services.screen.reading import read, read_file
from services.screen.recording import NotPlayable
from tests.exports import OTHERS, export, golden_export, kept, setups


def refused(content: bytes) -> str:
    with pytest.raises(NotPlayable) as caught:
        read(content, "game.jsonl")
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert sentence.startswith("game.jsonl")
    return sentence


def parts() -> tuple[bytes, list[bytes], bytes]:
    header, *lines, trailer = golden_export("classic-2").splitlines()
    return header, lines, trailer


def whole(header: bytes, lines: list[bytes], trailer: bytes) -> bytes:
    return b"".join(line + b"\n" for line in (header, *lines, trailer))


@pytest.mark.parametrize("setup", setups())
def test_a_golden_game_is_read(setup: str, tmp_path: Path) -> None:
    recording = read_file(kept(tmp_path, golden_export(setup)))
    assert recording.game == f"golden-{setup}-1"
    assert [entry.version for entry in recording.entries] == list(range(1, len(recording.entries) + 1))
    ended = recording.entries[-1].event
    assert isinstance(ended, GameEnded)
    assert ended.seed not in repr(recording)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\x1b[2J\n",
        b"\x89PNG\r\n\x1a\n",
        b"[" * 100_000,
        b"{" * 60_000 + b"\n",
    ],
)
def test_something_else_is_refused(content: bytes) -> None:
    assert "line 1" in refused(content)


def test_another_format_and_a_newer_version_are_named() -> None:
    header, lines, trailer = parts()
    other = header.replace(b"bohnanza-log", b"skat-log")
    assert "skat-log" in refused(whole(other, lines, trailer))
    newer = header.replace(b'"format_version":1', b'"format_version":2')
    assert "use a newer one" in refused(whole(newer, lines, trailer))
    rules = header.replace(b'"rules_version":1', b'"rules_version":2')
    assert "verify" in refused(whole(rules, lines, trailer))


def test_a_file_that_was_cut_off_is_refused_wherever_it_was() -> None:
    content = golden_export("classic-2")
    for end in [*range(1, len(content), 997), len(content) - 1]:
        assert "cut off" in refused(content[:end]) or "no JSON" in refused(content[:end])
    header, lines, _ = parts()
    assert "before its trailer" in refused(b"".join(line + b"\n" for line in (header, *lines)))


def test_what_is_not_utf_8_is_refused_with_its_line() -> None:
    header, lines, trailer = parts()
    lines[1] = lines[1].replace(b"player-0", b"player-\xff")
    assert "line 3 (version 2)" in refused(whole(header, lines, trailer))


def test_a_key_that_stands_there_twice_is_refused_with_its_line() -> None:
    header, lines, trailer = parts()
    lines[1] = lines[1].replace(b'"seat":0', b'"seat":0,"seat":0', 1)
    assert "line 3 (version 2)" in refused(whole(header, lines, trailer))


def test_what_comes_after_the_trailer_is_refused() -> None:
    assert "after the trailer" in refused(golden_export("classic-2") + b"\n")


def test_a_line_without_end_is_refused() -> None:
    header, lines, trailer = parts()
    lines[4] = lines[4] + b" " * 70_000
    assert "line 6 (version 5)" in refused(whole(header, lines, trailer))


def test_a_move_against_the_rules_is_refused_with_its_version() -> None:
    header, lines, _ = parts()
    place = next(place for place, line in enumerate(lines) if b'"type":"bean_planted"' in line)
    lines[place] = lines[place].replace(b'"field":', b'"field":1')
    sentence = refused(export(header, lines))
    assert f"Version {place + 1}" in sentence
    assert "`bohnanza verify`" in sentence


def test_a_line_that_is_missing_is_refused_with_its_version() -> None:
    header, lines, _ = parts()
    del lines[50]
    assert "51" in refused(export(header, lines))


def test_a_chain_that_does_not_hold_and_a_forged_signature_are_refused() -> None:
    header, lines, trailer = parts()
    later = re.sub(rb"\.\d{6}Z", b".999999Z", lines[-1])
    assert later != lines[-1]
    assert "chain" in refused(whole(header, [*lines[:-1], later], trailer))
    signed = msgspec.json.decode(trailer)
    forged = msgspec.json.decode(export(header, lines, OTHERS).splitlines()[-1])
    assert "signature" in refused(
        whole(header, lines, msgspec.json.encode({**signed, "signature": forged["signature"]}))
    )


def test_a_header_of_another_edition_is_refused() -> None:
    header, lines, _ = parts()
    other = header.replace(b'"ruleset":"classic"', b'"ruleset":"boonanza"')
    assert "another edition than the header" in refused(export(other, lines))


def test_text_of_others_in_a_sentence_is_harmless() -> None:
    header, lines, trailer = parts()
    lines[1] = lines[1].replace(b'"nonce"', b'"\\u001b[2J\\u202e"')
    assert "line 3" in refused(whole(header, lines, trailer))


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1024)
    path = tmp_path / "game.jsonl"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no room
    with pytest.raises(NotPlayable, match="too large"):
        read_file(path)


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotPlayable, match="none: No such file"):
        read_file(tmp_path / "none")
    with pytest.raises(NotPlayable, match="Is a directory"):
        read_file(tmp_path)
    with pytest.raises(NotPlayable, match="File name too long"):
        read_file(tmp_path / ("x" * 300))


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may read everything, perhaps."""

    def refuse(path: str, _flags: int) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(reading, "_at_once", refuse)
    with pytest.raises(NotPlayable, match="Permission denied"):
        read_file(tmp_path / "game.jsonl")
