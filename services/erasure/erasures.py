"""Erasing a player: what is kept of the person goes at once, and within seconds no process takes the tokens any more.
The log of the games stays as it is, with an id that is nobody's.

A process that erases knows it; the others look for it in the store. Until all know, one of them may still serve the
player: a command leaves its key, a seat is taken. So each of them, some time after it has learnt of an erasure, clears
away what came meanwhile.
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
from services.games.errors import GameError
from services.games.games import Games
from services.games.leaving import leave_open_games
from services.identity.access import AccessTokens, TokenInvalid
from services.live.background import Background
from services.live.live import Live

LOOK_SECONDS: Final = 2.0
"""Between two looks for what other processes have erased."""

CLEAR_SECONDS: Final = 15.0
"""From learning of an erasure until what came meanwhile is cleared away: by then the other processes have learnt of it
too, and what was under way has ended."""

OVERLAP: Final = timedelta(minutes=1)
"""Each look goes back behind the last erasure of the one before: what is stored late has an earlier time."""

FIRST_LOOK: Final = timedelta(days=1)
"""So far back goes the first look of a process: whoever erased may have been stopped in the middle."""

_BEGINNING_SECONDS: Final = 2.0

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
        self._games = games
        self._live = live
        self._clock = clock
        self._pause = look_seconds
        self._clear_after = clear_seconds
        self._position: datetime | None = None
        self._known: frozenset[str] = frozenset()
        self._to_clear: dict[str, float] = {}
        self._is_failing = False
        self._has_looked = asyncio.Event()
        self._background = Background(logger, "A fault behind an erasure", ERASURE_FAULTS)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin. A process that starts asks first whose tokens it has to refuse, but does not wait for long: it also
        starts while the database is away."""
        self._tasks = [self._background.start(self._look_for_ever()), self._background.start(self._clear_for_ever())]
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
        """Leaves the tables at which nothing has begun, and removes what is kept of the person. TokenInvalid when
        nothing is. StoreUnavailable, StoreFault or Contention: send it again, and it goes on where it stopped."""
        await self._leave(player)
        if not await self._players.erase(player):
            raise TokenInvalid
        self._learn(player)

    async def _leave(self, player: str) -> None:
        for game in await leave_open_games(self._games, player):
            # It is nobody's seat then, as in a game that has begun. A process that can read the game leaves it later.
            ERASURE_FAILURES.inc()
            logger.warning("A seat of an erased player stays taken: game %s cannot be read here", game)

    def _learn(self, player: str) -> None:
        if not self._access.revoke(player):
            return
        ERASURES.inc()
        self._live.end_streams(player)
        self._clear_later(player)

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
        if erased:
            self._position = erased[-1].erased_at
        self._known = frozenset(one.player for one in erased)

    def _clear_later(self, player: str) -> None:
        self._to_clear[player] = self._clock.monotonic() + self._clear_after

    async def _clear_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            for player, due in list(self._to_clear.items()):
                if due <= self._clock.monotonic():
                    del self._to_clear[player]
                    # One after the other, and each a task of its own: a fault with one ends nothing else.
                    await asyncio.wait([self._background.start(self._clear(player))])

    async def _clear(self, player: str) -> None:
        """Streams that were just being opened, seats at tables where nothing has begun, keys of commands, tickets."""
        try:
            self._live.end_streams(player)
            await self._leave(player)
            await self._players.erase(player)
        except (StoreUnavailable, StoreFault, GameError) as error:
            ERASURE_FAILURES.inc()
            logger.warning("What came after an erasure is not cleared away yet: %s", error)
            self._clear_later(player)
