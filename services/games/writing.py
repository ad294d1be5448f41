"""How a change gets into the store: decide on the folded state, append, and when another process was
first, take in what it did and decide again. Bounded in attempts and in time."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from msgspec import Struct

from domain.events import Event
from domain.history import Record
from infra.clock import Clock
from infra.event_store import EventStore, Receipt
from infra.telemetry import APPEND_RETRIES, REFUSALS
from services.games.answers import Answer
from services.games.cache import GameCache
from services.games.errors import CommandRefused, Contention, GameError, GameNotFound
from services.games.live_game import LiveGame
from services.games.sealing import Sign

MOST_ATTEMPTS: Final = 20
MOST_SECONDS: Final = 5.0
_FIRST_PAUSE: Final = 0.002
_LONGEST_PAUSE: Final = 0.1

# Not for secrets: it only keeps those who lost a race from meeting again at once.
_jitter: Final = random.SystemRandom()


Announce = Callable[[str, Sequence[tuple[Record, Event]]], None]
"""Called with a game and what has happened in it, once that is stored. It must not wait or raise."""


class Step(Struct, frozen=True):
    """What a use case wants to happen next. No events: nothing needs to."""

    seat: int | None
    events: list[Event]
    receipt: Receipt | None = None


class Written(Struct, frozen=True):
    """What has come of it: what happened just now, or the answer that an earlier copy was given."""

    live: LiveGame
    seat: int | None = None
    happened: list[tuple[Record, Event]] = []
    earlier: Answer | None = None


class _Acquaintance:
    """The game of one call, once it is clear that the caller may know of it."""

    live: LiveGame | None = None

    @property
    def version(self) -> int | None:
        """What may be told in a problem."""
        return None if self.live is None else self.live.version


async def _no_earlier_copy(_: LiveGame) -> Answer | None:
    return None


class Writer:
    """Carries steps out, on the copies of the games that the cache holds."""

    def __init__(
        self, store: EventStore, cache: GameCache, clock: Clock, announce: Announce, sign: Sign | None
    ) -> None:
        self._store = store
        self._cache = cache
        self._clock = clock
        self._announce = announce
        self._sign = sign

    async def write(
        self,
        game: str,
        step: Callable[[LiveGame], Step],
        earlier: Callable[[LiveGame], Awaitable[Answer | None]] = _no_earlier_copy,
    ) -> Written:
        """`step` is asked anew for each attempt and may raise a GameError; `earlier` finds the answer
        to an earlier copy of the same command, and is asked before a refusal counts.
        Raises Contention when the attempts or the time are used up."""
        known = _Acquaintance()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                return await self._attempts(game, step, earlier, known)
        except TimeoutError as error:
            raise Contention(version=known.version) from error
        except CommandRefused as refusal:
            REFUSALS.labels(refusal.code).inc()
            raise

    async def _attempts(
        self,
        game: str,
        step: Callable[[LiveGame], Step],
        earlier: Callable[[LiveGame], Awaitable[Answer | None]],
        known: _Acquaintance,
    ) -> Written:
        live, newest = await self._cache.get(game)
        for attempt in range(MOST_ATTEMPTS):
            await live.turn()
            while not live.whole:
                live, newest = await self._cache.get(game)
                await live.turn()
            decided_at = live.version
            try:
                wanted = step(live)
            except GameError as refusal:
                known.live = None if isinstance(refusal, GameNotFound) else live
                # A refusal counts only if this copy of the game lacked nothing, and no receipt says
                # that the command was carried out before. In this order: a receipt that appears
                # after the tail was read is found, one that came before it is in the tail.
                if not newest and await self._moves_on(live, decided_at):
                    continue
                # Who may not know of the game has carried out nothing in it, and must not tell it by the time either.
                found = None if isinstance(refusal, GameNotFound) else await earlier(live)
                if found is None:
                    raise
                return Written(live, earlier=found)
            known.live = live
            if not wanted.events:
                # As much as a refusal: that there is nothing to do may be true of the past only.
                if not newest and await self._moves_on(live, decided_at):
                    continue
                return Written(live, wanted.seat)
            stored = await live.append(
                self._store,
                wanted.events,
                seat=wanted.seat,
                at=self._clock.now(),
                receipt=wanted.receipt,
                sign=self._sign,
            )
            if stored:
                happened = list(zip(stored, wanted.events, strict=True))
                self._announce(game, happened)
                return Written(live, wanted.seat, happened)
            APPEND_RETRIES.inc()
            newest = False
            await self._cache.catch_up(live)
            found = await earlier(live)
            if found is not None:
                return Written(live, earlier=found)
            pause = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)
            await asyncio.sleep(_jitter.uniform(0, pause))
        raise Contention(version=known.version)

    async def _moves_on(self, live: LiveGame, version: int) -> bool:
        """Whether the game has come further than that version. Another caller may be the one who folds
        what is new, so the version tells it, not what this reading has brought."""
        await self._cache.catch_up(live)
        return live.version != version
