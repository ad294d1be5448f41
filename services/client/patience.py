"""How long a client waits, and how often it asks again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import SystemRandom
from typing import Final

# Not for secrets: it keeps clients that lost the same server from coming back all at once.
_jitter: Final = SystemRandom()


@dataclass(frozen=True, slots=True)
class Patience:
    """All in seconds. `total` bounds a call with all its retries, `call` each attempt. `silence`: how long nothing may
    come in an answer; then it is given up, and not asked for again."""

    total: float = 60.0
    call: float = 10.0
    connect: float = 3.0
    silence: float | None = None
    first_pause: float = 0.05
    longest_pause: float = 2.0

    def pause(self, attempt: int) -> float:
        """Before the attempt after that one (counted from 1): twice as long each time, half of it by chance."""
        longest = min(self.first_pause * 2.0 ** min(attempt - 1, 30), self.longest_pause)
        return _jitter.uniform(longest / 2, longest)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float:
    """The seconds that the server asks for (RFC 9110, section 10.2.3); 0 if it does not, or not readably."""
    text = headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    moment = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
