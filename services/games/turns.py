"""Whoever reads whole histories takes turns: that is work for the processor, and whoever plays must get in between."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from services.games.errors import Contention

AT_ONCE: Final = 2
MOST_WAITING: Final = 200
"""Whoever comes then is told to come again."""

MOST_SECONDS: Final = 5.0
"""For which a turn is waited. Longer than that it takes only where the store does not answer."""


class Turns:
    """One instance per process."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self._waiting = 0

    @asynccontextmanager
    async def turn(self, version: int) -> AsyncGenerator[None]:
        """For a whole answer about a game at that version. Contention when too many wait."""
        if self._waiting >= self._most_waiting:
            raise Contention(version=version)
        self._waiting += 1
        try:
            async with asyncio.timeout(MOST_SECONDS):
                await self._turn.acquire()
        except TimeoutError:
            raise Contention(version=version) from None
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turn.release()

    @asynccontextmanager
    async def part(self) -> AsyncGenerator[None]:
        """For a part of an answer that has begun, with nothing in it that waits for a client."""
        async with self._turn:
            yield
