"""The page at /verify in a browser: right files are right, and whatever is done to one is found, by its check and
version, without anything being asked of anybody."""

import json
import os
import random
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.audit import CHECKS
from services.api.verifier import NO_KEYS, verifier_page
from services.audit.files import check_file
from services.audit.jwks import jwks
from services.audit.signatures import signature_of
from tests.domain.fairness import printed, vector
from tests.exports import KEYS, OTHERS, export, golden_export, kept, parts, setups
from tests.services.api.verifier_page import KNOWN, Verifier, opened, wrong

DUEL: Final = "classic-2"
TRADING: Final = "classic-4"
STRIDE: Final = 61
"""Coprime with the length of most lines: every kind of place is met."""

EDITS_AT_ONCE: Final = 50
CHOSEN_ALONE: Final = (
    "no player but the host gave a nonce: the server chose the decks alone, before it knew who would join."
)


@pytest.mark.parametrize("setup", setups())
def test_a_right_file_is_right(verifier: Verifier, setup: str) -> None:
    found = verifier.of_bytes(golden_export(setup))

    assert [check["name"] for check in found["checks"]] == list(CHECKS)
    assert wrong(found) == {}
    assert found["ok"] is True


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("setup", [DUEL, "classic-2-duel_fields=3", "field_beans-4"])
def test_other_games_of_the_unusual_editions_are_right_too(verifier: Verifier, setup: str, number: int) -> None:
    assert wrong(verifier.of_bytes(golden_export(setup, number))) == {}


def test_a_key_and_a_signature_have_one_spelling(verifier: Verifier) -> None:
    """The last sign of each has bits that stand for nothing."""
    *lines, last = golden_export(DUEL).splitlines()
    signs = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    trailer = json.loads(last)
    for name in ("key", "signature"):
        text = trailer[name]
        other = text[:-1] + chr(signs[signs.index(text[-1].encode()) ^ 1])
        respelt = msgspec.json.encode({**trailer, name: other})
        assert set(wrong(verifier.of_bytes(b"\n".join([*lines, respelt, b""])))) == {"format"}


@pytest.mark.parametrize(
    ("setup", "number", "alone"),
    [
        # The last who joined gave a nonce; nobody but the host did; one did and left, and who sat down then did not.
        (DUEL, 2, False),
        (DUEL, 3, True),
        ("classic-2-duel_fields=3", 1, True),
        ("classic-3", 1, True),
        # Nothing was shuffled.
        ("classic-3", 4, False),
    ],
)
def test_where_no_player_but_the_host_gave_a_nonce_it_is_said_that_the_server_chose_alone(
    verifier: Verifier, tmp_path: Path, setup: str, number: int, alone: bool
) -> None:
    content = golden_export(setup, number)
    found = verifier.of_bytes(content)
    assert found["ok"] is True
    said = found["checks"][CHECKS.index("shuffles")]["detail"]
    assert (CHOSEN_ALONE in said) == alone
    judged = check_file(kept(tmp_path, content), signature_of(KEYS.public))
    assert judged.ok
    assert (CHOSEN_ALONE in judged.checks[CHECKS.index("shuffles")].detail) == alone


def test_a_game_that_was_abandoned_is_right(verifier: Verifier) -> None:
    assert verifier.of_bytes(golden_export("classic-3", 4))["ok"] is True


def test_the_file_in_the_description_is_right(verifier: Verifier) -> None:
    keys = msgspec.json.encode(jwks([vector("signature")["key"]]))
    assert verifier.of_bytes(printed("file").encode(), keys)["ok"] is True


def test_a_person_sees_the_verdict_of_the_file_that_he_chose(verifier: Verifier, tmp_path: Path) -> None:
    right = verifier.of_file(kept(tmp_path, golden_export(DUEL)))
    assert (right.colour, right.told) == ("right", "Everything that this page can check is right.")
    assert [check.name for check in right.checks] == list(CHECKS)
    # What it cannot see stands where nobody overlooks it.
    assert "bohnanza verify" in right.reason
    assert verifier.page.evaluate("[...document.querySelectorAll('dd')].at(-1).textContent") == KEYS.public[0]

    edited = verifier.of_file(kept(tmp_path, golden_export(DUEL).replace(b'"seat":1', b'"seat":0', 1)))
    assert (edited.colour, edited.told) == ("wrong", "This file is wrong.")
    assert {check.name for check in edited.checks if check.ok is False} >= {"chain"}


