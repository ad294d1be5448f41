"""The records of a long history, a page at a time: bounded memory, and others get their turn in between. While one page
is worked on the next one is on its way."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from domain.history import Record
from infra.event_store import EventStore

PAGE: Final = 1000


async def pages(store: EventStore, game: str, last: int, size: int = PAGE) -> AsyncGenerator[list[Record]]:
    """From the first record to that version; it ends early where records are missing. To be closed by whoever does
    not take all of it."""
    reading = _read(store, game, 0, size, last)
    try:
        while page := await reading:
            reading = _read(store, game, page[-1].version, size, last)
            # Let it be asked for before the caller is busy with this one.
            await asyncio.sleep(0)
            yield page
    finally:
        # What nobody waits for any more may have failed meanwhile; that is nobody's matter either.
        reading.cancel()
        reading.add_done_callback(lambda done: done.cancelled() or done.exception())


def _read(store: EventStore, game: str, after: int, size: int, last: int) -> asyncio.Future[list[Record]]:
    if after < last:
        return asyncio.ensure_future(store.read(game, after, min(size, last - after)))
    nothing: asyncio.Future[list[Record]] = asyncio.get_running_loop().create_future()
    nothing.set_result([])
    return nothing
