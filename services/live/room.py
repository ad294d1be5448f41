"""One watched game in this process: how far it has come, what came last, and who watches."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol

from infra.telemetry import LIVE_DUPLICATES, LIVE_GAPS
from services.live.batch import Batch
from services.live.frames import Frame

RING_EVENTS: Final = 256
"""So many of the newest events are kept, so that who was away for a moment costs no query."""


class Watching(Protocol):
    """Whoever watches. No method waits."""

    def push(self, batch: Batch) -> None:
        """The game has moved on."""

    def notice(self) -> None:
        """Somebody came or went."""

    def start_over(self) -> None:
        """What he was sent is not the history any more."""

    def end(self, retry_ms: int | None) -> None:
        """He is served here no longer."""


class Room:
    """`last` is the version that every watcher has been handed, None until it is known. `seated`: the players by seat,
    None where that has to be looked up. `opening` and `repairing` are at work for it; `is_behind`: something has to be
    read from the store."""

    def __init__(self, game: str) -> None:
        self.game: Final = game
        self.last: int | None = None
        self.seated: list[str | None] | None = None
        self.presence: Frame | None = None
        self.watchers: set[Watching] = set()
        self.opening: asyncio.Task[None] | None = None
        self.repairing: asyncio.Task[None] | None = None
        self.is_behind = False
        self._is_over = False
        self._ring: deque[Batch] = deque()
        self._kept = 0
        self._early: list[Batch] = []

    def begin(self, version: int) -> None:
        """All up to that version is in the store. What was heard while that was found out comes now."""
        self.last = version
        early, self._early = self._early, []
        for batch in early:
            self.take(batch)

    def begin_anew(self, version: int) -> None:
        """The store has forgotten what came after that version: whoever was told of it begins anew."""
        self._ring.clear()
        self._kept = 0
        self._is_over = False
        self.seated = None
        self.last = version
        for watcher in tuple(self.watchers):
            watcher.start_over()

    def take(self, batch: Batch) -> None:
        """Hand on what is new. If something between is missing, `is_behind` says so afterwards."""
        if self.last is None:
            self._early.append(batch)
        elif batch.last <= self.last:
            LIVE_DUPLICATES.inc()
        elif batch.first > self.last + 1:
            LIVE_GAPS.inc()
            self.is_behind = True
        else:
            self._hand_on(batch.after(self.last))

    def since(self, version: int) -> Sequence[Batch] | None:
        """The batches after that version, None if they are not all here. None after the end, too: then the store's own
        are shown whole."""
        if version == self.last:
            return ()
        if self.last is None or version > self.last or self._is_over:
            return None
        if not self._ring or self._ring[0].first > version + 1:
            return None
        return [batch for batch in self._ring if batch.last > version]

    def show(self, presence: Frame) -> None:
        """Tell who is there, if that has changed."""
        if self.presence is not None and self.presence.body == presence.body:
            return
        self.presence = presence
        for watcher in tuple(self.watchers):
            watcher.notice()

    def _hand_on(self, batch: Batch) -> None:
        self.last = batch.last
        self._is_over = self._is_over or batch.is_ending
        if batch.is_seating:
            self.seated = None
        self._ring.append(batch)
        self._kept += batch.last - batch.first + 1
        while self._kept > RING_EVENTS and len(self._ring) > 1:
            oldest = self._ring.popleft()
            self._kept -= oldest.last - oldest.first + 1
        for watcher in tuple(self.watchers):
            watcher.push(batch)
