"""Anchors every day that is over, once, in order, with any number of processes at it: each asks what the newest anchor
is and offers the one that follows; the store takes one of them, and the others look again.

A game is anchored with the day on which it ended. One that came to light later (its last event was committed late, or
it was sealed late) goes into the next anchor that is made.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from domain.anchors import Anchor, statement
from domain.merkle import Tree
from infra.anchors import BEGINNING, AnchorStore, Place, Proof, Sealed
from infra.clock import Clock
from infra.event_store import EventStore, StoreFault, StoreUnavailable
from infra.telemetry import (
    ANCHOR_RACES,
    ANCHOR_RETRIES,
    ANCHORED_GAMES,
    ANCHORS,
    ANCHORS_AHEAD,
    UNSEALABLE_GAMES,
)
from services.games.sealing import Seals, Sign

GRACE: Final = timedelta(minutes=15)
"""How long after its end a day is anchored: longer than an append takes, and clocks differ."""

MOST_ASTRAY: Final = timedelta(minutes=5)
"""How far two clocks may differ. A day that a wrong clock anchors before it is over stops the anchoring until then, and
its games are in no anchor of their day."""

_DAY: Final = timedelta(days=1)

logger = logging.getLogger("bohnanza.anchors")


class Anchoring:
    """One instance per process. `other_clock`: one that all processes share, which has to agree with `clock`.
    `look_at`: how many games a statement looks at, to keep it short."""

    def __init__(
        self,
        store: EventStore,
        anchors: AnchorStore,
        sign: Sign,
        clock: Clock,
        *,
        other_clock: Callable[[], Awaitable[datetime]] | None = None,
        look_at: int = 2_000,
    ) -> None:
        self._store = store
        self._anchors = anchors
        self._sign = sign
        self._seals = Seals(store, anchors.newest, sign)
        self._clock = clock
        self._other_clock = other_clock
        self._look_at = look_at
        self._done: date | None = None

    async def anchor(self) -> None:
        """Anchor every day that is over and is not anchored yet; nothing while the clocks disagree. StoreUnavailable,
        StoreFault: then it is to be tried again, and what was done stays."""
        due = _due(self._clock.now())
        if (self._done is not None and self._done >= due) or await self._is_astray():
            return
        since: Place | None = None
        while True:
            newest = await self._anchors.newest()
            if newest is not None and newest.day >= due:
                self._look_ahead(newest.day)
                break
            if since is None:
                since = await self._first_left_behind(newest)
            if await self._anchor_days(newest, since, due):
                break
            ANCHOR_RACES.inc()
        self._done = due

    async def _is_astray(self) -> bool:
        """Whether the time here is another than elsewhere: which of them is right, nobody can tell."""
        if self._other_clock is None:
            return False
        astray = abs(await self._other_clock() - self._clock.now())
        if astray <= MOST_ASTRAY:
            return False
        ANCHOR_RETRIES.labels("clock").inc()
        logger.error("Nothing is anchored: the clock here and that of the database differ by %s.", astray)
        return True

    def _look_ahead(self, newest: date) -> None:
        if newest > _due(self._clock.now() + MOST_ASTRAY):
            ANCHORS_AHEAD.inc()
            logger.error("The newest anchor is of %s, which is not over: until then nothing can be anchored.", newest)

    async def _anchor_days(self, newest: Anchor | None, since: Place, due: date) -> bool:
        """False when another process was faster with one of them: what it took is to be left out."""
        day: date | None = None
        heads: dict[str, bytes] = {}
        async for game in self._waiting(since, _end_of(due)):
            ended_on = game.ended_at.date()
            if newest is None or ended_on > newest.day:
                if day is not None and ended_on != day:
                    newest = await self._anchor_day(day, newest, heads)
                    if newest is None:
                        return False
                    heads = {}
                day = ended_on
            heads[game.game] = game.head
        return not heads or await self._anchor_day(day or due, newest, heads) is not None

    async def _anchor_day(self, day: date, previous: Anchor | None, heads: dict[str, bytes]) -> Anchor | None:
        # Hashing very many games takes a while, during which others want to play.
        root, proofs = await asyncio.to_thread(_proven, heads)
        said = (day, len(heads), root, None if previous is None else previous.hash)
        made = self._sign(statement(*said))
        anchor = Anchor(*said, made.key, made.signature)
        if not await self._anchors.add(anchor, proofs):
            return None
        ANCHORS.inc()
        ANCHORED_GAMES.inc(len(heads))
        return anchor

    async def _waiting(self, since: Place, before: datetime) -> AsyncIterator[Sealed]:
        """What waits for an anchor, in the order in which it ended."""
        place: Place | None = since
        while place is not None:
            page = await self._anchors.unanchored(place, before, self._look_at)
            for game in page.rows:
                yield game
            place = page.next

    async def _first_left_behind(self, newest: Anchor | None) -> Place:
        """Where to begin to look for games that wait: after the newest anchor, or at the first of those that no anchor
        took. Games that have no seal get one."""
        first = BEGINNING.at if newest is None else _end_of(newest.day)
        before = first
        faults: list[StoreFault] = []
        sealed = 0
        for status in ("ended", "abandoned"):
            place: Place | None = BEGINNING
            while place is not None:
                page = await self._anchors.left_behind(status, place, before, self._look_at)
                for game in page.rows:
                    ended_at = game.ended_at if game.is_sealed else await self._seal(game.game, faults)
                    sealed += ended_at is not None
                    if ended_at is not None:
                        first = min(first, ended_at)
                    elif game.is_sealed:
                        UNSEALABLE_GAMES.inc()
                        logger.error("Game %s is not anchored: its seal is of no time that there can be.", game.game)
                place = page.next
        if faults and not sealed:
            # It is the database that refuses, not this or that game: once the day is anchored they would be too late.
            raise faults[0]
        return Place(first, BEGINNING.game)

    async def _seal(self, game: str, faults: list[StoreFault]) -> datetime | None:
        """When it ended; None where that is not known. What the database refuses is added to `faults`."""
        try:
            seal = await self._seals.of(game)
        except StoreUnavailable:
            raise
        except StoreFault as fault:
            UNSEALABLE_GAMES.inc()
            logger.error("Game %s cannot be sealed: %s", game, fault)  # noqa: TRY400 - it holds kinds and names only
            faults.append(fault)
            return None
        except Exception as error:  # noqa: BLE001 - one broken game holds up no other
            UNSEALABLE_GAMES.inc()
            kind = type(error).__name__
            logger.error("Game %s cannot be sealed: %s", game, kind)  # noqa: TRY400 - what it says may hold anything
            return None
        # Without one it stays: what is broken, changed, or newer than this program, is not signed.
        return None if seal is None else seal.ended_at


def _due(now: datetime) -> date:
    """The last day that is to be anchored then."""
    return (now - GRACE).date() - _DAY


def _end_of(day: date) -> datetime:
    """The first moment after it."""
    return datetime.combine(day + _DAY, time(), UTC)


def _proven(heads: dict[str, bytes]) -> tuple[str, list[Proof]]:
    """The root over the heads in the order of the games' ids, and what proves each of them."""
    games = sorted(heads)
    tree = Tree(heads[game] for game in games)
    return tree.root.hex(), [Proof(game, tree.proof(index)) for index, game in enumerate(games)]
