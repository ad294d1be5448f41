"""One client of one game: what he has been sent, what waits for him, and what to do when he is too slow."""

import asyncio
import logging
from collections import deque
from typing import Final, get_args

from infra.event_store import StoreFault, StoreUnavailable
from infra.telemetry import LIVE_FRAMES, LIVE_GAPS, LIVE_LAGGING, LIVE_STORE_FAILURES
from services.games.errors import GameNotFound, HistoryUnreadable
from services.games.games import Games, Place
from services.live.batch import Batch, batch_of
from services.live.frames import Frame, FrameType, bye_frame, view_frame
from services.live.retry import retry_ms
from services.live.room import Room

MOST_WAITING: Final = 256
"""Batches that may wait for a client. Whoever falls further behind gets a fresh view instead."""

PAGE: Final = 500
"""Events in one frame while a client catches up."""

_PAUSE_SECONDS: Final = 0.5

_FRAMES: Final = {kind: LIVE_FRAMES.labels(kind) for kind in get_args(FrameType)}

logger = logging.getLogger("bohnanza.live")


class Watcher:
    """To be asked for one frame after the other until it `is_over`, the last one having been a `bye`.

    `place` is where he sits, `after` the version that the client has come to, None if he has nothing yet.
    """

    def __init__(self, games: Games, room: Room, player: str, place: Place, after: int | None) -> None:
        self.room: Final = room
        self.player: Final = player
        self.is_over = False
        self.has_left = False
        self.retry_ms: int | None = None
        self._games = games
        self._place = place
        self._sent = after
        self._is_behind = after is not None
        self._kept: deque[Batch] = deque()
        self._waiting: deque[Batch] = deque()
        self._restarts = 0
        self._is_noticed = True
        self._last: Frame | None = None
        self._woken = asyncio.Event()

    def push(self, batch: Batch) -> None:
        """As Watching.push. What he is too slow for is not dropped silently: he begins anew, with a view."""
        if len(self._waiting) >= MOST_WAITING:
            if self._sent is not None:
                LIVE_LAGGING.inc()
            self.start_over()
        self._waiting.append(batch)
        self._woken.set()

    def notice(self) -> None:
        """As Watching.notice."""
        self._is_noticed = True
        self._woken.set()

    def start_over(self) -> None:
        """As Watching.start_over."""
        self._waiting.clear()
        self._kept.clear()
        self._restarts += 1
        self._sent = None
        self._woken.set()

    def end(self, retry_ms: int | None) -> None:
        """As Watching.end: the next frame is the last one."""
        if self._last is None:
            self.retry_ms = retry_ms
            self._last = bye_frame(retry_ms)
            self._woken.set()

    def leave(self) -> None:
        """The client is gone; nobody waits for another frame."""
        self.has_left = True
        self._woken.set()

    async def next(self, patience: float | None) -> Frame | None:
        """The next frame; None if there was none for so many seconds, or the client is gone."""
        frame = self._at_hand()
        try:
            if frame is None and patience is None:
                frame = await self._awaited()
            elif frame is None:
                async with asyncio.timeout(patience):
                    frame = await self._awaited()
        except TimeoutError:
            pass  # nothing has happened
        except (StoreUnavailable, StoreFault) as error:
            # The next call tries again.
            LIVE_STORE_FAILURES.inc()
            logger.warning("A watcher waits for the store: %s", error)
            await asyncio.sleep(_PAUSE_SECONDS if patience is None else min(_PAUSE_SECONDS, patience))
        if frame is not None:
            _FRAMES[frame.type].inc()
        return frame

    async def _awaited(self) -> Frame | None:
        while not self.has_left:
            frame = self._at_hand() or await self._ready()
            if frame is not None:
                return frame
            await self._woken.wait()
        return None

    def _at_hand(self) -> Frame | None:
        """What nearly always comes next: the events that waited, with nothing before them and nothing to look up."""
        if self.has_left or self._last is not None or self._is_behind or self._kept or not self._waiting:
            return None
        return self._shown(self._waiting.popleft()) if self._waiting[0].first - 1 == self._sent else None

    async def _ready(self) -> Frame | None:
        """What can be sent now. Wherever this waits it may be given up: `_sent` moves only together with the return of
        the frame that moves it."""
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
            self.end(retry_ms())
        return await self._ready()

    async def _fresh_view(self) -> Frame:
        while True:
            restarts = self._restarts
            seen = await self._games.view(self.room.game, self.player)
            if restarts == self._restarts:
                break
        self._place = Place(seen.viewer, seen.version)
        self._sent = seen.version
        self._is_behind = False
        return view_frame(seen)

    async def _following(self, sent: int) -> Frame | None:
        if self._is_behind:
            kept = self.room.since(sent)
            if kept is None:
                frame = await self._stored(sent)
                if frame is not None:
                    return frame
            else:
                self._is_behind = False
                self._kept.extend(kept)
        for batches in (self._kept, self._waiting):
            while batches:
                if batches[0].last <= sent:
                    batches.popleft()
                elif batches[0].first > sent + 1:
                    LIVE_GAPS.inc()
                    self._is_behind = True
                    return await self._stored(sent)
                else:
                    return self._shown(batches.popleft().after(sent))
        if self._is_noticed and self.room.presence is not None:
            self._is_noticed = False
            return self.room.presence
        return None

    async def _stored(self, sent: int) -> Frame | None:
        restarts = self._restarts
        part = await self._games.part(self.room.game, self.player, sent, PAGE)
        if restarts != self._restarts:
            return await self._fresh_view()
        self._is_behind = len(part.records) == PAGE
        if not part.records:
            return None
        return self._shown(batch_of(self.room.game, part.records), revealed=part.revealed)

    def _shown(self, batch: Batch, *, revealed: bool = False) -> Frame:
        """With another seat he sees another table, and begins anew with a view of it."""
        seat, known_at = self._place
        batch, now = batch.until_moved(self.player, seat, known_at)
        self._sent = batch.last if now == seat else None
        return batch.frame(seat, revealed=revealed)
