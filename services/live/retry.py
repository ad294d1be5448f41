"""When clients should come again: not all at once."""

import random
from typing import Final

_EARLIEST_MS: Final = 250
_LATEST_MS: Final = 3000

# Not for secrets.
_jitter: Final = random.SystemRandom()


def retry_ms() -> int:
    """Milliseconds, another number each time."""
    return _jitter.randint(_EARLIEST_MS, _LATEST_MS)
