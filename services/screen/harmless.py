"""Text that somebody else wrote, made fit for a terminal: nothing in it moves the cursor, and it is not too long."""

from typing import Final

LONGEST: Final = 300
SHORT_ID: Final = 8
_INSTEAD: Final = "�"


def harmless(text: str, longest: int = LONGEST) -> str:
    """The text without control and formatting characters, one sign for each; cut to that many characters."""
    shown = "".join(sign if sign.isprintable() else _INSTEAD for sign in text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def short(identity: str) -> str:
    """The beginning of an opaque id: enough to tell players apart."""
    return harmless(identity[:SHORT_ID])
