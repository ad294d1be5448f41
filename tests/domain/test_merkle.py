"""Trees and proofs as RFC 9162, section 2.1 has them, laid out by hand."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.merkle import Tree, leaf_hash, node_hash, root, root_of_proof


def leaf(value: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + value).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


VALUES = [b"", b"a", b"bb", b"ccc", b"dddd", b"eeeee", b"f", b"g", b"j"]
A, B, C, D, E, F, G, H, J = (leaf(value) for value in VALUES)
AB, CD, EF, GH = node(A, B), node(C, D), node(E, F), node(G, H)
ABCD, EFGH = node(AB, CD), node(EF, GH)
# Split at the largest power of two below the size: 3 = 2 + 1, 5 = 4 + 1, 6 = 4 + 2, 7 = 4 + 3, 9 = 8 + 1.
ROOTS = {
    1: A,
    2: AB,
    3: node(AB, C),
    4: ABCD,
    5: node(ABCD, E),
    6: node(ABCD, EF),
    7: node(ABCD, node(EF, G)),
    8: node(ABCD, EFGH),
    9: node(node(ABCD, EFGH), J),
}
PROOFS = {
    (1, 0): [],
    (2, 0): [B],
    (2, 1): [A],
    (3, 0): [B, C],
    (3, 1): [A, C],
    (3, 2): [AB],
    (4, 2): [D, AB],
    (5, 3): [C, AB, E],
    (5, 4): [ABCD],
    (6, 4): [F, ABCD],
    (6, 1): [A, CD, EF],
    (7, 0): [B, CD, node(EF, G)],
    (7, 5): [E, G, ABCD],
    (7, 6): [EF, ABCD],
    (8, 7): [G, EF, ABCD],
    (9, 0): [B, CD, EFGH, J],
    (9, 8): [node(ABCD, EFGH)],
}

several = st.lists(st.binary(max_size=4), min_size=1, max_size=40, unique=True)


def test_the_hash_of_an_empty_leaf_is_that_of_the_standard_examples() -> None:
    assert leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert leaf_hash(b"a") == leaf(b"a")
    assert node_hash(A, B) == AB


@pytest.mark.parametrize("size", ROOTS)
def test_the_root_of_a_small_tree(size: int) -> None:
    assert root(VALUES[:size]) == ROOTS[size]
    assert Tree(VALUES[:size]).root == ROOTS[size]


@pytest.mark.parametrize(("size", "index"), PROOFS)
def test_the_proof_of_a_leaf_goes_from_the_bottom_up(size: int, index: int) -> None:
    assert Tree(VALUES[:size]).proof(index) == PROOFS[size, index]
    assert root_of_proof(VALUES[index], index, size, PROOFS[size, index]) == ROOTS[size]


def test_there_is_no_tree_without_leaves_and_no_proof_of_a_leaf_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="without leaves"):
        root([])
    with pytest.raises(ValueError, match="without leaves"):
        Tree([])
    for index in (-1, 9):
        with pytest.raises(IndexError):
            Tree(VALUES).proof(index)
        assert root_of_proof(VALUES[0], index, 9, PROOFS[9, 0]) is None
    assert root_of_proof(VALUES[0], 0, 0, []) is None


@given(several)
def test_every_leaf_of_every_tree_is_proven(values: list[bytes]) -> None:
    tree = Tree(values)
    assert tree.root == root(values)
    for index, value in enumerate(values):
        assert root_of_proof(value, index, len(values), tree.proof(index)) == tree.root


@given(several, st.data())
def test_nothing_of_a_proof_can_be_changed(values: list[bytes], data: st.DataObject) -> None:
    tree, size = Tree(values), len(values)
    index = data.draw(st.integers(0, size - 1))
    value, proof = values[index], tree.proof(index)
    assert root_of_proof(value + b"!", index, size, proof) != tree.root
    for other in range(size + 2):
        if other != index:
            assert root_of_proof(value, other, size, proof) != tree.root
    for place in range(len(proof)):
        bit = 1 << data.draw(st.integers(0, 7))
        spoilt = bytes([proof[place][0] ^ bit]) + proof[place][1:]
        assert root_of_proof(value, index, size, [*proof[:place], spoilt, *proof[place + 1 :]]) != tree.root
        assert root_of_proof(value, index, size, proof[:place] + proof[place + 1 :]) != tree.root
        swapped = [*proof[: place - 1], proof[place], proof[place - 1], *proof[place + 1 :]]
        if place and swapped != proof:
            assert root_of_proof(value, index, size, swapped) != tree.root
    for more in (tree.root, leaf(value), b""):
        assert root_of_proof(value, index, size, [*proof, more]) != tree.root


@given(several, st.integers(1, 100), st.data())
def test_a_proof_of_another_length_than_the_size_asks_for_proves_nothing(
    values: list[bytes], size: int, data: st.DataObject
) -> None:
    """Sizes whose trees have the same shape on the way to a leaf are told apart by the signed statement, not here."""
    index = data.draw(st.integers(0, len(values) - 1))
    proof = Tree(values).proof(index)
    if index < size and len(Tree([b""] * size).proof(index)) != len(proof):
        assert root_of_proof(values[index], index, size, proof) is None


def test_a_leaf_passes_for_no_node_and_a_node_for_no_leaf() -> None:
    assert root([A + B]) != root([VALUES[0], VALUES[1]])
    assert root_of_proof(A + B, 0, 1, []) != AB
