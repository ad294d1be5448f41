"""The seal of a finished game: the end of its chain, signed. It is stored with the last event, in one statement; a game
that was ended by a program that made no seals gets its own when it is first asked for."""

from collections.abc import Callable

from domain.history import Record
from infra.event_store import OVER, EventStore, Seal
from infra.signing import Signature

Sign = Callable[[bytes], Signature]
"""Signs the 32 bytes of a head."""


def seal_over(last: Record, sign: Sign) -> Seal:
    """The seal of a game that has ended with that record."""
    made = sign(last.hash)
    return Seal(last.hash, last.at, made.key, made.signature)


async def seal_of(store: EventStore, game: str, sign: Sign) -> Seal | None:
    """The seal of that game, made now if it has ended without one. Of several who do that at once, one has made it, and
    all get that one. None: the game goes on, or there is none. StoreUnavailable, StoreFault."""
    stored = await store.seal(game)
    if stored is not None:
        return stored
    head = await store.head(game)
    if head is None or head.summary.status not in OVER:
        return None
    last = await store.read(game, head.version - 1, 1)
    return await store.add_seal(game, seal_over(last[0], sign)) if last else None
