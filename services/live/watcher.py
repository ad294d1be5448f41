"""One client of one game: what he has been sent, what waits for him, and what to do when he is too slow."""

import asyncio
import logging
from collections import deque
from typing import Final

from infra.event_store import StoreFault, StoreUnavailable
from infra.telemetry import LIVE_FRAMES, LIVE_GAPS, LIVE_LAGGING, LIVE_STORE_FAILURES
from services.games.errors import GameNotFound, HistoryUnreadable
from services.games.games import Games
from services.live.batch import Batch, batch_of
from services.live.frames import Frame, bye_frame, view_frame
from services.live.room import Room

MOST_WAITING: Final = 256
"""Batches that may wait for a client. Whoever falls further behind gets a fresh view instead."""

PAGE: Final = 500
"""Events in one frame while a client catches up."""

RETRY_MS: Final = 2000
"""When a client should come again whose stream could not go on."""

_PAUSE_SECONDS: Final = 0.5

logger = logging.getLogger("bohnanza.live")


class Watcher:
    """To be asked for one frame after the other until it `is_over`, the last one having been a `bye`.

    `seat` is None for a spectator. `after` is the version that the client has come to, None if he has nothing yet.
    """

    def __init__(self, games: Games, room: Room, player: str, seat: int | None, after: int | None) -> None:
        self.room: Final = room
        self.player: Final = player
        self.seat = seat
        self.is_over = False
        self.has_left = False
        self.retry_ms: int | None = None
        self._games = games
        self._sent = after
        self._is_behind = after is not None
        self._waiting: deque[Batch] = deque()
        self._overflows = 0
        self._is_noticed = True
        self._last: Frame | None = None
        self._woken = asyncio.Event()

    def push(self, batch: Batch) -> None:
        """As Audience.push. What he is too slow for is not dropped silently: he begins anew, with a view."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self._overflows += 1
            if self._sent is not None:
                LIVE_LAGGING.inc()
            self._sent = None
        self._waiting.append(batch)
        self._woken.set()

    def notice(self) -> None:
        """As Audience.notice."""
        self._is_noticed = True
        self._woken.set()

    def end(self, retry_ms: int | None) -> None:
        """The next frame is the last one."""
        self.retry_ms = retry_ms
        self._last = bye_frame(retry_ms)
        self._woken.set()

    def leave(self) -> None:
        """The client is gone; nobody waits for another frame."""
        self.has_left = True
        self._woken.set()

    async def next(self, patience: float) -> Frame | None:
        """The next frame; None if there was none for so many seconds, or the client is gone."""
        try:
            async with asyncio.timeout(patience):
                while not self.has_left:
                    frame = await self._ready()
                    if frame is not None:
                        LIVE_FRAMES.labels(frame.type).inc()
                        return frame
                    await self._woken.wait()
        except TimeoutError:
            pass  # nothing has happened
        except (StoreUnavailable, StoreFault) as error:
            # Nothing of what he is owed is forgotten: the next call tries again.
            LIVE_STORE_FAILURES.inc()
            logger.warning("A watcher waits for the store: %s", error)
            await asyncio.sleep(min(_PAUSE_SECONDS, patience))
        return None

    async def _ready(self) -> Frame | None:
        """What can be sent now."""
        self._woken.clear()
        if self._last is not None:
            self.is_over = True
            return self._last
        try:
            return await self._fresh_view() if self._sent is None else await self._following(self._sent)
        except GameNotFound:
            # A private game in which he has no seat any more.
            self.end(None)
        except HistoryUnreadable as error:
            logger.warning("A stream ends: %s", error)
            self.end(RETRY_MS)
        return await self._ready()

    async def _fresh_view(self) -> Frame:
        while True:
            overflows = self._overflows
            seen = await self._games.view(self.room.game, self.player)
            if overflows == self._overflows:
                break
        self.seat = seen.viewer
        self._sent = seen.version
        self._is_behind = False
        return view_frame(seen)

    async def _following(self, sent: int) -> Frame | None:
        if self._is_behind:
            frame = await self._missed(sent)
            if frame is not None:
                return frame
        while self._waiting:
            batch = self._waiting.popleft()
            if batch.last <= sent:
                continue
            if batch.first > sent + 1:
                LIVE_GAPS.inc()
                self._waiting.appendleft(batch)
                return await self._stored(sent)
            frame = batch.frame(self.seat) if batch.first == sent + 1 else batch.rest(sent, self.seat)
            self._sent = batch.last
            if batch.is_seating:
                await self._look_where_he_sits()
            return frame
        if self._is_noticed and self.room.presence is not None:
            self._is_noticed = False
            return self.room.presence
        return None

    async def _missed(self, sent: int) -> Frame | None:
        """From where he was when he came: out of the room's memory, or else out of the store."""
        kept = self.room.since(sent)
        if kept is None:
            return await self._stored(sent)
        self._is_behind = False
        self._waiting.extendleft(reversed(kept))
        return None

    async def _stored(self, sent: int) -> Frame | None:
        part = await self._games.part(self.room.game, self.player, sent, PAGE)
        self._is_behind = len(part.records) == PAGE
        if not part.records:
            return None
        batch = batch_of(self.room.game, part.records)
        frame = batch.frame(self.seat, revealed=part.revealed)
        self._sent = batch.last
        if batch.is_seating:
            await self._look_where_he_sits()
        return frame

    async def _look_where_he_sits(self) -> None:
        """With another seat he sees another table, and begins anew with a view of it."""
        seat = (await self._games.place(self.room.game, self.player)).seat
        if seat != self.seat:
            self.seat = seat
            self._sent = None
