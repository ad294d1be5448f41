"""Bytes as a client keeps them without looking into them: base64url without padding, in one spelling only."""

import base64
import binascii


def written(raw: bytes) -> str:
    """Those bytes as text."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read(text: str, length: int) -> bytes | None:
    """The bytes in that text; None unless there are `length` of them, spelt as `written` does."""
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"==")
    except (binascii.Error, UnicodeEncodeError):
        return None
    # The decoder skips what it does not know; only the one spelling that we issued counts.
    return raw if len(raw) == length and written(raw) == text else None
