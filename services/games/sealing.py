"""The seal of a finished game: the end of its chain, signed. It is stored with the last event, in one statement; a game
that was ended by a program that made no seals gets its own when it is first asked for."""

from collections.abc import Callable

import msgspec

from domain.history import Record, first_hash, line, next_hash
from infra.event_store import OVER, EventStore, Seal
from infra.signing import Signature
from services.games.pages import pages
from services.games.stored import header_line

Sign = Callable[[bytes], Signature]
"""Signs the 32 bytes of a head."""


def seal_over(last: Record, sign: Sign) -> Seal:
    """The seal of a game that has ended with that record."""
    made = sign(last.hash)
    return Seal(last.hash, last.at, made.key, made.signature)


async def seal_of(store: EventStore, game: str, sign: Sign) -> Seal | None:
    """The seal of that game, made now if it has ended without one. Of several who do that at once, one has made it, and
    all get that one. None: the game goes on, there is none, or its chain does not lead to its head.
    StoreUnavailable, StoreFault, HistoryUnreadable."""
    stored = await store.seal(game)
    if stored is not None:
        return stored
    head = await store.head(game)
    if head is None or head.summary.status not in OVER:
        return None
    last = await _end_of_chain(store, game, head.version)
    return None if last is None else await store.add_seal(game, seal_over(last, sign))


async def _end_of_chain(store: EventStore, game: str, version: int) -> Record | None:
    """The last record, with the hash to which the lines of all records really add up: what is broken is not signed."""
    hashed, last = b"", None
    async for page in pages(store, game, version):
        if not hashed:
            hashed = first_hash(header_line(game, page[0]))
        for record in page:
            hashed = next_hash(hashed, line(record.version, record.at, record.seat, record.payload))
            last = record
    return None if last is None else msgspec.structs.replace(last, hash=hashed)
