"""The refresh token: who, which family, and a secret of which the store knows only the hash.

    base64url( player: 16 bytes ‖ family: 16 bytes ‖ secret: 32 bytes )

A family is everything that grew out of one sign-in. Each use replaces the secret; a secret that
comes back a second time was copied, and ends the family.
"""

import hashlib
from typing import Final
from uuid import UUID

from infra import opaque

SECRET_BYTES: Final = 32
_LENGTH: Final = 16 + 16 + SECRET_BYTES


class RefreshToken:
    """A refresh token in its parts. Its representation does not show the secret."""

    __slots__ = ("_secret", "family", "player")

    def __init__(self, player: UUID, family: UUID, secret: bytes) -> None:
        self.player = player
        self.family = family
        self._secret = secret

    @classmethod
    def parse(cls, text: str) -> "RefreshToken | None":
        """The token in that text; None if it is none."""
        raw = opaque.read(text, _LENGTH)
        return None if raw is None else cls(UUID(bytes=raw[:16]), UUID(bytes=raw[16:32]), raw[32:])

    def text(self) -> str:
        """What the client keeps."""
        return opaque.written(self.player.bytes + self.family.bytes + self._secret)

    def digest(self) -> bytes:
        """What the store keeps. The secret is random and long, so a plain hash is enough."""
        return hashlib.sha256(self._secret).digest()

    def __repr__(self) -> str:
        return f"RefreshToken(player={self.player}, family={self.family})"
