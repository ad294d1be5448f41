"""The anchors without a database, over the games of an event store in memory."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, TypeVar

from domain.anchors import Anchor, Anchored, anchored
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
from infra.event_store import StoreFault
from infra.memory.event_store import MemoryEventStore

Row = TypeVar("Row")


class MemoryAnchorStore:
    """AnchorStore in a list."""

    def __init__(self, store: MemoryEventStore) -> None:
        self._store = store
        self._anchors: list[Anchor] = []
        self._anchored: dict[str, Anchored] = {}

    async def newest(self) -> Anchor | None:
        """As AnchorStore.newest."""
        return self._anchors[-1] if self._anchors else None

    async def anchors(self, cursor: str | None, limit: int) -> AnchorPage:
        """As AnchorStore.anchors."""
        before = None if cursor is None else decode_day(cursor)
        rows = [anchor for anchor in reversed(self._anchors) if before is None or anchor.day < before]
        shown = rows[:limit]
        more = len(rows) > limit and shown
        return AnchorPage(shown, encode_day(shown[-1].day) if more else None)

    async def anchored(self, game: str) -> Anchored | None:
        """As AnchorStore.anchored."""
        return self._anchored.get(game)

    async def unanchored(self, after: Place, before: datetime, look_at: int) -> SealedPage:
        """As AnchorStore.unanchored."""
        ended = [
            Sealed(game.game, game.seal.ended_at, game.seal.head)
            for game in self._store.finished()
            if game.seal is not None and game.seal.ended_at < before
        ]
        page = _page(((Place(row.ended_at, row.game), row) for row in ended), after, look_at)
        return SealedPage([row for _, row in page if row.game not in self._anchored], page[-1][0] if page else None)

    async def left_behind(
        self, status: Literal["ended", "abandoned"], after: Place, before: datetime, look_at: int
    ) -> LeftBehindPage:
        """As AnchorStore.left_behind."""
        over = [game for game in self._store.finished() if game.status == status]
        page = _page(((Place(game.created_at, game.game), game) for game in over), after, look_at)
        wanted = [
            LeftBehind(game.game, game.last.at, game.seal is not None)
            for _, game in page
            if game.seal is None or (game.seal.ended_at < before and game.game not in self._anchored)
        ]
        return LeftBehindPage(wanted, page[-1][0] if page else None)

    async def add(self, anchor: Anchor, proofs: Sequence[Proof]) -> bool:
        """As AnchorStore.add."""
        if any(known.day >= anchor.day or known.previous == anchor.previous for known in self._anchors):
            return False
        if any(proof.game in self._anchored for proof in proofs):
            raise StoreFault("a game is anchored already")
        self._anchors.append(anchor)
        for index, (game, path) in enumerate(proofs):
            self._anchored[game] = anchored(anchor, index, path)
        return True


def _page(rows: Iterable[tuple[Place, Row]], after: Place, look_at: int) -> list[tuple[Place, Row]]:
    """The first rows behind that place."""
    return sorted((row for row in rows if row[0] > after), key=lambda row: row[0])[:look_at]
