"""Work that nobody waits for: kept until it is done, ended with its owner, and never failing unheard."""

import asyncio
from collections.abc import Coroutine
from logging import Logger
from typing import Any, TypeVar

from prometheus_client import Counter

T = TypeVar("T")


class Background:
    """The tasks of one owner, who has a log and a counter for those that end by a fault of the program."""

    def __init__(self, logger: Logger, fault: str, faults: Counter) -> None:
        """`fault` is what the log calls one."""
        self._logger = logger
        self._fault = fault
        self._faults = faults
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
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

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._faults.inc()
            self._logger.error(self._fault, exc_info=error)
