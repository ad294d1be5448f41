"""The page at /verify in a browser: right files are right, and whatever is done to one is found, by its check and
version, without anything being asked of anybody."""

import base64
import json
import os
import random
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.audit import CHECKS
from services.api.verifier import NO_KEYS, verifier_page
from services.audit.files import check_file
from services.audit.jwks import jwks
from services.audit.signatures import signature_of
from tests.domain.fairness import printed, vector
from tests.exports import KEYS, OTHERS, export, golden_export, kept, parts, setups
from tests.services.api.verifier_page import KNOWN, OpenedVerifier, Verifier, find_node, opened, under_node, wrong

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


def test_a_person_sees_the_verdict_of_the_file_that_he_chose(page: OpenedVerifier, tmp_path: Path) -> None:
    right = page.of_file(kept(tmp_path, golden_export(DUEL)))
    assert (right.colour, right.told) == ("right", "Everything that this page can check is right.")
    assert [check.name for check in right.checks] == list(CHECKS)
    # What it cannot see stands where nobody overlooks it.
    assert "bohnanza verify" in right.reason
    assert page.page.evaluate("[...document.querySelectorAll('dd')].at(-1).textContent") == KEYS.public[0]

    edited = page.of_file(kept(tmp_path, golden_export(DUEL).replace(b'"seat":1', b'"seat":0', 1)))
    assert (edited.colour, edited.told) == ("wrong", "This file is wrong.")
    assert {check.name for check in edited.checks if check.ok is False} >= {"chain"}


