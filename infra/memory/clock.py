"""A clock that stands still until it is told to move, and entropy that a number determines."""

import hashlib
from datetime import datetime, timedelta


class ManualClock:
    """Shows the time that it was set to."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._passed = 0.0

    def now(self) -> datetime:
        """As Clock.now."""
        return self._now

    def monotonic(self) -> float:
        """As Clock.monotonic."""
        return self._passed

    def advance(self, seconds: float) -> None:
        """Lets that much time pass; none passes backwards, but the clock can be set back."""
        self._now += timedelta(seconds=seconds)
        self._passed += max(0.0, seconds)


class SeededEntropy:
    """The same bytes in the same order for the same number. For tests and demonstrations only."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._tokens = 0

    def token(self, size: int) -> bytes:
        """As Entropy.token."""
        self._tokens += 1
        return hashlib.shake_256(f"{self._seed}/{self._tokens}".encode()).digest(size)
