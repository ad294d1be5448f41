"""The records of a long history, a page at a time: bounded memory, and others get their turn in between."""

from collections.abc import AsyncIterator
from typing import Final

from domain.history import Record
from infra.event_store import EventStore

PAGE: Final = 500


async def pages(store: EventStore, game: str, last: int, size: int = PAGE) -> AsyncIterator[list[Record]]:
    """From the first record to that version; it ends early where records are missing."""
    after = 0
    while after < last:
        page = await store.read(game, after, min(size, last - after))
        if not page:
            return
        yield page
        after = page[-1].version
