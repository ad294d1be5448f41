"""The keys that sign access tokens: the first one signs, every one of them verifies.

So a key is changed without throwing anybody out: put the new one in front, and take the old one
away when the last token that it signed has expired.
"""

import base64
import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Final

from infra.kept_key import KeyRefused, kept_lines
from infra.settings import SHORTEST_TOKEN_KEY

KEY_FILE: Final = "token.key"


class TokenKey:
    """One secret and the public name (`kid`) under which a token refers to it."""

    __slots__ = ("kid", "secret")

    def __init__(self, secret: bytes) -> None:
        if len(secret) < SHORTEST_TOKEN_KEY:
            msg = (
                f"A token key has at least {SHORTEST_TOKEN_KEY} bytes; this one has {len(secret)}. "
                "`openssl rand -base64 32` makes a good one."
            )
            raise KeyRefused(msg)
        self.secret = secret
        # Keyed, so that the name tells nothing about the secret.
        digest = hmac.new(secret, b"kid", hashlib.sha256).digest()
        self.kid = base64.urlsafe_b64encode(digest[:9]).decode()

    def __repr__(self) -> str:
        return f"TokenKey(kid={self.kid!r})"


class TokenKeys:
    """The keys in use, in order."""

    __slots__ = ("by_kid", "signing")

    def __init__(self, keys: list[TokenKey]) -> None:
        if not keys:
            msg = "At least one token key is needed."
            raise KeyRefused(msg)
        self.signing = keys[0]
        self.by_kid = {key.kid: key for key in keys}

    def __repr__(self) -> str:
        return f"TokenKeys({', '.join(self.by_kid)})"


def parse_keys(text: str) -> TokenKeys:
    """Keys from a setting, separated by commas; KeyRefused if one is too short."""
    return TokenKeys([TokenKey(part.strip().encode()) for part in text.split(",") if part.strip()])


def kept_keys(data_dir: Path) -> TokenKeys:
    """The keys in the data directory; the first call makes one, readable by its owner only. KeyRefused."""
    path = data_dir / KEY_FILE
    try:
        return parse_keys(",".join(kept_lines(path, lambda: secrets.token_urlsafe(48))))
    except KeyRefused as error:
        raise KeyRefused(str(error) if str(path) in str(error) else f"{path}: {error}") from None
