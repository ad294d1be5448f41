"""Anchors: one signed hash a day over the heads of all games that ended on it, each going on from the one before.

Whoever has noted one anchor can tell whether any game up to then was changed, without having kept the games. What is
signed, and hashed into the next anchor, is the statement: the canonical JSON of the first four fields.
"""

import hashlib
import re
from collections.abc import Sequence
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct

from domain.merkle import HASH_BYTES, root_of_proof

_HEX: Final = re.compile(rf"[0-9a-f]{{{2 * HASH_BYTES}}}")


class _Statement(Struct, frozen=True):
    day: date
    games: int
    root: str
    previous: str | None


class Anchor(Struct, frozen=True):
    """`games` is the size of the tree, `root` its hash; `previous` is the hash of the statement before this one, and
    None in the first. Hashes are in lower-case hexadecimal, `key` and `signature` as in the trailer of an export."""

    day: date
    games: int
    root: str
    previous: str | None
    key: str
    signature: str

    @property
    def statement(self) -> bytes:
        """What is signed."""
        return statement(self.day, self.games, self.root, self.previous)

    @property
    def hash(self) -> str:
        """What the next anchor has as its `previous`."""
        return hashlib.sha256(self.statement).hexdigest()


class Anchored(Anchor, frozen=True):
    """The anchor of a game, with where the game's head is in its tree and what proves that, from the bottom up."""

    index: int
    proof: list[str]


def statement(day: date, games: int, root: str, previous: str | None) -> bytes:
    """The bytes that an anchor says and its key signs."""
    return msgspec.json.encode(_Statement(day, games, root, previous))


def anchored(anchor: Anchor, index: int, proof: Sequence[bytes]) -> Anchored:
    """That anchor with the proof of one of its heads."""
    said = (anchor.day, anchor.games, anchor.root, anchor.previous, anchor.key, anchor.signature)
    return Anchored(*said, index, [node.hex() for node in proof])


def proves(found: Anchored, head: bytes) -> bool:
    """Whether that head is in the tree, and where it is said to be. The signature is not looked at."""
    if not all(map(_HEX.fullmatch, found.proof)):
        return False
    proof = [bytes.fromhex(node) for node in found.proof]
    proven = root_of_proof(head, found.index, found.games, proof)
    return proven is not None and proven.hex() == found.root
