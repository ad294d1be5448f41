"""`bohnanza verify` for files: what it prints, and its exit codes."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from domain.anchors import Anchor, Anchored, anchored, statement
from domain.merkle import Tree
from infra.clock import SystemClock
from services.audit.jwks import jwks
from services.cli.failure import Failure
from services.cli.verify import command
from tests.exports import KEYS, OTHERS, golden_export, kept

DAY = date(2026, 1, 1)
"""On which the golden games ended."""


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else msgspec.json.encode(content))
    return path


def proof_of(content: bytes, *, keys: Any = KEYS, previous: str | None = None, day: date = DAY) -> Anchored:
    """The game as the third of five in the anchor of that day."""
    head = bytes.fromhex(json.loads(content.splitlines()[-1])["head"])
    tree = Tree([b"a" * 32, b"b" * 32, head, b"c" * 32, b"d" * 32])
    said = (day, 5, tree.root.hex(), previous)
    signed = keys.sign(statement(*said))
    return anchored(Anchor(*said, signed.key, signed.signature), 2, tree.proof(2))


def page_of(*anchors: Anchor) -> dict[str, Any]:
    fields = Anchor.__struct_fields__
    return {"anchors": [{name: getattr(anchor, name) for name in fields} for anchor in anchors], "next": None}


def test_a_right_file_is_told_check_by_check(tmp_path: Path) -> None:
    file = kept(tmp_path, golden_export("classic-4"))
    told = verify(file, "--keys", written(tmp_path, "keys.json", jwks(KEYS.public)))
    assert told.exit_code == 0
    assert told.output.count("right") >= 9
    assert f"Signed by {KEYS.public[0]}, a trusted key." in told.output
    assert told.output.endswith("All is right.\n")


def test_without_keys_it_says_what_it_does_not_know(tmp_path: Path) -> None:
    told = verify(kept(tmp_path, golden_export("classic-2")))
    assert told.exit_code == 0
    assert "whose key that is has not been looked at" in told.output
    assert told.output.endswith("All is right, if the key is the server's: --keys tells.\n")


def test_nothing_in_a_file_moves_the_cursor(tmp_path: Path) -> None:
    hostile = b'{"format":"\\u001b[2J\\u001b[8m","format_version":1}\n'
    unknown = b'{"version":1,"\\u001b[2J\\r\\n  All is right.":0}\n'
    header = golden_export("classic-2").splitlines()[0] + b"\n"
    for content in (hostile, header + unknown):
        told = verify(kept(tmp_path, content))
        assert told.exit_code == 1
        assert "\x1b" not in told.output
        assert "\r" not in told.output
        assert "All is right" not in [line.strip(" .") for line in told.output.splitlines()]
    assert "\x1b" not in verify(tmp_path / "no\x1b[2J file").output


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    told = verify(tmp_path / ("x" * 300))
    assert isinstance(told.exception, Failure)
    assert "File name too long" in told.output


def test_a_stranger_s_signature_is_no_trusted_one(tmp_path: Path) -> None:
    keys = written(tmp_path, "keys.json", jwks(OTHERS.public))
    told = verify(kept(tmp_path, golden_export("classic-2")), "--keys", keys)
    assert told.exit_code == 1
    assert "WRONG  signature" in told.output


def test_one_wrong_file_of_several_is_enough(tmp_path: Path) -> None:
    right = written(tmp_path, "right.jsonl", golden_export("classic-2"))
    wrong = written(tmp_path, "wrong.jsonl", golden_export("classic-2")[:-2])
    told = verify(right, wrong, tmp_path / "missing.jsonl", tmp_path)
    assert told.exit_code == 1
    assert "1 of 4 files are right." in told.output
    assert f"{tmp_path / 'missing.jsonl'}: No such file or directory" in told.output
    assert f"{tmp_path}: Is a directory" in told.output


def test_a_file_that_cannot_be_read_is_not_called_wrong(tmp_path: Path) -> None:
    told = verify(tmp_path / "missing.jsonl", kept(tmp_path, golden_export("classic-2")))
    assert isinstance(told.exception, Failure)
    assert told.exception.exit_code == 2
    assert "WRONG" not in told.output


def test_what_stands_in_a_file_is_not_taken_for_markup(tmp_path: Path) -> None:
    told = verify(written(tmp_path, "[red]name", b'{"format":"[bold red]x","format_version":1}\n'))
    assert "'[bold red]x'" in told.output
    assert told.exit_code == 1


def test_a_proof_leads_to_the_anchor_of_the_day(tmp_path: Path) -> None:
    content = golden_export("classic-4")
    proof = proof_of(content)
    audit = written(tmp_path, "audit.json", {"ok": True, "checks": [], "anchor": proof})
    keys = written(tmp_path, "keys.json", jwks(KEYS.public))

    told = verify(kept(tmp_path, content), "--keys", keys, "--audit", audit)
    assert "The head is leaf 2 of 5 in the anchor of 2026-01-01." in told.output
    assert told.exit_code == 0

    noted = written(tmp_path, "anchors.json", page_of(proof))
    told = verify(kept(tmp_path, content), "--keys", keys, "--audit", audit, "--kept", noted)
    assert "as it was kept." in told.output
    assert told.exit_code == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"index": 3}, "does not lead from the head to the root"),
        ({"games": 4}, "does not lead from the head to the root"),
        ({"proof": []}, "does not lead from the head to the root"),
        ({"proof": ["zz"] * 3}, "does not lead from the head to the root"),
        ({"root": "0" * 64}, "does not lead from the head to the root"),
        ({"day": date(2026, 1, 2)}, "It is not what the key"),
        ({"previous": "0" * 64}, "It is not what the key"),
        ({"signature": "A" * 86}, "It is not what the key"),
    ],
)
def test_another_proof_is_none(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    content = golden_export("classic-4")
    changed = msgspec.structs.replace(proof_of(content), **change)
    audit = written(tmp_path, "audit.json", {"anchor": changed})
    told = verify(kept(tmp_path, content), "--audit", audit)
    assert told.exit_code == 1
    assert words in told.output


def test_an_anchor_that_was_made_anew_is_not_the_one_that_was_kept(tmp_path: Path) -> None:
    """The operator changes a game, signs it, its day and all that follows anew: only who kept the anchor can tell."""
    content = golden_export("classic-4")
    audit = written(tmp_path, "audit.json", {"anchor": proof_of(content)})
    before = written(tmp_path, "anchors.json", page_of(proof_of(golden_export("classic-2"))))
    keys = written(tmp_path, "keys.json", jwks(KEYS.public))

    assert verify(kept(tmp_path, content), "--keys", keys, "--audit", audit).exit_code == 0
    told = verify(kept(tmp_path, content), "--keys", keys, "--audit", audit, "--kept", before)

    assert told.exit_code == 1
    assert "The anchor of 2026-01-01 is another one than was kept." in told.output
    elsewhere = written(tmp_path, "anchors.json", page_of(made(date(2025, 12, 31))))
    told = verify(kept(tmp_path, content), "--audit", audit, "--kept", elsewhere)
    assert told.exit_code == 1
    assert "Not yet: the anchors that were kept are older than that of the game, of 2026-01-01." in told.output
    assert "WRONG" not in told.output


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    return kept(tmp_path, golden_export("classic-4"))


def made(day: date, previous: Anchor | None = None) -> Anchor:
    """An anchor of other games."""
    said = (day, 1, "ab" * 32, None if previous is None else previous.hash)
    signed = KEYS.sign(statement(*said))
    return Anchor(*said, signed.key, signed.signature)


def test_an_anchor_of_a_day_before_the_end_cannot_have_known_the_game(tmp_path: Path, game_file: Path) -> None:
    proof = proof_of(game_file.read_bytes(), day=date(2025, 12, 31))
    told = verify(game_file, "--audit", written(tmp_path, "audit.json", {"anchor": proof}))
    assert told.exit_code == 1
    assert "WRONG  anchor" in told.output
    assert "ended on 2026-01-01, after the day of its anchor, 2025-12-31." in told.output


def test_a_late_anchor_is_right_and_it_is_said_what_it_does_not_show(tmp_path: Path, game_file: Path) -> None:
    proof = proof_of(game_file.read_bytes(), day=date(2026, 9, 9))
    told = verify(game_file, "--audit", written(tmp_path, "audit.json", {"anchor": proof}))
    assert told.exit_code == 0
    assert (
        "ended on 2026-01-01, anchored only on 2026-09-09: until then nothing shows that it was not changed."
        in told.output
    )
    same_day = verify(
        game_file, "--audit", written(tmp_path, "same.json", {"anchor": proof_of(game_file.read_bytes())})
    )
    assert "nothing shows" not in same_day.output


@pytest.mark.parametrize(("day", "exit_code"), [(date(2025, 12, 31), 0), (DAY, 1), (date(2026, 9, 8), 1)])
def test_a_late_anchor_is_wrong_when_one_was_kept_that_should_have_had_the_game(
    tmp_path: Path, game_file: Path, day: date, exit_code: int
) -> None:
    """A changed game, put into an anchor of its own: the one that was kept has the game as it was."""
    earlier = made(day)
    late = proof_of(game_file.read_bytes(), day=date(2026, 9, 9), previous=earlier.hash)
    audit = written(tmp_path, "audit.json", {"anchor": late})
    told = verify(game_file, "--audit", audit, "--kept", written(tmp_path, "kept.json", page_of(late, earlier)))
    assert told.exit_code == exit_code
    assert (f"it is not in the one of {day}." in told.output) == bool(exit_code)


LATER = (date(2026, 1, 3), date(2026, 1, 4), date(2026, 2, 1))


def chain(own: Anchor) -> list[Anchor]:
    """That anchor, and three that go on from it."""
    found = [own]
    for day in LATER:
        found.append(made(day, found[-1]))
    return found


def test_who_kept_a_later_anchor_alone_is_led_back_to_the_one_of_the_game(tmp_path: Path, game_file: Path) -> None:
    own = proof_of(game_file.read_bytes())
    anchors = chain(own)
    audit = written(tmp_path, "audit.json", {"anchor": own})
    newest = written(tmp_path, "newest.json", page_of(anchors[3]))
    # The list is paged.
    pages = [
        written(tmp_path, f"{number}.json", page_of(*page)) for number, page in enumerate((anchors[2:], anchors[:2]))
    ]
    present = [word for page in pages for word in ("--present", page)]

    told = verify(game_file, "--audit", audit, "--kept", newest, *present)
    assert told.exit_code == 0
    assert "in the anchor of 2026-01-01, and those that were kept go on from it." in told.output
    # Its own anchor comes with the proof: the one that follows it is enough.
    following = written(tmp_path, "following.json", page_of(anchors[1]))
    assert verify(game_file, "--audit", audit, "--kept", following).exit_code == 0
    # Kept in several parts.
    assert verify(game_file, "--audit", audit, "--kept", newest, "--kept", following).exit_code == 0

    told = verify(game_file, "--audit", audit, "--kept", newest)
    assert told.exit_code == 1
    assert "Not yet: from the anchors that were kept the list of today (--present) has to lead" in told.output
    told = verify(game_file, "--audit", audit, "--kept", newest, *present[:2])
    assert told.exit_code == 1
    assert "WRONG  anchor" in told.output
    assert "do not lead from them to it." in " ".join(told.output.split())


def test_a_chain_that_was_made_anew_is_not_the_one_that_a_later_anchor_goes_on_from(
    tmp_path: Path, game_file: Path
) -> None:
    before = chain(proof_of(golden_export("classic-2")))
    own = proof_of(game_file.read_bytes())
    anew = chain(own)
    audit = written(tmp_path, "audit.json", {"anchor": own})
    newest = written(tmp_path, "newest.json", page_of(before[3]))
    for page, words in (
        (anew, "The anchor of 2026-02-01 is another one than was kept."),
        # Nor does it help to leave that one out, or to give the old ones.
        (anew[:3], "do not lead from them to it."),
        (before, "The anchor of 2026-01-01 is another one than was kept."),
    ):
        present = written(tmp_path, "present.json", page_of(*page))
        told = verify(game_file, "--audit", audit, "--kept", newest, "--present", present)
        assert told.exit_code == 1
        assert words in " ".join(told.output.split())


def test_an_anchor_of_an_earlier_day_behind_a_later_one_is_not_reached(tmp_path: Path, game_file: Path) -> None:
    """Somebody with the key puts the day of the game in where it cannot have been, and goes on from there."""
    own = proof_of(game_file.read_bytes())
    later = made(date(2026, 1, 3))
    between = made(date(2026, 1, 4), own)
    astray = made(date(2026, 1, 2), between)
    newest = made(date(2026, 2, 1), astray)
    audit = written(tmp_path, "audit.json", {"anchor": own})
    present = written(tmp_path, "present.json", page_of(astray, between, later))
    told = verify(
        game_file, "--audit", audit, "--kept", written(tmp_path, "kept.json", page_of(newest)), "--present", present
    )
    assert told.exit_code == 1
    assert "do not lead from them to it." in " ".join(told.output.split())


def test_a_late_anchor_is_wrong_when_those_that_were_kept_lead_to_an_earlier_one(
    tmp_path: Path, game_file: Path
) -> None:
    missed = made(DAY)
    own = proof_of(game_file.read_bytes(), day=date(2026, 1, 5), previous=missed.hash)
    audit = written(tmp_path, "audit.json", {"anchor": own})
    newest = written(tmp_path, "kept.json", page_of(made(date(2026, 1, 6), own)))
    present = written(tmp_path, "present.json", page_of(missed))
    told = verify(game_file, "--audit", audit, "--kept", newest, "--present", present)
    assert told.exit_code == 1
    assert "it is not in the one of 2026-01-01." in told.output


@pytest.mark.parametrize("option", ["--kept", "--present"])
def test_a_list_without_an_anchor_is_refused(tmp_path: Path, game_file: Path, option: str) -> None:
    own = proof_of(game_file.read_bytes())
    audit, noted = written(tmp_path, "audit", {"anchor": own}), written(tmp_path, "noted", page_of(own))
    empty = written(tmp_path, "empty", page_of())
    told = verify(game_file, "--audit", audit, "--kept", noted, option, empty)
    assert isinstance(told.exception, Failure)
    assert str(told.exception) == f"{empty}: There is no anchor in it."


@pytest.mark.parametrize("option", ["--keys", "--audit", "--kept"])
def test_a_file_that_is_too_large_is_told(tmp_path: Path, game_file: Path, option: str) -> None:
    large = written(tmp_path, "large", b" " * 1_048_577)
    audit = written(tmp_path, "audit.json", {"anchor": None})
    arguments = ("--audit", audit, option, large) if option == "--kept" else (option, large)
    told = verify(game_file, *arguments)
    assert isinstance(told.exception, Failure)
    assert str(told.exception) == f"{large}: It has more than 1,048,576 bytes, as no answer of the server has."


def test_a_stranger_s_anchor_is_signed_by_no_trusted_key(tmp_path: Path) -> None:
    content = golden_export("classic-4")
    audit = written(tmp_path, "audit.json", {"anchor": proof_of(content, keys=OTHERS)})
    keys = written(tmp_path, "keys.json", jwks(KEYS.public))
    told = verify(kept(tmp_path, content), "--keys", keys, "--audit", audit)
    assert told.exit_code == 1
    assert "Of the anchor of 2026-01-01: Signed by" in told.output


def test_a_game_that_waits_for_its_anchor_is_not_proven_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audit = written(tmp_path, "audit.json", {"anchor": None})
    ended_on = datetime(2026, 1, 1, tzinfo=UTC)

    monkeypatch.setattr(SystemClock, "now", lambda _: ended_on + timedelta(days=4))
    told = verify(kept(tmp_path, golden_export("classic-2")), "--audit", audit)
    assert told.exit_code == 1
    assert "WRONG  anchor      The game ended at 2026-01-01, and is in no anchor since." in told.output

    monkeypatch.setattr(SystemClock, "now", lambda _: ended_on + timedelta(days=1))
    told = verify(kept(tmp_path, golden_export("classic-2")), "--audit", audit)
    assert told.exit_code == 1
    assert "-      anchor      Not yet: the game is in no anchor before its day is over." in told.output
    assert "WRONG" not in told.output
    assert told.output.endswith("but not all could be checked yet.\n")


@pytest.mark.parametrize("option", ["--keys", "--audit"])
@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff", b'{"keys":[]}', b"[" * 100_000, None])
def test_what_is_no_such_answer_is_said_in_a_sentence(tmp_path: Path, option: str, content: bytes | None) -> None:
    other = tmp_path / "missing" if content is None else written(tmp_path, "other.json", content)
    told = verify(kept(tmp_path, golden_export("classic-2")), option, other)
    assert isinstance(told.exception, Failure)
    assert str(told.exception).startswith(f"{other}: ")
    assert len(str(told.exception)) < 300


@pytest.mark.parametrize(
    "arguments", [[], ["a", "--kept", "b"], ["a", "b", "--audit", "c"], ["a", "--audit", "b", "--present", "c"]]
)
def test_what_does_not_fit_together_is_a_wrong_use(arguments: list[str]) -> None:
    assert verify(*arguments).exit_code == 2
