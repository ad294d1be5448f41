"""The checks of an export, made of a finished game as it is stored: the rows' own hashes show where a chain breaks."""

from contextlib import aclosing
from datetime import datetime
from typing import Final

from msgspec import Struct

from domain.anchors import Anchored
from domain.audit import Auditor, Check, unread
from domain.events import GameAbandoned, GameEnded, UnknownShape, decode_event
from domain.export import Entry, Unreadable, check_spelling, read_header
from domain.history import Trailer, line
from infra.anchors import AnchorStore
from infra.event_store import EventStore, Head, Seal
from infra.signing import SigningKeys
from services.audit.finished import finished
from services.audit.proofs import anchor_check
from services.audit.signatures import signature_of
from services.games.pages import pages
from services.games.sealing import Seals
from services.games.stored import header_line
from services.games.turns import Turns

PAGE: Final = 200
"""Events between two turns of others: their rules are checked one by one."""


UNSIGNED: Final = "The game is over and has no seal, and it can be given none any more."


class Audit(Struct, frozen=True):
    """What has come of the checks of one game. `anchor` proves that its head is in a signed anchor; None until its day
    is over."""

    ok: bool
    checks: list[Check]
    anchor: Anchored | None


class Audits:
    """Every method may raise StoreUnavailable and StoreFault."""

    def __init__(self, store: EventStore, anchors: AnchorStore, keys: SigningKeys, turns: Turns | None = None) -> None:
        self._store = store
        self._anchors = anchors
        self._keys = keys
        self._seals = Seals(store, anchors.newest, keys.sign)
        self._turns = turns or Turns()

    async def audit(self, game: str, player: str) -> Audit:
        """All checks of that game, for a player who may know of it. GameNotFound, GameRunning, HistoryUnreadable, and
        Contention when too many want that at once."""
        head = await finished(self._store, game, player)
        async with self._turns.turn(head.version):
            seal = await self._seals.of(game)
            checks, ended_at = await self._checks(game, head, seal)
        anchored = await self._anchors.anchored(game)
        if anchored is not None:
            checks.append(
                anchor_check(
                    head.head_hash if seal is None else seal.head, ended_at, anchored, signature_of(self._keys.public)
                )
            )
        return Audit(all(check.ok for check in checks), checks, anchored)

    async def _checks(self, game: str, head: Head, seal: Seal | None) -> tuple[list[Check], datetime | None]:
        """Those of the history, and the time of its last event."""
        auditor: Auditor | None = None
        seed = await self._revealed_seed(game, head)
        async with aclosing(pages(self._store, game, head.version, PAGE)) as read:
            async for page in read:
                if auditor is None:
                    if page[0].version != 1:
                        return unread("Version 1", "It is missing."), None
                    start = header_line(game, page[0])
                    auditor = Auditor(start, read_header(start), seed=seed)
                for record in page:
                    try:
                        entry = entry_of(record.version, record.at, record.seat, record.payload)
                        auditor.take(entry, record.hash)
                    except Unreadable as error:
                        return unread(f"Version {record.version}", str(error)), None
        if auditor is None:
            return unread("Version 1", "It is missing."), None
        if seal is None:
            return auditor.so_far(head.head_hash.hex(), is_over=True, unsigned=UNSIGNED), auditor.at
        trailer = Trailer(seal.head.hex(), seal.key, seal.signature)
        return auditor.finish(trailer, signature_of(self._keys.public)), auditor.at

    async def _revealed_seed(self, game: str, head: Head) -> bytes | None:
        """Whether it is right is for the checks to tell."""
        for record in await self._store.read(game, head.version - 1, 1):
            try:
                event = entry_of(record.version, record.at, record.seat, record.payload).event
                return bytes.fromhex(event.seed) if isinstance(event, GameEnded | GameAbandoned) else None
            except ValueError:
                return None
        return None


def entry_of(version: int, at: datetime, seat: int | None, payload: bytes) -> Entry:
    """A stored event as the line that it is in an export. Unreadable."""
    try:
        event = decode_event(payload)
    except UnknownShape:
        raise Unreadable("It is an event that is not known here.") from None
    check_spelling(event, payload)
    return Entry(version, at, seat, event, payload, line(version, at, seat, payload))
