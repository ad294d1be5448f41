"""Erasing a player: what is kept of the person goes at once, and within seconds no process takes the tokens any more.
The log of the games stays as it is, with an id that is nobody's.

The rows go first, in one step, and everything else follows from that: a process that erases knows it, the others look
for it in the store, and each of them leaves the tables of that player, at once and once more some time later. Until all
know, one of them may still serve him: a command leaves its key, a seat is taken. And whoever erased may be stopped in
the middle.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from infra.clock import Clock
from infra.event_store import StoreFault, StoreUnavailable
from infra.players import PlayerStore
from infra.telemetry import ERASURE_FAILURES, ERASURE_FAULTS, ERASURES
from services.erasure.clearing import CLEAR_SECONDS, Clearing
from services.games.games import Games
from services.identity.access import AccessTokens, TokenInvalid
from services.live.background import Background
from services.live.live import Live

LOOK_SECONDS: Final = 2.0
"""Between two looks for what other processes have erased."""

OVERLAP: Final = timedelta(minutes=1)
"""Each look goes back behind the last erasure of the one before: what is stored late has an earlier time."""

FIRST_LOOK: Final = timedelta(days=1)
"""So far back goes the first look of a process: whoever erased may have been stopped in the middle."""

_BEGINNING_SECONDS: Final = 2.0
_LEAVING_SECONDS: Final = 5.0
"""For so long who is erased waits for the tables to be left. It goes on behind the answer."""

logger = logging.getLogger("bohnanza.erasure")


class Erasures:
    """One instance per process."""

    def __init__(
        self,
        players: PlayerStore,
        access: AccessTokens,
        games: Games,
        live: Live,
        clock: Clock,
        *,
        look_seconds: float = LOOK_SECONDS,
        clear_seconds: float = CLEAR_SECONDS,
    ) -> None:
        self._players = players
        self._access = access
        self._live = live
        self._pause = look_seconds
        self._position: datetime | None = None
        self._known: frozenset[str] = frozenset()
        self._is_failing = False
        self._has_looked = asyncio.Event()
        self._background = Background(logger, "A fault behind an erasure", ERASURE_FAULTS)
        self._clearing = Clearing(
            players, games, live, clock, self._background, pause=look_seconds, clear_seconds=clear_seconds
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin. A process that starts asks first whose tokens it has to refuse, but does not wait for long: it also
        starts while the database is away."""
        self._tasks = [
            self._background.start(work) for work in (self._look_for_ever(), self._clearing.clear_for_ever())
        ]
        with suppress(TimeoutError):
            async with asyncio.timeout(_BEGINNING_SECONDS):
                await self._has_looked.wait()

    async def close(self) -> None:
        """End."""
        await self._background.close()

    @property
    def is_working(self) -> bool:
        """Whether the erasures of others are looked for. The store being away is no reason against it."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    async def erase(self, player: str) -> None:
        """Removes what is kept of the person, and leaves the tables at which nothing has begun. TokenInvalid when
        nothing is kept. StoreUnavailable or StoreFault: nothing has changed, or it was done and the answer was lost.

        Once the rows are gone the person is erased, whatever becomes of the tables: those that cannot be left now are
        left later.
        """
        if not await self._players.erase(player):
            raise TokenInvalid
        self._learn(player)
        # A task of its own: a fault is told, and does not make the erasure seem undone.
        await asyncio.wait([self._background.start(self._clearing.leave(player))], timeout=_LEAVING_SECONDS)

    def _learn(self, player: str) -> None:
        if self._access.revoke(player):
            ERASURES.inc()
            self._live.end_streams(player)
            self._clearing.later(player)

    async def _look_for_ever(self) -> None:
        while True:
            try:
                await self._look()
            except (StoreUnavailable, StoreFault) as error:
                ERASURE_FAILURES.inc()
                # The first of a row is enough: the next look comes soon.
                if not self._is_failing:
                    logger.warning("Who was erased elsewhere is not known for now: %s", error)
                self._is_failing = True
            else:
                self._is_failing = False
            self._has_looked.set()
            await asyncio.sleep(self._pause)

    async def _look(self) -> None:
        back = FIRST_LOOK if self._position is None else OVERLAP
        erased = await self._players.erased_since(self._position, back)
        for one in erased:
            # Each look tells the last ones of the look before it anew.
            if one.player not in self._known:
                self._learn(one.player)
                # Also here, when it was this process that erased: a seat may have been taken in the very moment.
                self._clearing.at_once(one.player)
        if erased:
            self._position = erased[-1].erased_at
        self._known = frozenset(one.player for one in erased)
