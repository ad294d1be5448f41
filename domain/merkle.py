"""The Merkle tree of RFC 9162, section 2.1: one hash over many values, and for each of them a short proof that it is
among those.

A leaf is hashed with a 0 before it and a node with a 1, so that neither can pass for the other. A tree is split at the
largest power of two below its size, which is as much as to pair its nodes level by level from the left, one without a
partner going up as it is.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

HASH_BYTES: Final = 32


def leaf_hash(value: bytes) -> bytes:
    """The hash of a value as a leaf."""
    return hashlib.sha256(b"\0" + value).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two neighbours."""
    return hashlib.sha256(b"\1" + left + right).digest()


class Roots:
    """A tree that only grows, and is not kept: of its first so many values it knows the root."""

    def __init__(self) -> None:
        self.size = 0
        # Whole subtrees from the left, each smaller than the one before it.
        self._whole: list[bytes] = []

    def add(self, value: bytes) -> None:
        """One more value, behind the others."""
        self.size += 1
        node = leaf_hash(value)
        # As many subtrees become whole as the size has factors of two.
        for _ in range((self.size & -self.size).bit_length() - 1):
            node = node_hash(self._whole.pop(), node)
        self._whole.append(node)

    def root(self) -> bytes:
        """The hash over all values so far. ValueError when there are none."""
        if not self._whole:
            raise ValueError("a tree without leaves")
        *others, node = self._whole
        for left in reversed(others):
            node = node_hash(left, node)
        return node


def root(values: Iterable[bytes]) -> bytes:
    """The hash over all values, read once and not kept. ValueError when there are none."""
    roots = Roots()
    for value in values:
        roots.add(value)
    return roots.root()


class Tree:
    """A tree that is kept, to prove its leaves. ValueError when there are none."""

    def __init__(self, values: Iterable[bytes]) -> None:
        level = [leaf_hash(value) for value in values]
        if not level:
            raise ValueError("a tree without leaves")
        self._levels = [level]
        while len(level) > 1:
            above = [node_hash(level[left], level[left + 1]) for left in range(0, len(level) - 1, 2)]
            if len(level) % 2:
                above.append(level[-1])
            self._levels.append(above)
            level = above

    @property
    def root(self) -> bytes:
        """The hash over all values."""
        return self._levels[-1][0]

    def proof(self, index: int) -> list[bytes]:
        """What the value at that index needs to be hashed with to give the root, from the bottom up. IndexError."""
        if not 0 <= index < len(self._levels[0]):
            raise IndexError("no such leaf")
        path = []
        for level in self._levels[:-1]:
            beside = index ^ 1
            if beside < len(level):
                path.append(level[beside])
            index >>= 1
        return path


def root_of_proof(value: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root of the tree of that size in which the proof has the value at that index; None where no proof of that
    length can be (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return None
    node = leaf_hash(value)
    last = size - 1
    for beside in proof:
        if last == 0:
            return None
        if index % 2 or index == last:
            node = node_hash(beside, node)
            # One without a partner has gone up to where it is a right child.
            while index % 2 == 0 and index > 0:
                index >>= 1
                last >>= 1
        else:
            node = node_hash(node, beside)
        index >>= 1
        last >>= 1
    return node if last == 0 else None
