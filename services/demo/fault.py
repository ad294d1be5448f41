"""What a demo finds wrong: at which version, and what."""

from typing import Final

from msgspec import Struct

DOES_NOT_FOLD: Final = (KeyError, IndexError, ValueError, TypeError, AttributeError)
"""What folding a history that contradicts itself raises: a card that is nowhere, a seat that does not exist."""


class Fault(Struct, frozen=True):
    """`what` is a sentence for developers."""

    version: int
    what: str
