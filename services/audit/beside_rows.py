"""Do the rows that lie beside a game's events belong to them: the seal, the secrets, the receipts?"""

import hashlib
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime
from typing import Final

from domain.events import Event, PlayerJoined
from domain.state import State
from infra.event_store import Seal, Secrets
from infra.postgres.inspection import EventRow, ReceiptRow
from infra.signing import is_signed
from services.audit.proofs import OVERDUE_AFTER

_HASH_BYTES: Final = 32


def is_overdue(ended_at: datetime, now: datetime, newest_day: date | None) -> bool:
    """Whether a game that ended then should be sealed. `newest_day`: that of the newest anchor; before a day is
    anchored, every game of the days before it is sealed."""
    return ended_at < now - OVERDUE_AFTER or (newest_day is not None and newest_day > ended_at.astimezone(UTC).date())


def wrong_seal(
    seal: Seal | None, state: State, last: tuple[bytes, datetime], keys: Collection[str], *, overdue: bool
) -> str | None:
    """What is wrong with the seal of a game whose last event has that hash and time, if anything is. `keys` are the ids
    of those whose signatures count."""
    hashed, ended_at = last
    if seal is None:
        overdue = state.is_over and overdue
        return "seals: the game is over and the row is missing." if overdue else None
    if not state.is_over:
        return "seals: there is a row, and the game goes on."
    if seal.head != hashed:
        return "seals.head_hash: it is not the hash of the last event."
    if seal.ended_at != ended_at:
        return "seals.ended_at: it is not the time of the last event."
    if seal.key not in keys:
        return f"seals.key: {seal.key[:64]} is none of the trusted keys."
    if not is_signed(seal.key, hashed, seal.signature):
        return "seals.signature: the key has not signed that head."
    return None


def wrong_secrets(secrets: Secrets | None, state: State) -> str | None:
    """What is wrong with the secrets of a game, if anything is. Nothing of them is told."""
    if secrets is None:
        return "game_secrets: the row is missing."
    if hashlib.sha256(secrets.seed).hexdigest() != state.commitment:
        return "game_secrets.seed: it is not the one that version 1 committed to."
    expected = _HASH_BYTES if state.visibility == "private" else None
    if (None if secrets.invite_hash is None else len(secrets.invite_hash)) != expected:
        return "game_secrets.invite_hash: a private game has one of 32 bytes, and a public game has none."
    return None


class Receipts:
    """Takes the events of one game, and looks whether each receipt tells of what its player has done in one go."""

    def __init__(self, receipts: Sequence[ReceiptRow]) -> None:
        self._receipts = receipts
        self._next = 0
        self._seats: dict[str, set[int]] = {}
        self._begun_at: datetime | None = None
        self._last = 0
        self.wrong: str | None = None

    def take(self, row: EventRow, event: Event) -> None:
        """The next event. After a wrong receipt nothing more is looked at."""
        self._last = row.version
        if isinstance(event, PlayerJoined):
            self._seats.setdefault(event.player, set()).add(event.seat)
        if self.wrong is not None or self._next == len(self._receipts):
            return
        receipt = self._receipts[self._next]
        if receipt.first > row.version:
            return
        if receipt.first == row.version:
            self._begun_at = row.at
        if receipt.first < 1 or self._begun_at is None:
            self.wrong = _named(receipt, "first", "another command is there already.")
        elif row.seat not in self._seats.get(receipt.player, ()):
            self.wrong = _named(receipt, "player", f"version {row.version} is not by that player.")
        elif row.at != self._begun_at:
            self.wrong = _named(receipt, "last", f"version {row.version} is of another command.")
        elif receipt.fingerprint != _HASH_BYTES:
            self.wrong = _named(receipt, "fingerprint", "it has not 32 bytes.")
        if row.version >= receipt.last:
            self._next += 1
            self._begun_at = None

    def finish(self) -> str | None:
        """What is wrong with the receipts, if anything is."""
        if self.wrong is None and self._next < len(self._receipts):
            self.wrong = _named(self._receipts[self._next], "last", "the game has not come so far.")
        return self.wrong


def _named(receipt: ReceiptRow, column: str, sentence: str) -> str:
    return f"receipts.{column}, versions {receipt.first} to {receipt.last}: {sentence}"
