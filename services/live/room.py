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


class Audience(Protocol):
    """Who watches. Neither method waits."""

    def push(self, batch: Batch) -> None:
        """The game has moved on."""

    def notice(self) -> None:
        """Somebody came or went."""


class Room:
    """`last` is the version that every watcher has been handed, None until it is known."""

    def __init__(self, game: str) -> None:
        self.game: Final = game
        self.last: int | None = None
        self.opening: asyncio.Task[None] | None = None
        self.presence: Frame | None = None
        self.watchers: set[Audience] = set()
        self._ring: deque[Batch] = deque()
        self._kept = 0
        self._early: list[Batch] = []

    def begin(self, version: int) -> None:
        """All up to that version is in the store. What was heard while that was found out comes now."""
        self.last = version
        early, self._early = self._early, []
        for batch in early:
            self.take(batch)

    def take(self, batch: Batch) -> bool:
        """Hand on what is new. False: something between is missing, and has to be read from the store."""
        if self.last is None:
            self._early.append(batch)
            return True
        if batch.last <= self.last:
            LIVE_DUPLICATES.inc()
            return True
        if batch.first > self.last + 1:
            LIVE_GAPS.inc()
            return False
        new = batch.later_than(self.last)
        self.last = new.last
        self._keep(new)
        for watcher in tuple(self.watchers):
            watcher.push(new)
        return True

    def since(self, version: int) -> Sequence[Batch] | None:
        """The batches after that version, None if they are not all here."""
        if self.last is None or version > self.last:
            return None
        if version == self.last:
            return ()
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

    def _keep(self, batch: Batch) -> None:
        self._ring.append(batch)
        self._kept += batch.last - batch.first + 1
        while self._kept > RING_EVENTS and len(self._ring) > 1:
            oldest = self._ring.popleft()
            self._kept -= oldest.last - oldest.first + 1
