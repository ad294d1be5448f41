"""What an anchor says, to the byte, and what its proofs prove."""

import hashlib
from datetime import date

import msgspec
import pytest

from domain.anchors import Anchor, Anchored, anchored, proves, statement
from domain.merkle import Tree

DAY = date(2026, 11, 30)
HEADS = [bytes([number]) * 32 for number in range(1, 6)]
TREE = Tree(HEADS)
FIRST = Anchor(DAY, 5, TREE.root.hex(), None, "key", "signature")


def test_the_statement_is_its_four_fields_in_order_without_spaces() -> None:
    assert statement(DAY, 12, "ab", None) == b'{"day":"2026-11-30","games":12,"root":"ab","previous":null}'
    assert statement(DAY, 1, "ab", "cd") == b'{"day":"2026-11-30","games":1,"root":"ab","previous":"cd"}'
    assert FIRST.statement == statement(DAY, 5, TREE.root.hex(), None)


def test_the_next_anchor_names_the_hash_of_the_statement() -> None:
    said = b'{"day":"2026-11-30","games":5,"root":"' + TREE.root.hex().encode() + b'","previous":null}'
    assert FIRST.hash == hashlib.sha256(said).hexdigest()


def test_an_anchor_travels_with_its_key_and_signature_behind_the_statement() -> None:
    travels = msgspec.json.encode(Anchor(DAY, 1, "ab", None, "k", "s"))
    assert travels == b'{"day":"2026-11-30","games":1,"root":"ab","previous":null,"key":"k","signature":"s"}'
    assert list(Anchored.__struct_fields__) == [*Anchor.__struct_fields__, "index", "proof"]
    assert anchored(FIRST, 3, [b"\xab" * 32]) == Anchored(
        DAY, 5, TREE.root.hex(), None, "key", "signature", 3, ["ab" * 32]
    )
    assert anchored(FIRST, 3, []).statement == FIRST.statement


def test_a_head_is_proven_in_its_place_only() -> None:
    for index, head in enumerate(HEADS):
        found = anchored(FIRST, index, TREE.proof(index))
        assert proves(found, head)
        assert not proves(found, HEADS[index - 1])
        assert not proves(msgspec.structs.replace(found, index=(index + 1) % 5), head)
        assert not proves(msgspec.structs.replace(found, root="00" * 32), head)
        assert not proves(msgspec.structs.replace(found, games=index), head)


@pytest.mark.parametrize("proof", [["zz" * 32], ["ab"], ["AB" * 32], ["ab" * 33], ["", "ab" * 32], ["ab" * 32] * 70])
def test_a_proof_that_is_none_proves_nothing(proof: list[str]) -> None:
    assert not proves(Anchored(DAY, 2, "00" * 32, None, "key", "signature", 0, proof), HEADS[0])
