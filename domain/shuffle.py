"""Commit and reveal: the seed is fixed by its hash before anybody joins, and every shuffle
follows from it, so that anyone can recompute the deck once the seed is public.

Shuffle k lays out the kinds in table order and runs Fisher-Yates from the last place down to the
second: place i is swapped with place `word mod (i + 1)`, where the words are read from a stream of
32-bit big-endian numbers and a word at or above the largest multiple of i + 1 is skipped, so that
every order is equally likely. Place 0 is the top of the deck.

The stream is HMAC-SHA-256(seed, message) for counter 0, 1, 2, …, eight words each, with
message = game id ‖ nonces ‖ k ‖ counter: the game id as UTF-8 text; for each seat in order the
nonce as UTF-8, preceded by its length in bytes as one 16-bit number; k and counter as 32-bit
numbers, all big-endian. k = 0 chooses the starting seat (word mod number of seats, same skipping),
k = 1 is the first deck.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Iterator, Sequence

from domain.beans import BEANS, Bean

SEED_BYTES = 32
_WORDS = struct.Struct(">8I")
_WORD_RANGE = 2**32


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in hexadecimal, published in `game_created`."""
    return hashlib.sha256(seed).hexdigest()


def in_table_order(beans: Iterable[Bean | None]) -> list[Bean]:
    """The cards as they lie before a shuffle: all of the first kind, then all of the second, …"""
    pool = list(beans)
    return [bean for bean in BEANS for _ in range(pool.count(bean))]


def shuffled(seed: bytes, game: str, nonces: Sequence[str], shuffle: int, beans: Iterable[Bean | None]) -> list[Bean]:
    """The deck from top to bottom after that shuffle (counted from 1)."""
    deck = in_table_order(beans)
    words = _words(seed, game, nonces, shuffle)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(words, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def start_seat(seed: bytes, game: str, nonces: Sequence[str]) -> int:
    """The seat that begins."""
    return _below(_words(seed, game, nonces, 0), len(nonces))


def _below(words: Iterator[int], bound: int) -> int:
    fair = _WORD_RANGE - _WORD_RANGE % bound
    return next(word for word in words if word < fair) % bound


def _words(seed: bytes, game: str, nonces: Sequence[str], shuffle: int) -> Iterator[int]:
    parts = [nonce.encode() for nonce in nonces]
    mixed = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    message = game.encode() + mixed + shuffle.to_bytes(4, "big")
    counter = 0
    while True:
        block = hmac.digest(seed, message + counter.to_bytes(4, "big"), "sha256")
        yield from _WORDS.unpack(block)
        counter += 1
