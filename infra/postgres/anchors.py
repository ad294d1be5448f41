"""The anchors on PostgreSQL: an anchor is there with all of its games or not at all."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final, Literal

from domain.anchors import Anchor, Anchored, anchored
from domain.merkle import HASH_BYTES
from infra.anchors import (
    AnchorPage,
    LeftBehind,
    LeftBehindPage,
    Place,
    Proof,
    Sealed,
    SealedPage,
    decode_day,
    encode_day,
)
from infra.identifiers import is_identifier
from infra.postgres.pool import Database
from infra.postgres.statements import statement

_NEWEST = statement("anchor_newest")
_ANCHORS = statement("anchors")
_ANCHORED = statement("anchored")
_UNANCHORED = statement("unanchored")
_LEFT_BEHIND = statement("left_behind")
_ANCHOR_ADD = statement("anchor_add")
_ANCHORED_ADD = statement("anchored_add")

_BATCH: Final = 1_000


class PostgresAnchorStore:
    """AnchorStore on one database, used by any number of processes at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self) -> Anchor | None:
        """As AnchorStore.newest."""
        row = await self._database.fetchrow(_NEWEST)
        return None if row is None else anchor_of(*row)

    async def anchors(self, cursor: str | None, limit: int) -> AnchorPage:
        """As AnchorStore.anchors."""
        before = None if cursor is None else decode_day(cursor)
        rows = await self._database.fetch(_ANCHORS, before, limit + 1)
        shown = [anchor_of(*row) for row in rows[:limit]]
        more = len(rows) > limit and shown
        return AnchorPage(shown, encode_day(shown[-1].day) if more else None)

    async def anchored(self, game: str) -> Anchored | None:
        """As AnchorStore.anchored."""
        if not is_identifier(game):
            return None
        row = await self._database.fetchrow(_ANCHORED, game)
        if row is None:
            return None
        *said, position, path = row
        return anchored(anchor_of(*said), position, nodes_of(path))

    async def unanchored(self, after: Place, before: datetime, look_at: int) -> SealedPage:
        """As AnchorStore.unanchored."""
        rows = await self._database.fetch(_UNANCHORED, *after, before, look_at)
        waiting = [Sealed(str(game), ended_at, head) for game, ended_at, head, waits in rows if waits]
        return SealedPage(waiting, Place(rows[-1][1], str(rows[-1][0])) if rows else None)

    async def left_behind(
        self, status: Literal["ended", "abandoned"], after: Place, before: datetime, look_at: int
    ) -> LeftBehindPage:
        """As AnchorStore.left_behind."""
        rows = await self._database.fetch(_LEFT_BEHIND, *after, before, look_at, status)
        wanted = [LeftBehind(str(game), ended_at, sealed) for game, _, ended_at, sealed, is_wanted in rows if is_wanted]
        return LeftBehindPage(wanted, Place(rows[-1][1], str(rows[-1][0])) if rows else None)

    async def add(self, anchor: Anchor, proofs: Sequence[Proof]) -> bool:
        """As AnchorStore.add. Who comes second with the same day waits until the first one has committed, and then
        stores nothing."""
        async with self._database.transaction() as connection:
            added = await connection.fetchrow(
                _ANCHOR_ADD,
                anchor.day,
                anchor.games,
                bytes.fromhex(anchor.root),
                None if anchor.previous is None else bytes.fromhex(anchor.previous),
                anchor.key,
                anchor.signature,
            )
            if added is None:
                return False
            for first in range(0, len(proofs), _BATCH):
                batch = proofs[first : first + _BATCH]
                await connection.fetch(
                    _ANCHORED_ADD,
                    anchor.day,
                    [proof.game for proof in batch],
                    list(range(first, first + len(batch))),
                    [b"".join(proof.path) for proof in batch],
                )
        return True


def anchor_of(day: date, games: int, root: bytes, previous: bytes | None, key: str, signature: str) -> Anchor:
    """A row of `anchors`."""
    return Anchor(day, games, root.hex(), None if previous is None else previous.hex(), key, signature)


def nodes_of(path: bytes) -> list[bytes]:
    """The hashes of a proof, which are stored one after the other."""
    return [path[start : start + HASH_BYTES] for start in range(0, len(path), HASH_BYTES)]
