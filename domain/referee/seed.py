"""Commit and reveal: what the seed decided, compared with what the events say."""

import hashlib
import re

from domain.referee.fault import Wrong
from domain.referee.tabletop import Shuffle, Tabletop
from domain.shuffle import shuffled, start_seat

_HEX_256 = re.compile(r"[0-9a-f]{64}")


def opened(seed: str, commitment: str) -> bytes | None:
    """The seed in bytes, if it is the one that the commitment was made for."""
    if not _HEX_256.fullmatch(seed):
        return None
    found = bytes.fromhex(seed)
    return found if hashlib.sha256(found).hexdigest() == commitment else None


def check_seed(top: Tabletop, revealed: str) -> None:
    """The seed that the last event reveals: its hash, the starting seat, and every shuffle in its order."""
    seed = opened(revealed, top.commitment)
    if seed is None:
        raise Wrong("wrong_seed", "The seed is not the one that game_created committed to.")
    if top.started_at:
        check_start_seat(top, seed)
    for shuffle in top.shuffles:
        check_shuffle(top, seed, shuffle)


def check_start_seat(top: Tabletop, seed: bytes) -> None:
    """The seed chooses who begins."""
    chosen = start_seat(seed, top.game, [place.nonce for place in top.places])
    if chosen != top.start_seat:
        raise Wrong("wrong_start_seat", f"Seat {top.start_seat} starts; the seed chooses {chosen}.", top.started_at)


def check_shuffle(top: Tabletop, seed: bytes, shuffle: Shuffle) -> None:
    """From the seed, the game, the nonces, the number of the shuffle, and what was shuffled."""
    nonces = [place.nonce for place in top.places]
    if shuffled(seed, top.game, nonces, shuffle.number, shuffle.pool) != shuffle.beans:
        raise Wrong("wrong_shuffle", f"Shuffle {shuffle.number} is not the one that the seed gives.", shuffle.version)
