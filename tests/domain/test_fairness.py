"""docs/fairness.md is true: its vectors are what the program gives. They were not made with it."""

import base64
import hashlib
import json
import re
import subprocess
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain import merkle
from domain.anchors import statement
from domain.audit import CHECKS
from domain.beans import BEANS, Bean
from domain.events import EVENT_TYPES, event_type
from domain.export import Unreadable, read_entry, read_header, read_trailer
from domain.history import first_hash, next_hash, trailer
from domain.rulesets import RULESETS
from domain.shuffle import SEED_BYTES, _below, _words, commitment, in_table_order, shuffled, start_seat
from services.audit.files import check_file
from services.audit.signatures import signature_of
from tests.domain.fairness import PAGE, printed, vector
from tests.exports import kept, parts, setups


def in_base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def drawn(told: dict[str, Any]) -> tuple[bytes, str, list[str]]:
    seed = bytes.fromhex(told["seed"])
    assert len(seed) == SEED_BYTES
    return seed, told["game"], told["nonces"]


def test_the_commitment() -> None:
    told = vector("commitment")
    assert commitment(bytes.fromhex(told["seed"])) == told["commitment"]


def test_the_commitment_in_a_shell_as_it_stands_there() -> None:
    (command,) = re.findall("<!-- run: commitment -->\n```sh\n(.*?)\n```", PAGE)
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout.split()[0] == vector("commitment")["commitment"]


def test_the_stream_of_words() -> None:
    told = vector("stream")
    seed, game, nonces = drawn(told)
    for k in (0, 1):
        words = _words(seed, game, nonces, k)
        for counter in (0, 1):
            block = b"".join(next(words).to_bytes(4, "big") for _ in range(8))
            assert block.hex() == told[f"k {k}, counter {counter}"]
    words = _words(seed, game, nonces, 1)
    assert [next(words) for _ in range(8)] == told["first words of k 1"]


def test_the_message_behind_the_first_block_is_the_one_that_is_printed() -> None:
    told = vector("stream")
    message = bytes.fromhex(told["message of k 1, counter 0"])
    # HMAC as RFC 2104 writes it down, from nothing but SHA-256.
    padded = bytes.fromhex(told["seed"]).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner)
    assert outer.hexdigest() == told["k 1, counter 0"]
    assert message.startswith(told["game"].encode() + b"\0\0" + b"\0\4salt")


def test_a_number_below_a_bound() -> None:
    for case in vector("below")["cases"]:
        assert _below(iter(case["words"]), case["bound"]) == case["number"]


def test_the_starting_seat() -> None:
    told = vector("start seat")
    assert start_seat(*drawn(told)) == told["start_seat"]


def test_a_small_shuffle_step_by_step() -> None:
    told = vector("shuffle")
    assert in_table_order(told["pool"]) == told["laid out"]
    assert shuffled(*drawn(told), told["shuffle"], told["pool"]) == told["deck"]
    row = list(told["laid out"])
    for word, place, other in told["swaps"]:
        assert int(word, 16) % (place + 1) == other
        row[place], row[other] = row[other], row[place]
    assert row == told["deck"]


def test_a_shuffle_in_which_a_word_is_skipped() -> None:
    told = vector("rejection")
    pool: list[Bean] = [bean for bean in BEANS for _ in range(told["pool"].get(bean, 0))]
    assert shuffled(*drawn(told), told["shuffle"], pool) == told["deck"]
    # The text says which word it is, and why.
    words = _words(*drawn(told), told["shuffle"])
    assert [next(words) for _ in range(20)][-1] == told["skipped word"]
    assert len(pool) - 19 == 131
    assert 2**32 - 2**32 % 131 == 4294967179 <= told["skipped word"]
    assert told["seed"] == hashlib.sha256(b"rejection 67966").hexdigest()


