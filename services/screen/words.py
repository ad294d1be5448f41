"""The words that sentences and tables share: kinds, cards, seats, and numbers with their nouns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from domain.beans import BEANS, KINDS, Bean
from domain.cards import Card

NOTHING: Final = "nothing"


def kind(bean: Bean | None) -> str:
    """The English name; `?` where it is hidden."""
    return "?" if bean is None else KINDS[bean].english


def numbered(card: Card) -> str:
    """`Wax #12`: for cards that others may name."""
    return f"{kind(card.bean)} #{card.card}"


def kinds(cards: Iterable[Card]) -> str:
    """`Red, Blue`, in their order; `nothing` if there are none."""
    return ", ".join(kind(card.bean) for card in cards) or NOTHING


def wanted(want: Mapping[Bean, int], want_cards: Sequence[int]) -> str:
    """`2 Red, 1 Wax, #31`: what an offer asks for."""
    beans = [f"{want[bean]} {kind(bean)}" for bean in BEANS if bean in want]
    return ", ".join([*beans, *(f"#{card}" for card in want_cards)]) or NOTHING


def counted(number: int, noun: str) -> str:
    """`1 coin`, `2 coins`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def seat(number: int | None) -> str:
    """`seat 0`, or `anyone`."""
    return "anyone" if number is None else f"seat {number}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
