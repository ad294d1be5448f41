"""Time and randomness come into the program here and nowhere else, so that a test can hold both still."""

import secrets
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """An aware UTC time; what lies below a microsecond is cut off."""
        ...

    def monotonic(self) -> float:
        """Seconds since a moment that stays; never goes back, also when somebody sets the clock."""
        ...


class Entropy(Protocol):
    """Bytes that nobody can foresee: seeds, ids, tokens."""

    def token(self, size: int) -> bytes:
        """`size` random bytes."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """As Clock.now."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """As Clock.monotonic."""
        return time.monotonic()


class SystemEntropy:
    """The random source of the operating system."""

    def token(self, size: int) -> bytes:
        """As Entropy.token."""
        return secrets.token_bytes(size)
