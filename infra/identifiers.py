"""Ids of games, players and families of tokens are UUIDs in one spelling. PostgreSQL would take other
spellings of one too, and a game must not have two names."""

import re
from typing import Final

_CANONICAL: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_identifier(text: str) -> bool:
    """Whether the text is a UUID in its canonical form; anything else names nothing."""
    return _CANONICAL.fullmatch(text) is not None
