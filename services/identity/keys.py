"""The keys that sign access tokens: the first one signs, every one of them verifies.

So a key is changed without throwing anybody out: put the new one in front, and take the old one
away when the last token that it signed has expired.
"""

import base64
import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from infra.settings import SHORTEST_TOKEN_KEY

KEY_FILE: Final = "token.key"


class KeyRefused(ValueError):
    """A key that must not be used; the message says why and never shows it."""


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
    """The keys in the data directory; the first call makes one, readable by its owner only.

    Processes that start at the same time agree on one key: a file that is complete is linked to
    its name, and the name is given once.
    """
    path = data_dir / KEY_FILE
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        draft = data_dir / f".{KEY_FILE}.{secrets.token_hex(8)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48) + "\n")
                file.flush()
                os.fsync(file.fileno())
            # If another process was first, its key counts.
            with suppress(FileExistsError):
                os.link(draft, path)
        finally:
            draft.unlink()
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        msg = f"{path} can be read by others; `chmod 600` it and start again."
        raise KeyRefused(msg)
    try:
        kept = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        # Without the cause: it may quote what is in the file.
        msg = f"{path} cannot be read as a file of keys; mend it, or remove it and let everybody sign in anew."
        raise KeyRefused(msg) from None
    return parse_keys(kept.replace("\n", ","))
