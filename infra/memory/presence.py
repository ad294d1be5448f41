"""Presence in a dictionary. One instance stands for all processes of a test."""

import time
from collections.abc import Callable

from infra.presence import PRESENCE_SECONDS
from infra.telemetry import PRESENCE_FAILURES


class MemoryPresence:
    """Presence for as long as the process lives. `now` counts seconds; a test can let it be `is_away`."""

    def __init__(self, seconds: float = PRESENCE_SECONDS, now: Callable[[], float] = time.monotonic) -> None:
        self.is_away = False
        self._seconds = seconds
        self._now = now
        self._ends: dict[str, dict[str, float]] = {}

    async def arrive(self, game: str, member: str) -> None:
        """As Presence.arrive."""
        if self._is_reached():
            self._sweep(game)
            self._ends.setdefault(game, {})[member] = self._now() + self._seconds

    async def leave(self, game: str, member: str) -> None:
        """As Presence.leave."""
        if self._is_reached():
            self._ends.get(game, {}).pop(member, None)
            self._sweep(game)

    async def present(self, game: str) -> list[str] | None:
        """As Presence.present."""
        if not self._is_reached():
            return None
        self._sweep(game)
        return sorted(self._ends.get(game, {}))

    async def close(self) -> None:
        """As Presence.close."""

    def _is_reached(self) -> bool:
        if self.is_away:
            PRESENCE_FAILURES.labels("away").inc()
        return not self.is_away

    def _sweep(self, game: str) -> None:
        now = self._now()
        held = {member: end for member, end in self._ends.get(game, {}).items() if end > now}
        if held:
            self._ends[game] = held
        else:
            self._ends.pop(game, None)
