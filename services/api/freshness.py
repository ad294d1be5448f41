"""When "not modified" is true.

The entity tag of a game is its version. What a caller sees can change without one: a player takes
another name. So 304 is answered only if the bytes that this caller was given under that tag are,
as far as this process knows, the bytes that he would be given now; in doubt he gets them again.
"""

from collections import OrderedDict
from hashlib import blake2b
from typing import Final

_REMEMBERED: Final = 8_192


class SentViews:
    """What each caller was last given of each game: a digest for the version, or None if there
    were several for the same version, so that nobody knows which of them a client still has."""

    def __init__(self) -> None:
        self._sent: OrderedDict[tuple[str, str], tuple[int, bytes | None]] = OrderedDict()

    def unchanged(self, game: str, player: str, version: int, body: bytes) -> bool:
        """Whether everything that he was given for this version is equal to `body`."""
        return self._sent.get((game, player)) == (version, _digest(body))

    def sent(self, game: str, player: str, version: int, body: bytes) -> None:
        """Remember what he is given now."""
        digest: bytes | None = _digest(body)
        before = self._sent.pop((game, player), None)
        if before is not None and before[0] == version and before[1] != digest:
            digest = None
        self._sent[game, player] = (version, digest)
        if len(self._sent) > _REMEMBERED:
            self._sent.popitem(last=False)


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()
