"""Time and randomness come into the program here and nowhere else, so that a test can hold both still."""

import secrets
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """An aware UTC time; what lies below a microsecond is cut off."""
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


class SystemEntropy:
    """The random source of the operating system."""

    def token(self, size: int) -> bytes:
        """As Entropy.token."""
        return secrets.token_bytes(size)