def test_several_files_get_a_verdict_each(verifier: Verifier, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    files[0].write_bytes(golden_export(DUEL))
    files[1].write_bytes(golden_export(DUEL)[:-1])
    verifier.page.choose_files("#files", files)
    verifier.page.evaluate("""new Promise((resolve) => {
      const look = () => document.querySelectorAll("article").length === 2 ? resolve() : setTimeout(look, 10);
      look();
    })""")
    shown = "[...document.querySelectorAll('article')].map((one) => [one.dataset.file, one.dataset.verdict])"
    assert verifier.page.evaluate(shown) == [["a.jsonl", "right"], ["b.jsonl", "wrong"]]


def test_nothing_is_asked_of_anybody_and_nothing_could_be(tmp_path: Path) -> None:
    with opened() as verifier:
        verifier.of_file(kept(tmp_path, golden_export(TRADING)))
        assert verifier.page.requested() == [f"{verifier.origin}/verify"]
        tried = f"fetch('{verifier.origin}/stolen', {{method: 'POST', body: 'x'}}).then(() => 'sent', () => 'refused')"
        assert verifier.page.evaluate(tried) == "refused"
        image = f"""new Promise((told) => {{
          const image = new Image();
          image.onload = () => told("sent");
          image.onerror = () => told("refused");
          image.src = "{verifier.origin}/stolen";
        }})"""
        assert verifier.page.evaluate(image) == "refused"
        assert verifier.asked == ["/verify"]


def test_a_saved_copy_does_the_same_and_may_reach_nothing_either(verifier: Verifier, tmp_path: Path) -> None:
    with opened() as copy:
        saved = tmp_path / "saved.html"
        saved.write_bytes(verifier_page(KNOWN).body)
        copy.page.open(saved.as_uri())
        assert copy.of_file(kept(tmp_path, golden_export(DUEL))).colour == "right"
        tried = f"fetch('{verifier.origin}/stolen', {{mode: 'no-cors'}}).then(() => 'sent', () => 'refused')"
        assert copy.page.evaluate(tried) == "refused"
        assert "/stolen" not in verifier.asked


def test_where_the_browser_computes_no_hashes_the_page_says_what_to_do() -> None:
    """As on plain http of another machine, where a page is given no `crypto.subtle`."""
    without = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined });"
    with opened(before=without) as verifier:
        assert verifier.page.evaluate("document.querySelector('#insecure').checkVisibility()") is True
        assert "Save this page" in verifier.page.evaluate("document.querySelector('#insecure').innerText")
        assert verifier.page.evaluate("document.querySelector('#files').disabled") is True
        found = verifier.of_bytes(golden_export(DUEL))
        assert {check["ok"] for check in found["checks"]} == {None}
        assert found["ok"] is False


def test_where_the_browser_knows_no_ed25519_the_rest_is_checked() -> None:
    without = """
      const importKey = SubtleCrypto.prototype.importKey;
      SubtleCrypto.prototype.importKey = function (...given) {
        if (given[2] === "Ed25519") throw new DOMException("Unrecognized name.", "NotSupportedError");
        return importKey.apply(this, given);
      };"""
    with opened(before=without) as verifier:
        found = verifier.of_bytes(golden_export(DUEL))
        assert {check["name"]: check["ok"] for check in found["checks"]} == {
            name: None if name == "signature" else True for name in CHECKS
        }
        assert found["ok"] is False


def test_a_file_is_chosen_with_the_keyboard_alone(verifier: Verifier) -> None:
    verifier.page.evaluate("document.activeElement.blur()")
    for kind in ("rawKeyDown", "keyUp"):
        verifier.page.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert verifier.page.evaluate("document.activeElement.id") == "files"


