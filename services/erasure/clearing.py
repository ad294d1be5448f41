"""What is left to do once a person is erased: streams that were just being opened, seats at tables where nothing has
begun, keys of commands and tickets that came meanwhile. It is done at least once, after all that was under way has
ended, and again when it did not succeed.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct

from infra.clock import Clock
from infra.event_store import StoreFault, StoreUnavailable
from infra.players import PlayerStore
from infra.telemetry import ERASURE_FAILURES, ERASURE_FAULTS
from services.games.errors import GameError
from services.games.games import Games
from services.games.leaving import leave_open_games
from services.live.background import Background
from services.live.live import Live

CLEAR_SECONDS: Final = 15.0
"""From learning of an erasure until a clearing counts as the last: by then the other processes have learnt of it too,
and what was under way has ended. Also the first pause after a failure; each one after it is twice as long."""

LONGEST_PAUSE: Final = 600.0

MOST_TRIES: Final = 12
"""That have failed, in an hour or so. While the store is away none is counted: there was nothing to try."""

_AT_ONCE: Final = 8

Outcome = Literal["cleared", "left over", "store away"]

logger = logging.getLogger("bohnanza.erasure")


class _Job(Struct):
    due: float
    last_from: float
    """A success that began then or later is the last one. Both in seconds of the monotonic clock."""
    failures: int = 0


class Clearing:
    """One instance per process."""

    def __init__(
        self,
        players: PlayerStore,
        games: Games,
        live: Live,
        clock: Clock,
        background: Background,
        *,
        pause: float,
        clear_seconds: float = CLEAR_SECONDS,
    ) -> None:
        """`pause` in seconds, between two looks at what is due."""
        self._players = players
        self._games = games
        self._live = live
        self._clock = clock
        self._background = background
        self._pause = pause
        self._clear_seconds = clear_seconds
        self._jobs: dict[str, _Job] = {}
        self._has_more = asyncio.Event()

    def later(self, player: str) -> None:
        """Clear away what will have come meanwhile."""
        at = self._clock.monotonic() + self._clear_seconds
        self._jobs.setdefault(player, _Job(at, at))

    def at_once(self, player: str) -> None:
        """Clear away what has come, and once more later."""
        self.later(player)
        self._jobs[player].due = self._clock.monotonic()
        self._has_more.set()

    async def leave(self, player: str) -> Outcome:
        """Leave the tables at which nothing has begun."""
        try:
            seated = await leave_open_games(self._games, player)
        except StoreUnavailable as error:
            _failed("The tables of an erased player are not left yet: %s", error)
            return "store away"
        except StoreFault as error:
            _failed("The tables of an erased player cannot be found: %s", error)
            return "left over"
        for one in seated:
            if isinstance(one.error, (GameError, StoreFault)):
                _failed("A seat of an erased player stays taken for now, game %s: %s", one.game, one.error)
            else:
                ERASURE_FAULTS.inc()
                logger.error("A fault behind an erasure, game %s", one.game, exc_info=one.error)
        return "left over" if seated else "cleared"

    async def clear_for_ever(self) -> None:
        """Whatever is due, a few players at a time."""
        while True:
            now = self._clock.monotonic()
            due = [player for player, job in self._jobs.items() if job.due <= now][:_AT_ONCE]
            # Each a task of its own: a fault with one ends nothing else.
            tasks = {player: self._background.start(self._clear(player)) for player in due}
            if tasks:
                await asyncio.wait(tasks.values())
                for player, task in tasks.items():
                    self._settle(player, now, _outcome(task))
                continue
            self._has_more.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._has_more.wait()

    async def _clear(self, player: str) -> Outcome:
        self._live.end_streams(player)
        try:
            await self._players.erase(player)
        except StoreUnavailable as error:
            _failed("What came after an erasure is not cleared away yet: %s", error)
            return "store away"
        except StoreFault as error:
            _failed("What came after an erasure is not cleared away yet: %s", error)
            return "left over"
        return await self.leave(player)

    def _settle(self, player: str, begun: float, outcome: Outcome) -> None:
        job = self._jobs[player]
        now = self._clock.monotonic()
        if outcome == "cleared":
            if begun >= job.last_from:
                del self._jobs[player]
            else:
                job.due = job.last_from
            return
        job.failures += outcome == "left over"
        if job.failures >= MOST_TRIES:
            del self._jobs[player]
            _failed("What came after an erasure is left until the next start, after %s tries", job.failures)
        else:
            job.due = now + min(self._clear_seconds * 2.0 ** max(0, job.failures - 1), LONGEST_PAUSE)


def _outcome(task: asyncio.Task[Outcome]) -> Outcome:
    # A fault has been logged and counted already.
    return "left over" if task.cancelled() or task.exception() is not None else task.result()


def _failed(told: str, *about: object) -> None:
    ERASURE_FAILURES.inc()
    logger.warning(told, *about)
