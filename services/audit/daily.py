"""Has something done as soon as a day (UTC) is over, and again until it has succeeded."""

import asyncio
import logging
import random
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, time, timedelta
from typing import Final

from infra.clock import Clock
from infra.event_store import StoreFault, StoreUnavailable
from infra.telemetry import ANCHOR_FAULTS, ANCHOR_RETRIES

RETRY_SECONDS: Final = 30.0
FAULT_SECONDS: Final = 600.0
"""After a fault of the program, which will hardly have gone in half a minute."""

LONGEST_SLEEP: Final = 3600.0
"""Seconds. Clocks are set and machines are put to sleep: nobody knows hours before when a day is over."""

SPREAD_SECONDS: Final = 60.0
"""Within which the processes begin: the first of them saves the others most of the work."""

# Not for secrets.
_jitter: Final = random.SystemRandom()

logger = logging.getLogger("bohnanza.anchors")


class Daily:
    """One task of a process. `work` may raise StoreUnavailable and StoreFault, and finds out by itself what is left to
    do; `grace`: how long after its end a day is over."""

    def __init__(
        self,
        work: Callable[[], Awaitable[None]],
        clock: Clock,
        grace: timedelta,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._work = work
        self._clock = clock
        self._grace = grace
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin, in the background."""
        self._task = asyncio.create_task(self.run())

    async def close(self) -> None:
        """End it. What it was about is undone or done, and never half done."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def run(self) -> None:
        """Never returns, whatever happens to the work."""
        while True:
            await self._sleep(await self._round())

    async def _round(self) -> float:
        """The seconds until the next one."""
        try:
            await self._work()
        except StoreUnavailable:
            ANCHOR_RETRIES.labels("unavailable").inc()
            return RETRY_SECONDS
        except StoreFault as fault:
            ANCHOR_RETRIES.labels("refused").inc()
            # The store's errors hold kinds and names only.
            logger.error("The database refuses the anchors: %s", fault)  # noqa: TRY400 - the trace says nothing more
            return RETRY_SECONDS
        except Exception as error:  # noqa: BLE001 - whatever it is, the days that follow are to be anchored
            ANCHOR_FAULTS.inc()
            # Where it was, and not what it says: that may hold anything.
            where = "".join(traceback.format_tb(error.__traceback__))
            logger.error("A fault behind the anchors: %s\n%s", type(error).__name__, where)  # noqa: TRY400 - as said
            return FAULT_SECONDS
        now = self._clock.now()
        next_day = datetime.combine((now - self._grace).date() + timedelta(days=1), time(), UTC) + self._grace
        wait = (next_day - now).total_seconds()
        return LONGEST_SLEEP if wait > LONGEST_SLEEP else wait + _jitter.uniform(0, SPREAD_SECONDS)