def cards_of_editions() -> dict[tuple[str, int], Counter[str]]:
    """As the page lists them, for every number of players."""
    (counts,) = re.findall(r"^(24 coffee, .*)\.$", PAGE, re.MULTILINE)
    cards = {kind: int(count) for count, kind in (one.split() for one in counts.split(", "))}
    rows = re.findall(r"^\| `([a-z_0-9]+)` \| ([2-7, ]+) \| ([a-z_, ]+) \| (\d+) \|$", PAGE, re.MULTILINE)
    decks = {}
    for edition, players, kinds, size in rows:
        deck = Counter({kind: cards[kind] for kind in kinds.split(", ")})
        assert deck.total() == int(size)
        for number in players.split(", "):
            decks[edition, int(number)] = deck
    return decks


def test_the_page_lists_the_cards_of_every_edition_and_number_of_players() -> None:
    assert cards_of_editions() == {
        (ruleset.name, players): Counter(table.deck)
        for ruleset in RULESETS.values()
        for players, table in ruleset.tables.items()
    }


@pytest.mark.parametrize("setup", setups())
def test_the_page_is_enough_to_know_the_cards_of_every_shuffle(setup: str) -> None:
    header_line, lines = parts(setup)
    events = [json.loads(line)["event"] for line in lines]
    created, seed = events[0], bytes.fromhex(events[-1]["seed"])
    nonces = [""] * created["seats"]
    deck = cards_of_editions()[created["ruleset"], created["seats"]]
    pool, pile = list(deck.elements()), list[str]()
    for event in events:
        match event["type"]:
            case "player_joined" | "player_left":
                nonces[event["seat"]] = event.get("nonce", "")
            case "field_harvested":
                pile += [event["bean"]] * event["discarded"]
            case "field_bought" if created["seats"] > 2:
                pile += [card["bean"] for card in event["paid"]]
            case "card_discarded":
                pile.append(event["bean"])
            case "cards_swept":
                assert [pile.pop() for _ in event["cards"]] == [card["bean"] for card in event["cards"]]
            case "deck_shuffled":
                if event["shuffle"] > 1:
                    pool, pile = pile, []
                made = shuffled(seed, json.loads(header_line)["game"], nonces, event["shuffle"], pool)  # type: ignore[arg-type]
                assert made == event["beans"]
            case _:
                pass


@pytest.mark.parametrize(
    ("changes", "line", "is_read"),
    [
        ({"version": 2**31 - 1}, 1, True),
        ({"version": 2**31}, 1, False),
        ({"seat": 2**15 - 1}, 1, True),
        ({"seat": 2**15}, 1, False),
        ({"game": "~" * 64}, 0, True),
        ({"game": "~" * 65}, 0, False),
        ({"game": ""}, 0, False),
        ({"game": "a game"}, 0, False),
        ({"key": "+"}, -1, False),
        ({"signature": ""}, -1, False),
        ({"head": "0" * 63}, -1, False),
    ],
)
def test_the_bounds_are_those_that_are_printed(changes: dict[str, Any], line: int, is_read: bool) -> None:
    for number in ("at most 2147483647", "at most 32767", "1 to 64 characters from `!` to `~`"):
        assert number in PAGE
    text = printed("file").encode().splitlines()[line]
    written = msgspec.json.encode({**json.loads(text), **changes})
    reads = {0: read_header, 1: read_entry, -1: read_trailer}[line]
    if is_read:
        reads(written)
    else:
        with pytest.raises(Unreadable):
            reads(written)


def test_the_chain_of_the_file() -> None:
    header, *lines, last = printed("file").encode().splitlines()
    hashes = [first_hash(header)]
    for line in lines:
        hashes.append(next_hash(hashes[-1], line))
    assert [link.hex() for link in hashes] == vector("chain")["hashes"]
    told = vector("signature")
    assert told["head"] == hashes[-1].hex()
    assert last == trailer(hashes[-1], told["key"], told["signature"])


def test_the_file_is_right(tmp_path: Path) -> None:
    told = vector("signature")
    verdict = check_file(kept(tmp_path, printed("file").encode()), signature_of([told["key"]]))
    assert [(check.name, check.ok) for check in verdict.checks] == [(name, True) for name in CHECKS]


def test_the_signature_of_the_head() -> None:
    told = vector("signature")
    secret = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(told["secret key"]))
    public = secret.public_key().public_bytes_raw()
    assert public.hex() == told["public key"]
    assert in_base64url(public) == told["key"]
    assert in_base64url(secret.sign(bytes.fromhex(told["head"]))) == told["signature"]
    assert (len(told["key"]), len(told["signature"])) == (43, 86)


