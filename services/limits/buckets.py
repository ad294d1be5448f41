"""Token buckets by name, in the memory of this process: each holds a burst and is refilled at a steady rate.

Of a bucket only the moment is kept at which it will be full again, and only for the names that were used last: a
bucket that is forgotten is a full one.
"""

from collections import OrderedDict
from typing import Final

from infra.clock import Clock

MOST_REMEMBERED: Final = 10_000

_ROUNDING: Final = 1e-6
"""Seconds. Sums of floating-point times miss by less, and no client notices more."""


class Buckets:
    """`rate` in tokens a second, 0 for buckets that are never empty; `burst` is what a full one holds."""

    def __init__(self, clock: Clock, rate: int, burst: int, most: int = MOST_REMEMBERED) -> None:
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._most = most
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, name: str) -> float | None:
        """None: a token was taken. Else none is there, none was taken, and there will be one after so many seconds."""
        if not self._rate:
            return None
        now = self._clock.monotonic()
        full_at = max(now, self._full_at.get(name, now)) + 1 / self._rate
        wait = full_at - now - self._burst / self._rate
        if wait <= _ROUNDING:
            self._full_at[name] = full_at
        # Who is turned away was here too: he is not forgotten for it.
        self._full_at.move_to_end(name)
        if len(self._full_at) > self._most:
            self._full_at.popitem(last=False)
        return wait if wait > _ROUNDING else None
