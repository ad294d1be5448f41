"""Export files: a right one is right in every respect, and whatever is done to one is found and named."""

import json
import os
import random
import resource
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.audit import CHECKS, Check
from domain.export import LONGEST_LINE
from services.audit.files import Verdict, check_file
from services.audit.signatures import signature_of
from tests.exports import KEYS, OTHERS, changed, export, golden_export, kept, parts, setups

DUEL: Final = "classic-2"
TRADING: Final = "classic-4"
STRIDE: Final = 61
"""Coprime with the length of most lines: every kind of place is met."""


def checked(folder: Path, content: bytes, trusted: Iterable[str] | None = KEYS.public) -> Verdict:
    return check_file(kept(folder, content), signature_of(None if trusted is None else list(trusted)))


def found(verdict: Verdict) -> dict[str, str]:
    """What is wrong, and not only out of reach behind something that is."""
    return {check.name: check.detail for check in verdict.checks if not check.ok and "Not reached" not in check.detail}


@pytest.mark.parametrize("setup", setups())
def test_a_right_file_is_right(tmp_path: Path, setup: str) -> None:
    verdict = checked(tmp_path, golden_export(setup))

    assert [check.name for check in verdict.checks] == list(CHECKS)
    assert found(verdict) == {}
    assert verdict.ok


def test_an_edited_byte_anywhere_is_found(tmp_path: Path) -> None:
    content = golden_export(DUEL)
    first_line, last_line = content.index(b"\n") + 1, content.rindex(b"\n", 0, -1)
    places = {*range(first_line), *range(last_line, len(content)), *range(0, len(content), STRIDE)}
    dice = random.Random(7)
    unfound = []
    for place in sorted(places):
        other = dice.choice([byte for byte in (content[place] ^ 1, 0, 32, 48, 255, 10) if byte != content[place]])
        edited = bytearray(content)
        edited[place] = other
        if not found(checked(tmp_path, bytes(edited))):
            unfound.append((place, other))
    assert unfound == []


def test_a_byte_more_or_less_anywhere_is_found(tmp_path: Path) -> None:
    content = golden_export(DUEL)
    for place in [*range(0, len(content), 499), len(content) - 1]:
        assert not checked(tmp_path, content[:place] + content[place + 1 :]).ok, place
        assert not checked(tmp_path, content[:place] + b" " + content[place:]).ok, place
    assert not checked(tmp_path, content + b"\n").ok
    assert not checked(tmp_path, b"\xef\xbb\xbf" + content).ok
    assert not checked(tmp_path, content.replace(b"\n", b"\r\n")).ok