def test_several_files_get_a_verdict_each(page: OpenedVerifier, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    files[0].write_bytes(golden_export(DUEL))
    files[1].write_bytes(golden_export(DUEL)[:-1])
    page.page.choose_files("#files", files)
    page.page.evaluate("""new Promise((resolve) => {
      const look = () => document.querySelectorAll("article").length === 2 ? resolve() : setTimeout(look, 10);
      look();
    })""")
    shown = "[...document.querySelectorAll('article')].map((one) => [one.dataset.file, one.dataset.verdict])"
    assert page.page.evaluate(shown) == [["a.jsonl", "right"], ["b.jsonl", "wrong"]]


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


def test_a_saved_copy_does_the_same_and_may_reach_nothing_either(page: OpenedVerifier, tmp_path: Path) -> None:
    with opened() as copy:
        saved = tmp_path / "saved.html"
        saved.write_bytes(verifier_page(KNOWN).body)
        copy.page.open(saved.as_uri())
        assert copy.of_file(kept(tmp_path, golden_export(DUEL))).colour == "right"
        tried = f"fetch('{page.origin}/stolen', {{mode: 'no-cors'}}).then(() => 'sent', () => 'refused')"
        assert copy.page.evaluate(tried) == "refused"
        assert "/stolen" not in page.asked


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


def test_a_file_is_chosen_with_the_keyboard_alone(page: OpenedVerifier) -> None:
    page.page.evaluate("document.activeElement.blur()")
    for kind in ("rawKeyDown", "keyUp"):
        page.page.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert page.page.evaluate("document.activeElement.id") == "files"


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


def test_where_no_key_is_known_anybody_may_have_signed_and_the_verdict_says_so(tmp_path: Path) -> None:
    with opened(NO_KEYS) as page:
        for keys in (KEYS, OTHERS):
            verdict = page.of_file(kept(tmp_path, export(*parts(DUEL), keys)))
            assert verdict.colour == "open"
            assert "no key is known here: anybody can have made this file" in verdict.reason
            assert {check.name for check in verdict.checks if check.ok is None} == {"signature"}
        assert page.evaluate("document.querySelector('#unknown').checkVisibility()") is False
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert page.evaluate("document.querySelector('#unknown').checkVisibility()") is True


def test_a_signature_that_nobody_can_place_leaves_the_verdict_open(verifier: Verifier) -> None:
    found = verifier.of_bytes(export(*parts(DUEL), OTHERS), NO_KEYS)
    assert found["ok"] is False
    assert {check["name"]: check["ok"] for check in found["checks"]} == {
        name: None if name == "signature" else True for name in CHECKS
    }


def test_a_signature_of_another_game_is_none_of_this_one(verifier: Verifier) -> None:
    *lines, own = golden_export(DUEL).splitlines()
    *_, foreign = golden_export(TRADING).splitlines()
    mixed = msgspec.json.encode({**json.loads(foreign), "head": json.loads(own)["head"]})
    assert set(wrong(verifier.of_bytes(b"\n".join([*lines, mixed, b""])))) == {"signature"}


def set_of_keys(path: Path, *ids: str) -> Path:
    keys: list[Any] = [{"kty": "RSA"}, *({"kty": "OKP", "crv": "Ed25519", "x": x} for x in ids), 7]
    path.write_text(json.dumps({"keys": keys}))
    return path


def test_keys_that_are_dropped_are_never_taken_for_those_that_the_page_came_with(tmp_path: Path) -> None:
    forged = kept(tmp_path, export(*parts(DUEL), OTHERS))
    keys = tmp_path / "keys.json"
    with opened() as page:
        assert page.of_file(forged).colour == "wrong"
        keys.write_text('{"keys": "none"}')
        # What is no set of keys is looked at as a log.
        assert page.of_file(keys).colour == "wrong"
        assert page.of_file(forged).colour == "wrong"
        # What was looked at before is looked at again.
        verdict = page.of_file(set_of_keys(keys, *OTHERS.public))
        assert verdict.colour == "open"
        assert verdict.reason == "The head is signed with a key of keys.json, not one that this page came with."
        lists = "['known', 'dropped'].map((id) => [...byId(id).children].map((item) => item.textContent))"
        assert page.evaluate(lists) == [KEYS.public, [f"{OTHERS.public[0]} from keys.json"]]
        assert page.evaluate("byId('strange').hidden") is False


def test_keys_that_are_dropped_together_with_a_file_do_not_make_it_right(tmp_path: Path) -> None:
    forged = kept(tmp_path, export(*parts(DUEL), OTHERS))
    keys = set_of_keys(tmp_path / "server.json", *OTHERS.public)
    with opened() as page:
        for order in ([forged, keys], [keys, forged]):
            (verdict,) = page.of_files(order)
            assert verdict.colour == "open"
            assert verdict.reason == "The head is signed with a key of server.json, not one that this page came with."
    with opened(NO_KEYS) as page:
        (verdict,) = page.of_files([forged, keys])
        assert verdict.colour == "open"


def test_a_key_of_the_page_stays_one_when_it_is_dropped_too(tmp_path: Path) -> None:
    right = kept(tmp_path, golden_export(DUEL))
    keys = set_of_keys(tmp_path / "keys.json", *KEYS.public, *OTHERS.public)
    with opened() as page:
        (verdict,) = page.of_files([right, keys])
        assert verdict.colour == "right"
        assert page.evaluate("[...dropped.keys()]") == OTHERS.public


def test_dropped_keys_alone_settle_nothing_either_way(tmp_path: Path) -> None:
    keys = set_of_keys(tmp_path / "keys.json", *OTHERS.public)
    with opened(NO_KEYS) as page:
        (verdict,) = page.of_files([kept(tmp_path, golden_export(DUEL)), keys])
        assert verdict.colour == "open"


SLOW: Final = """
const verifyAtOnce = verify;
let letGo;
const held = new Promise((resolve) => (letGo = resolve));
verify = async (bytes, ...rest) => {
  if (bytes.length === SIZE) await held;
  return verifyAtOnce(bytes, ...rest);
};
globalThis.shownFiles = () => [...document.querySelectorAll("article")].map((one) => one.dataset.file);
globalThis.state = () => [byId("progress").textContent, byId("verdicts").getAttribute("aria-busy"), shownFiles()];
globalThis.fileOf = (text, name) => new File([Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))], name);
globalThis.letGo = letGo;
null
"""


def test_only_what_was_chosen_last_gets_a_verdict(tmp_path: Path) -> None:
    slow, fast = golden_export(TRADING), golden_export(DUEL)
    with opened() as page:
        page.evaluate(SLOW.replace("SIZE", str(len(slow))))

        def file(content: bytes, name: str) -> str:
            return f"fileOf('{base64.b64encode(content).decode()}', '{name}')"

        assert page.of_file(kept(tmp_path, fast)).colour == "right"
        assert page.evaluate("state()") == ["", "false", ["game.jsonl"]]
        page.evaluate(f"globalThis.first = take([{file(slow, 'slow.jsonl')}]); null")
        # At once the old verdict is gone, and it is said what is going on.
        assert page.evaluate("state()") == ["Checking slow.jsonl …", "true", []]
        page.evaluate(f"take([{file(fast, 'fast.jsonl')}])")
        assert page.evaluate("state()") == ["", "false", ["fast.jsonl"]]
        page.evaluate("letGo(); first")
        assert page.evaluate("state()") == ["", "false", ["fast.jsonl"]]


def test_keys_that_come_while_a_file_is_checked_have_it_checked_again(tmp_path: Path) -> None:
    slow = export(*parts(TRADING), OTHERS)
    keys = base64.b64encode(msgspec.json.encode(jwks(OTHERS.public))).decode()
    with opened() as page:
        page.evaluate(SLOW.replace("SIZE", str(len(slow))))
        page.page.choose_files("#files", [kept(tmp_path, slow)])
        page.evaluate(f"globalThis.second = take([fileOf('{keys}', 'keys.json')]); null")
        page.evaluate("letGo(); second")
        assert page.evaluate("[shownFiles(), document.querySelector('article').dataset.verdict]") == [
            ["game.jsonl"],
            "open",
        ]


def test_nothing_in_the_name_of_a_file_turns_a_sentence_around(page: OpenedVerifier) -> None:
    assert page.evaluate(r"called({ name: 'keys\u202E of\u2066 me\n.json' })") == "keys of me.json"
    assert len(page.evaluate("called({ name: 'x'.repeat(1000) })")) == 80


def test_that_something_is_going_on_is_seen(page: OpenedVerifier) -> None:
    busy = """(() => {
      const seen = (value) => {
        byId("verdicts").setAttribute("aria-busy", value);
        return getComputedStyle(byId("verdicts")).minHeight !== "0px";
      };
      return [seen("true"), seen("false")];
    })()"""
    assert page.evaluate(busy) == [True, False]


@pytest.mark.parametrize("setup", [DUEL, TRADING])
def test_the_script_runs_under_node_as_in_a_browser(verifier: Verifier, setup: str) -> None:
    node = find_node()
    if node is None:
        pytest.skip("There is no Node on this machine's path: that it could stand in for a browser was not looked at.")
    alone = Verifier(lambda expression: under_node(node, expression))
    content = golden_export(setup)
    assert alone.of_bytes(content) == verifier.of_bytes(content)
    edited = content.replace(b'"coins":1', b'"coins":2', 1)
    assert alone.of_bytes(edited) == verifier.of_bytes(edited)


def test_a_file_of_gigabytes_is_refused_unread(page: OpenedVerifier, tmp_path: Path) -> None:
    path = kept(tmp_path, golden_export(DUEL))
    # A hole: a file of four gigabytes that takes no room.
    os.truncate(path, 4 << 30)
    verdict = page.of_file(path)
    assert verdict.colour == "wrong"
    assert verdict.reason == "The file has 4,294,967,296 bytes. This page reads up to 32 MiB; use bohnanza verify."