def leaf(head: bytes) -> bytes:
    return hashlib.sha256(b"\0" + head).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root(leaves: list[bytes]) -> bytes:
    """As the page defines it."""
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node(root(leaves[:split]), root(leaves[split:]))


def proves(head: bytes, index: int, games: int, proof: list[bytes], wanted: bytes) -> bool:
    """As the page says how to check a proof, line by line."""
    first, last, found = index, games - 1, leaf(head)
    for step in proof:
        if last == 0:
            return False
        if first % 2 == 1 or first == last:
            found = node(step, found)
            while first % 2 == 0 and first != 0:
                first, last = first // 2, last // 2
        else:
            found = node(found, step)
        first, last = first // 2, last // 2
    return last == 0 and found == wanted


def test_the_tree_of_five_games() -> None:
    told = vector("tree")
    heads = [bytes.fromhex(head) for head in told["heads"]]
    leaves = [leaf(head) for head in heads]
    assert [one.hex() for one in leaves] == told["leaves"]
    assert node(*leaves[:2]).hex() == told["node of 0 and 1"]
    assert node(*leaves[2:4]).hex() == told["node of 2 and 3"]
    assert root(leaves[:4]).hex() == told["node of 0 to 3"]
    assert root(leaves).hex() == told["root"]
    wanted = bytes.fromhex(told["root"])
    for case in told["proofs"]:
        proof = [bytes.fromhex(step) for step in case["proof"]]
        for index in range(5):
            assert proves(heads[case["index"]], index, 5, proof, wanted) == (index == case["index"])
        assert not proves(heads[case["index"]], case["index"], 5, proof[:-1], wanted)
        assert not proves(heads[case["index"]], case["index"], 5, [*proof, proof[-1]], wanted)


def test_the_program_builds_that_tree() -> None:
    told = vector("tree")
    heads = [bytes.fromhex(head) for head in told["heads"]]
    assert merkle.root(heads).hex() == told["root"]
    tree = merkle.Tree(heads)
    for case in told["proofs"]:
        proof = tree.proof(case["index"])
        assert [step.hex() for step in proof] == case["proof"]
        assert merkle.root_of_proof(heads[case["index"]], case["index"], 5, proof) == bytes.fromhex(told["root"])


def test_the_statements_of_two_days() -> None:
    told = vector("statements")
    key = Ed25519PublicKey.from_public_bytes(from_base64url(told["key"]))
    previous = None
    for said, signature in zip(told["statements"], told["signatures"], strict=True):
        key.verify(from_base64url(signature), said.encode())
        day = json.loads(said)
        assert list(day) == ["day", "games", "root", "previous"]
        assert statement(date.fromisoformat(day["day"]), day["games"], day["root"], day["previous"]) == said.encode()
        assert day["previous"] == previous
        previous = hashlib.sha256(said.encode()).hexdigest()
    assert json.loads(told["statements"][0])["root"] == vector("tree")["root"]
    assert json.loads(told["statements"][1])["root"] == vector("tree")["leaves"][0]


def test_the_page_lists_every_event_with_its_fields_in_their_order() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| ([a-z_, ]+) \|$", PAGE.partition("An event has its")[2], re.MULTILINE)
    told = [(name, fields.split(", ")) for name, fields in rows]
    assert told[: len(EVENT_TYPES)] == [
        (event_type(event), list(event.__struct_encode_fields__))  # type: ignore[arg-type]
        for event in EVENT_TYPES
    ]


def test_the_page_lists_the_kinds_in_table_order_and_the_checks_by_name() -> None:
    (step,) = re.findall(r"^1\. Lay them out (.*?)^2\.", PAGE, re.MULTILINE | re.DOTALL)
    assert re.findall("`([a-z_]+)`", step) == list(BEANS)
    assert re.findall(r"^\| `([a-z]+)` \|", PAGE.partition("## 11.")[2], re.MULTILINE) == [*CHECKS, "anchor"]
