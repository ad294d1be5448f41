"""Checks the anchors in the database: each goes on from the one before, is signed, and has the root of the heads that
its games have now; no finished game is left out; and those that somebody has noted are still the same.

In memory that does not grow with the number of games.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import date
from typing import Final

from domain.anchors import Anchor, anchored, proves
from domain.audit import Check
from domain.merkle import Roots
from infra.anchors import BEGINNING, AnchorStore, Place
from infra.clock import Clock
from infra.postgres.inspection import AnchoredHead, Inspection
from infra.signing import is_signed
from services.audit.proofs import NAME as ANCHOR
from services.audit.proofs import OVERDUE_AFTER

WAITING: Final = "waiting"
KEPT: Final = "kept"

_LOOK_AT: Final = 2_000


class AnchorAudit:
    """`keys` are the ids of those whose signatures count. Every method may raise StoreUnavailable and StoreFault."""

    def __init__(self, inspection: Inspection, anchors: AnchorStore, keys: Collection[str], clock: Clock) -> None:
        self._inspection = inspection
        self._anchors = anchors
        self._keys = keys
        self._clock = clock

    async def checks(self, kept: Sequence[Anchor] = ()) -> AsyncIterator[Check]:
        """One check for each anchor, `anchor`; `waiting` for each finished game that no anchor took; `kept` for each
        anchor that was noted."""
        noted: dict[date, list[Anchor]] = {}
        for known in kept:
            noted.setdefault(known.day, []).append(known)
        previous: Anchor | None = None
        for text in await self._inspection.no_days():
            yield Check(ANCHOR, ok=False, detail=f"anchors.day or anchored_games.day: {text} is no day of an anchor.")
        async for day, anchor in self._inspection.days():
            yield await self._anchor(day, anchor, previous)
            for known in noted.pop(day, ()):
                yield self._kept(known, anchor)
            previous = previous if anchor is None else anchor
        for missing in noted.values():
            for known in missing:
                yield self._kept(known, None)
        async for check in self._waiting():
            yield check

    async def _anchor(self, day: date, anchor: Anchor | None, previous: Anchor | None) -> Check:
        if anchor is None:
            return _wrong(ANCHOR, day, "anchors: the row is missing, and there are games that are said to be in it.")
        if anchor.key not in self._keys:
            wrong: str | None = f"anchors.key: {anchor.key[:64]} is none of the trusted keys."
        elif is_signed(anchor.key, anchor.statement, anchor.signature):
            wrong = _loose(anchor, previous) or await self._other_games(anchor)
        else:
            wrong = await self._changed_column(anchor, previous)
        if wrong is not None:
            return _wrong(ANCHOR, day, wrong)
        return Check(ANCHOR, ok=True, detail=f"{day}: {anchor.games} games have the heads that were signed.")

    async def _changed_column(self, anchor: Anchor, previous: Anchor | None) -> str:
        """What of an anchor is not what was signed, as far as the others and its games tell."""
        roots = Roots()
        async for game in self._inspection.anchored(anchor.day):
            roots.add(game.head or b"")
        if _loose(anchor, previous) is not None:
            column = "previous"
        elif roots.size != anchor.games:
            column = "games"
        elif roots.root().hex() != anchor.root:
            column = "root"
        else:
            column = "day or anchors.signature"
        return f"anchors.{column}: it is not what the key has signed."

    async def _other_games(self, anchor: Anchor) -> str | None:
        """What is wrong with the games of an anchor that is right in itself."""
        count = 0
        async for game in self._inspection.anchored(anchor.day):
            if game.head is None:
                return f"games: the row of {game.game} is missing."
            if game.index != count:
                return f"anchored_games.position: {game.game} is at {game.index}, where {count} belongs."
            wrong = _unproven(anchor, game, game.head)
            if wrong is not None:
                return wrong
            count += 1
        # Where each leaf is proven in its place and none is left, the root is theirs.
        return (
            None
            if count == anchor.games
            else f"anchored_games: there are {count} games, and {anchor.games} were signed."
        )

    def _kept(self, known: Anchor, stored: Anchor | None) -> Check:
        if not is_signed(known.key, known.statement, known.signature):
            return _wrong(KEPT, known.day, "what was noted is signed by nobody.")
        if known.key not in self._keys:
            return _wrong(KEPT, known.day, "what was noted is signed by none of the trusted keys.")
        if stored is None:
            return _wrong(KEPT, known.day, "anchors: the row is missing.")
        for name in Anchor.__struct_fields__:
            if getattr(stored, name) != getattr(known, name):
                return _wrong(KEPT, known.day, f"anchors.{name}: it is another than the one that was noted.")
        return Check(KEPT, ok=True, detail=f"{known.day}: the anchor is the one that was noted.")

    async def _waiting(self) -> AsyncIterator[Check]:
        """Games that should have been anchored."""
        before = self._clock.now() - OVERDUE_AFTER
        count = 0
        for status in ("ended", "abandoned"):
            place: Place | None = BEGINNING
            while place is not None:
                page = await self._anchors.left_behind(status, place, before, _LOOK_AT)
                for game in page.rows:
                    if game.ended_at is not None and game.ended_at >= before:
                        continue
                    count += 1
                    what = "is in no anchor" if game.is_sealed else "has no seal and is in no anchor"
                    when = "" if game.ended_at is None else f" over since {game.ended_at.date()},"
                    yield Check(WAITING, ok=False, detail=f"{game.game} is{when or ' over,'} and {what}.")
                place = page.next
        if not count:
            yield Check(WAITING, ok=True, detail=f"Every game that was over before {before.date()} is anchored.")


def _loose(anchor: Anchor, previous: Anchor | None) -> str | None:
    """Whether it does not go on from the one before."""
    if previous is None:
        return None if anchor.previous is None else "anchors: the anchor before it is missing."
    if anchor.previous != previous.hash:
        return f"anchors.previous: it does not go on from the anchor of {previous.day}."
    return None


def _unproven(anchor: Anchor, game: AnchoredHead, head: bytes) -> str | None:
    if proves(anchored(anchor, game.index, game.proof), head):
        return None
    return f"games.head_hash or anchored_games.proof: the head of {game.game} is not in that anchor."


def _wrong(name: str, day: date, sentence: str) -> Check:
    return Check(name, ok=False, detail=f"{day}: {sentence}")
