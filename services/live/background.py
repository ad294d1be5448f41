"""Work that nobody waits for: kept until it is done, ended with its owner, and never failing unheard."""

import asyncio
import logging
from collections.abc import Coroutine

from infra.telemetry import LIVE_FAULTS

logger = logging.getLogger("bohnanza.live")


class Background:
    """The tasks of one owner."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Have it done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def settle(self, seconds: float) -> None:
        """Wait until all is done, at most so long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def close(self) -> None:
        """End what is not done."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LIVE_FAULTS.inc()
            logger.error("A fault behind the streams", exc_info=error)