def test_a_changed_time_breaks_the_chain_and_nothing_else(tmp_path: Path) -> None:
    content = golden_export(TRADING)
    at = content.index(b'"at":"', len(content) // 2) + len('"at":"2026-01-01T00:00:00.00000')
    later = content[:at] + (b"7" if content[at : at + 1] != b"7" else b"8") + content[at + 1 :]

    wrong = found(checked(tmp_path, later))

    assert "chain" in wrong
    assert set(wrong) <= {"chain", "format"}
    if "format" not in wrong:
        assert wrong["chain"].endswith("The head is the signed one: a line was changed.")


def test_a_forged_history_with_a_chain_of_its_own_is_signed_by_nobody_who_is_trusted(tmp_path: Path) -> None:
    header_line, lines = parts(TRADING)
    forged = export(header_line, lines, OTHERS)

    assert found(checked(tmp_path, forged)) == {
        "signature": f"Signed by {OTHERS.public[0]}, which is none of the trusted keys."
    }
    by_itself = checked(tmp_path, forged, None)
    assert by_itself.ok
    assert "has not been looked at" in by_itself.checks[CHECKS.index("signature")].detail


def test_a_signature_of_another_game_is_none_of_this_one(tmp_path: Path) -> None:
    *lines, _ = golden_export(DUEL).splitlines()
    *_, foreign = golden_export(TRADING).splitlines()
    own = json.loads(golden_export(DUEL).splitlines()[-1])
    mixed = msgspec.json.encode({**json.loads(foreign), "head": own["head"]})

    wrong = found(checked(tmp_path, b"\n".join([*lines, mixed, b""])))

    assert set(wrong) == {"signature"}


def _harvest(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "field_harvested" and event["coins"] > 0)


def _one_coin_more(entry: dict[str, Any]) -> None:
    entry["event"]["coins"] += 1
    entry["event"]["discarded"] -= 1


def _shuffle(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "deck_shuffled")


def _two_cards_swapped(entry: dict[str, Any]) -> None:
    beans = entry["event"]["beans"]
    other = next(place for place, bean in enumerate(beans) if bean != beans[-1])
    beans[-1], beans[other] = beans[other], beans[-1]


def _ended(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "game_ended")


def _another_seed(entry: dict[str, Any]) -> None:
    entry["event"]["seed"] = "00" * 32


def _the_seed_in_capitals(entry: dict[str, Any]) -> None:
    entry["event"]["seed"] = entry["event"]["seed"].upper()


def _a_coin_for_the_last(entry: dict[str, Any]) -> None:
    entry["event"]["ranking"][-1]["coins"] += 1


def _another_winner(entry: dict[str, Any]) -> None:
    winners = entry["event"]["winners"]
    winners[0] = (winners[0] + 1) % len(entry["event"]["ranking"])


def _planted(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "bean_planted")


def _another_card(entry: dict[str, Any]) -> None:
    entry["event"]["card"] += 1


def _nonce(entry: dict[str, Any]) -> None:
    entry["event"]["nonce"] += "!"


def _joined(event: dict[str, Any]) -> bool:
    return bool(event["type"] == "player_joined")


@pytest.mark.parametrize(
    ("check", "wanted", "change"),
    [
        ("coins", _harvest, _one_coin_more),
        ("shuffles", _shuffle, _two_cards_swapped),
        ("commitment", _ended, _another_seed),
        ("commitment", _ended, _the_seed_in_capitals),
        ("ranking", _ended, _a_coin_for_the_last),
        ("ranking", _ended, _another_winner),
        ("moves", _planted, _another_card),
    ],
)
@pytest.mark.parametrize("setup", [DUEL, TRADING])
def test_what_the_operator_forges_with_chain_and_signature_is_found_by_its_own_check(
    tmp_path: Path,
    setup: str,
    check: str,
    wanted: Callable[[dict[str, Any]], bool],
    change: Callable[[dict[str, Any]], None],
) -> None:
    header_line, lines = parts(setup)
    version = changed(lines, wanted, change)

    wrong = found(checked(tmp_path, export(header_line, lines)))

    assert set(wrong) == {check}
    assert wrong[check].startswith(f"Version {version}: ")


def test_another_nonce_gives_other_shuffles(tmp_path: Path) -> None:
    header_line, lines = parts(TRADING)
    changed(lines, _joined, _nonce)
    assert set(found(checked(tmp_path, export(header_line, lines)))) == {"shuffles"}


@pytest.mark.parametrize(
    ("damage", "check", "sentence"),
    [
        (lambda lines: lines.pop(100), "format", "Version 102 stands where version 101 belongs."),
        (lambda lines: lines.insert(100, lines[99]), "format", "Version 100 stands where version 101 belongs."),
        (lambda lines: lines.insert(7, lines.pop(60)), "format", "Version 61 stands where version 8 belongs."),
        (lambda lines: lines.pop(), "commitment", "No seed is revealed by the last event."),
    ],
)
def test_a_history_with_lines_removed_added_or_moved_is_found(
    tmp_path: Path, damage: Callable[[list[bytes]], object], check: str, sentence: str
) -> None:
    header_line, lines = parts(TRADING)
    damage(lines)
    assert found(checked(tmp_path, export(header_line, lines)))[check] == sentence


def test_a_time_that_runs_backwards_is_found(tmp_path: Path) -> None:
    header_line, lines = parts(TRADING)

    def much_earlier(entry: dict[str, Any]) -> None:
        entry["at"] = "2001-01-01T00:00:00.000000Z"

    version = changed(lines, _harvest, much_earlier)
    assert found(checked(tmp_path, export(header_line, lines))) == {
        "format": f"Version {version} is earlier than the one before it."
    }


@pytest.mark.parametrize("field", ["ruleset", "rules_version", "game"])
def test_another_header_is_found(tmp_path: Path, field: str) -> None:
    header_line, lines = parts(TRADING)
    other = {"ruleset": "boonanza", "rules_version": 2, "game": "another-game"}
    header = {**json.loads(header_line), field: other[field]}
    wrong = found(checked(tmp_path, export(msgspec.json.encode(header), lines)))
    assert set(wrong) == ({"shuffles"} if field == "game" else {"format"})


HEADER: Final = b'{"format":"bohnanza-log","format_version":1,"game":"g","ruleset":"classic","rules_version":1}\n'
LINE: Final = (
    b'{"version":1,"at":"2026-01-01T00:00:00.000000Z","seat":0,"event":{"type":"turn_started","turn":1,"seat":0}}\n'
)
TRAILER: Final = b'{"head":"' + b"0" * 64 + b'","key":"a","signature":"b"}\n'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Line 1: The file is empty."),
        (b"\n", "Line 1: It does not begin with the header of an export."),
        (b"\x00" * 100 + b"\n", "Line 1: It does not begin with the header of an export."),
        (b"\x1f\x8b\x08\x00rubbish\n", "Line 1: It is compressed (gzip): unpack it first"),
        (b"\xff\xfe\n", "Line 1: It is not UTF-8, so it is no export."),
        (HEADER.replace(b'_version":1,"game', b'_version":99999999999,"game'), "Line 1: It is written in version 9999"),
        (b'{"keys":[]}', "Line 1: It does not begin with the header of an export."),
        (b"\xef\xbb\xbf" + HEADER, "Line 1: It begins with a byte order mark"),
        (HEADER.replace(b"\n", b"\r\n"), "Line 1: It ends with a carriage return"),
        (b"PK\x03\x04rubbish", "Line 1: It does not begin with the header of an export."),
        (b'{"format":"pgn","format_version":1}\n', "Line 1: It is of another format: 'pgn', not 'bohnanza-log'."),
        (
            HEADER.replace(b'_version":1,"game', b'_version":2,"game'),
            "Line 1: It is written in version 2 of the format, and this program knows version 1: use a newer one.",
        ),
        (HEADER.replace(b'"g"', b'"\xff"'), "Line 1: "),
        (HEADER.replace(b'"g"', b'"g","game":"h"'), "Line 1: It is not spelt as an export is"),
        (HEADER.replace(b'"g"', b'"\\u0067"'), "Line 1: It is not spelt as an export is"),
        (HEADER, "Line 1: The file stops before its trailer: it was cut off."),
        (HEADER[:-1], "Line 1: The file stops amid this line: it was cut off."),
        (HEADER + LINE[:-9], "Line 2 (version 1): The file stops amid this line: it was cut off."),
        (HEADER + LINE, "Line 2 (version 1): The file stops before its trailer: it was cut off."),
        (HEADER + b"\n" + TRAILER, "Line 2 (version 1): The line is no JSON, or is cut off."),
        (HEADER + b"[" * 60_000 + b"\n", "Line 2 (version 1): "),
        (HEADER + LINE.replace(b'"turn":1', b'"turn":' + b"1" * 5_000), "Line 2 (version 1): It holds an event that"),
        (HEADER + LINE.replace(b'"turn":1', b'"turn":1e9999'), "Line 2 (version 1): It holds an event that"),
        (HEADER + LINE.replace(b'"turn":1', b'"turn":1.0'), "Line 2 (version 1): "),
        (HEADER + LINE.replace(b'"turn":1', b'"turn":1,"turn":2'), "Line 2 (version 1): It is not spelt"),
        (HEADER + LINE.replace(b'"version":1', b'"version":1,"version":1'), "Line 2 (version 1): It is not spelt"),
        (HEADER + LINE.replace(b'"version":1', b'"version":' + b"9" * 400), "Line 2 (version 1): "),
        (HEADER + LINE.replace(b'"version":1', b'"version":99999999999'), "Line 2 (version 1): The line does not hold"),
        (HEADER + LINE.replace(b"turn_started", b"turn_stopped"), "Line 2 (version 1): It holds an event that"),
        (HEADER + LINE.replace(b"01-01T", b"02-30T"), "Line 2 (version 1): The time is none, or not written"),
        (HEADER + LINE.replace(b"000Z", b"000+00:00"), "Line 2 (version 1): The time is none, or not written"),
        (HEADER + LINE.replace(b"2026-01-01", b"0001-01-01").replace(b"000Z", b"000+23:00"), "Line 2 (version 1): The"),
        (HEADER + LINE.replace(b"turn_started", b"turn\xffstarted"), "Line 2 (version 1): "),
        (HEADER + b'{"head":' * 2 + b"\n", "Line 2: The trailer does not hold"),
        (HEADER + TRAILER.replace(b"0" * 64, b"A" * 64), "Line 2: The head is not 64 hexadecimal digits."),
        (
            HEADER + TRAILER.replace(b'"a"', b'"\\u001b[2J"'),
            "Line 2: The key or the signature is no base64",
        ),
        (HEADER + TRAILER.replace(b'"b"', b'"Alles ist gut."'), "Line 2: The key or the signature is no"),
        (HEADER + TRAILER + TRAILER, "Line 3: It comes after the trailer"),
        (HEADER + b"x" * (LONGEST_LINE + 1) + b"\n", f"Line 2 (version 1): It is longer than {LONGEST_LINE} bytes"),
    ],
)
def test_what_is_no_export_is_refused_in_a_sentence_with_the_line(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    verdict = checked(tmp_path, content)

    assert set(found(verdict)) == {"format"}
    assert found(verdict)["format"].startswith(sentence)


def test_a_trailer_alone_is_an_empty_history(tmp_path: Path) -> None:
    head = KEYS.sign(b"")
    wrong = found(checked(tmp_path, HEADER + TRAILER.replace(b'"a"', f'"{head.key}"'.encode())))
    assert set(wrong) == {"chain", "signature", "commitment", "moves"}


@pytest.mark.parametrize("line", [b"", b"x" * (1 << 20)])
def test_gigabytes_are_read_in_constant_memory(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        file.write(HEADER + line)
        # A hole: a file of four gigabytes that takes no room.
        os.truncate(path, 4 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    verdict = check_file(path, signature_of(None))

    assert set(found(verdict)) == {"format"}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_many_right_lines_take_no_more_memory_than_few(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(HEADER)
        for _ in range(150):
            file.write(LINE * 1000)
        file.write(TRAILER)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    verdict = check_file(path, signature_of(None))

    assert verdict.events == 150_000
    assert not verdict.ok
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_offers_without_end_do_not_fill_the_memory(tmp_path: Path) -> None:
    header_line, lines = parts(TRADING)
    at = next(place for place, line in enumerate(lines) if b'"trade_offered"' in line)
    offer = json.loads(lines[at])
    flood = []
    for more in range(30):
        entry = {
            **offer,
            "version": at + 1 + more,
            "event": {**offer["event"], "offer": offer["event"]["offer"] + more},
        }
        flood.append(msgspec.json.encode(entry))

    wrong = found(checked(tmp_path, export(header_line, [*lines[:at], *flood])))

    assert wrong["moves"] == f"Version {at + 21}: Seat {offer['event']['from']} has 20 offers open already."


def test_a_wrong_ranking_does_not_hide_that_the_server_chose_the_decks_alone(tmp_path: Path) -> None:
    header_line, *lines, _ = golden_export(DUEL, 3).splitlines()
    changed(lines, _ended, _a_coin_for_the_last)
    verdict = checked(tmp_path, export(header_line, lines))
    assert set(found(verdict)) == {"ranking"}
    assert "the server chose the decks alone" in verdict.checks[CHECKS.index("shuffles")].detail


def test_every_check_has_a_sentence_of_its_own(tmp_path: Path) -> None:
    checks: list[Check] = checked(tmp_path, golden_export(TRADING)).checks
    assert len({check.detail for check in checks}) == len(CHECKS)
