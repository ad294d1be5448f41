"""The seal of a finished game: the end of its chain, signed. It is stored with the last event, in one statement; a game
that was ended by a program that made no seals gets its own when it is first asked for, and not when it should have been
anchored long ago. So whoever changes an old game in the database and takes its seal away does not have it signed anew
as it was; the anchor of its day lacks it then, and one that he dates later is in another."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from domain.anchors import Anchor
from domain.history import Record, first_hash, line, next_hash
from infra.event_store import OVER, EventStore, Seal
from infra.signing import Signature
from infra.telemetry import LATE_SEALS, UNSEALABLE_GAMES
from services.games.errors import HistoryUnreadable
from services.games.pages import pages
from services.games.stored import header_line

Sign = Callable[[bytes], Signature]
"""Signs the 32 bytes of a head."""

Newest = Callable[[], Awaitable[Anchor | None]]
"""The newest anchor; None where there is none."""

LATEST: Final = timedelta(days=1)
"""How long after the day of its end a game may be sealed, counted by the day of the newest anchor. An older process
that ends games beside newer ones leaves them without a seal until the day is anchored; before the first anchor of all
any game may be without."""

_NAMED_AT_MOST: Final = 10_000

logger = logging.getLogger("bohnanza.seals")


def seal_over(last: Record, sign: Sign) -> Seal:
    """The seal of a game that has ended with that record."""
    made = sign(last.hash)
    return Seal(last.hash, last.at, made.key, made.signature)


class Seals:
    """Of the games of one store. Every method may raise StoreUnavailable and StoreFault."""

    def __init__(self, store: EventStore, newest: Newest, sign: Sign) -> None:
        self._store = store
        self._newest = newest
        self._sign = sign
        self._named: set[str] = set()

    async def of(self, game: str) -> Seal | None:
        """The seal of that game, made now if it has ended without one. Of several who do that at once, one has made it,
        and all get that one. None: the game goes on, there is none, or what is stored is not to be signed any more; the
        latter is counted, and logged once."""
        stored = await self._store.seal(game)
        if stored is not None:
            return stored
        head = await self._store.head(game)
        if head is None or head.summary.status not in OVER:
            return None
        for newest in await self._store.read(game, head.version - 1, 1):
            # Before all of it is read: who asks again and again is not to have that done for nothing.
            if await self._is_too_late(newest.at):
                self._refuse(game, "a later day is anchored, and a game that was not sealed by then may be another")
                return None
        try:
            last = await _end_of_chain(self._store, game, head.version)
        except HistoryUnreadable:
            last = None
        if last is None:
            self._refuse(game, "its history cannot be read")
            return None
        seal = await self._store.add_seal(game, seal_over(last, self._sign))
        if seal is None:
            self._refuse(game, "its chain does not lead to its head")
            return None
        LATE_SEALS.inc()
        logger.warning("Game %s had ended without a seal and was given one.", game)
        return seal

    async def _is_too_late(self, ended_at: datetime) -> bool:
        newest = await self._newest()
        return newest is not None and newest.day - LATEST > ended_at.astimezone(UTC).date()

    def _refuse(self, game: str, why: str) -> None:
        UNSEALABLE_GAMES.inc()
        if game not in self._named and len(self._named) < _NAMED_AT_MOST:
            self._named.add(game)
            logger.error("Game %s has no seal and is given none: %s.", game, why)


async def _end_of_chain(store: EventStore, game: str, version: int) -> Record | None:
    """The last record, with the hash to which the lines of all records really add up: what is broken is not signed."""
    hashed, last = b"", None
    async with aclosing(pages(store, game, version)) as read:
        async for page in read:
            if not hashed:
                hashed = first_hash(header_line(game, page[0]))
            for record in page:
                hashed = next_hash(hashed, line(record.version, record.at, record.seat, record.payload))
                last = record
    return None if last is None else msgspec.structs.replace(last, hash=hashed)