def test_an_edited_byte_anywhere_is_found(verifier: Verifier) -> None:
    content = golden_export(DUEL)
    first_line, last_line = content.index(b"\n") + 1, content.rindex(b"\n", 0, -1)
    places = {*range(first_line), *range(last_line, len(content)), *range(0, len(content), STRIDE)}
    dice = random.Random(7)
    edits = []
    for place in sorted(places):
        others = [byte for byte in (content[place] ^ 1, 0, 32, 48, 255, 10) if byte != content[place]]
        edits.append((place, dice.choice(others)))
    assert verifier.unfound(content, [(0, content[0])]) == [[0, content[0]]]
    for begin in range(0, len(edits), EDITS_AT_ONCE):
        assert verifier.unfound(content, edits[begin : begin + EDITS_AT_ONCE]) == []


def test_a_byte_more_or_less_is_found(verifier: Verifier) -> None:
    content = golden_export(DUEL)
    for place in [*range(0, len(content), 4999), len(content) - 1]:
        assert not verifier.of_bytes(content[:place] + content[place + 1 :])["ok"], place
        assert not verifier.of_bytes(content[:place] + b" " + content[place:])["ok"], place
    for other in (content + b"\n", b"\xef\xbb\xbf" + content, content.replace(b"\n", b"\r\n"), content + content):
        assert not verifier.of_bytes(other)["ok"]


def test_a_changed_time_breaks_the_chain_and_nothing_else(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    *_, trailer = golden_export(TRADING).splitlines()
    lines[-1] = lines[-1].replace(b".000000Z", b".000001Z").replace(b".250000Z", b".250001Z")
    lines[-1] = lines[-1].replace(b".500000Z", b".500001Z").replace(b".750000Z", b".750001Z")
    assert set(wrong(verifier.of_bytes(b"\n".join([header_line, *lines, trailer, b""])))) == {"chain"}


def test_a_file_that_somebody_else_has_signed_is_not_taken_for_the_servers(verifier: Verifier) -> None:
    forged = export(*parts(TRADING), OTHERS)
    assert set(wrong(verifier.of_bytes(forged))) == {"signature"}

    by_itself = verifier.of_bytes(forged, NO_KEYS)
    assert by_itself["ok"] is True
    assert "Whose it is cannot be told here" in by_itself["checks"][CHECKS.index("signature")]["detail"]


def test_a_signature_of_another_game_is_none_of_this_one(verifier: Verifier) -> None:
    *lines, own = golden_export(DUEL).splitlines()
    *_, foreign = golden_export(TRADING).splitlines()
    mixed = msgspec.json.encode({**json.loads(foreign), "head": json.loads(own)["head"]})
    assert set(wrong(verifier.of_bytes(b"\n".join([*lines, mixed, b""])))) == {"signature"}


def test_a_set_of_keys_can_be_dropped_beside_the_file(tmp_path: Path) -> None:
    forged = kept(tmp_path, export(*parts(DUEL), OTHERS))
    keys = tmp_path / "keys.json"
    with opened() as verifier:
        assert verifier.of_file(forged).colour == "wrong"
        keys.write_text('{"keys": "none"}')
        # What is no set of keys is looked at as a log.
        assert verifier.of_file(keys).colour == "wrong"
        assert verifier.of_file(forged).colour == "wrong"
        (x,) = OTHERS.public
        keys.write_text(json.dumps({"keys": [{"kty": "RSA"}, {"kty": "OKP", "crv": "Ed25519", "x": x}, 7]}))
        # What was looked at before is looked at again.
        assert verifier.of_file(keys).colour == "right"
        known = verifier.page.evaluate("[...document.querySelectorAll('#known li')].map((item) => item.textContent)")
        assert known == [*KEYS.public, x]


def test_a_file_of_gigabytes_is_refused_unread(verifier: Verifier, tmp_path: Path) -> None:
    path = kept(tmp_path, golden_export(DUEL))
    # A hole: a file of four gigabytes that takes no room.
    os.truncate(path, 4 << 30)
    verdict = verifier.of_file(path)
    assert verdict.colour == "wrong"
    assert verdict.reason == "The file has 4,294,967,296 bytes. This page reads up to 32 MiB; use bohnanza verify."
