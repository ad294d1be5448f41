"""A card as it travels: its number, and its kind where the reader may know it."""

from msgspec import Struct

from domain.beans import Bean


class Card(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """`card` is given when the card leaves the deck and is never reused (rules, section 4)."""

    card: int
    bean: Bean | None
