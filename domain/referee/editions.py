"""The printed tables of the rules, sections 2, 3 and 10, written down a second time.

The engine has its own. A slip in one of the two shows as a disagreement, which it would not if both read the same.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from domain.beans import Bean

TieBreak = Literal["hand", "shared", "clockwise"]

_CARDS: Final[dict[Bean, int]] = {
    "coffee": 24,
    "wax": 22,
    "blue": 20,
    "chili": 18,
    "stink": 16,
    "green": 14,
    "soy": 12,
    "black_eyed": 10,
    "red": 8,
    "garden": 6,
    "cocoa": 4,
    "field_bean": 3,
}
_BASE: Final[tuple[Bean, ...]] = ("blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden")
_ALL: Final[tuple[Bean, ...]] = ("coffee", "wax", *_BASE, "cocoa")

# Column "coins by field size n": one digit for each n from 0 on, the last one for every larger field.
_COINS: Final[dict[Bean, str]] = {
    "coffee": "0000111222334",
    "wax": "000011122334",
    "blue": "00001122334",
    "chili": "0001112234",
    "stink": "000112234",
    "green": "00011234",
    "soy": "00112234",
    "black_eyed": "0011234",
    "red": "001234",
    "garden": "0023",
    "cocoa": "00234",
    "field_bean": "0003",
}
_PAYS: Final[dict[Bean, tuple[int, ...]]] = {bean: tuple(map(int, digits)) for bean, digits in _COINS.items()}

FIELD_BEANS_FOR_A_FIELD: Final = 2
MOST_FIELDS: Final = 3


def pays(bean: Bean, count: int) -> int:
    """Coins for a field of that many."""
    column = _PAYS[bean]
    return column[count] if count < len(column) else column[-1]


class Edition(Struct, frozen=True):
    """One row of section 3. `hands` clockwise from the starting player; `price` None: no field is for sale;
    `draw` cards for the active player in phase 4, or one for everybody if `everyone_draws`; the exhaustion
    number `final_exhaustion` ends the game."""

    deck: dict[Bean, int]
    hands: tuple[int, ...]
    fields: int
    price: int | None
    draw: int
    final_exhaustion: int
    tie_break: TieBreak
    own_turn_purchase: bool = False
    everyone_draws: bool = False
    at_once: bool = False
    duel: bool = False


@lru_cache(maxsize=256)
def edition(rules_version: int, preset: str, players: int, duel_fields: int) -> Edition | None:
    """What that preset says for that many players, by that version of the rules; None if it is not played so."""
    row = _ROWS.get(rules_version, {}).get(preset)
    return None if row is None else row(players, duel_fields)


def _deck(*kinds: Bean) -> dict[Bean, int]:
    return {bean: _CARDS[bean] for bean in kinds}


def _without(*removed: Bean) -> dict[Bean, int]:
    return _deck(*(bean for bean in _ALL if bean not in removed))


def _classic(players: int, duel_fields: int) -> Edition | None:
    if players == 2 and duel_fields in (2, 3):
        price = 3 if duel_fields == 2 else None
        deck = _without("garden", "cocoa")
        return Edition(deck, (5, 5), duel_fields, price, 2, 1, "hand", own_turn_purchase=True, duel=True)
    if players == 3:
        return Edition(_without("cocoa"), (5, 5, 5), 3, None, 3, 2, "hand")
    if players in (4, 5):
        return Edition(_without("coffee"), (5,) * players, 2, 3, 3, 3, "hand")
    if players in (6, 7):
        return Edition(_without("cocoa", "garden"), (3, 4, 5, *(6,) * (players - 3)), 2, 2, 4, 3, "hand")
    return None


def _boonanza(players: int, _: int) -> Edition | None:
    if players in (3, 4, 5):
        return Edition(_deck(*_BASE), (5,) * players, 2, 3, 3, 3, "shared", own_turn_purchase=True)
    return None


def _amigo_classic(players: int, _: int) -> Edition | None:
    if players in (3, 4, 5):
        return Edition(_deck(*_BASE), (5,) * players, 2, 3, 3, 3, "shared", at_once=True)
    return None


def _amigo_2023(players: int, _: int) -> Edition | None:
    if players in (3, 4, 5):
        fields = 3 if players == 3 else 2
        return Edition(_deck(*_BASE), (5,) * players, fields, None, 3, 3, "clockwise", at_once=True)
    return None


def _new_beans(players: int, _: int) -> Edition | None:
    if players == 3:
        return Edition(_without("cocoa"), (5, 5, 5), 3, None, 1, 2, "clockwise", everyone_draws=True, at_once=True)
    if players in (4, 5, 6, 7):
        deck = _without("coffee") if players < 6 else _without("cocoa", "garden")
        return Edition(deck, (5,) * players, 2, None, 1, 3, "clockwise", everyone_draws=True, at_once=True)
    return None


def _field_beans(players: int, _: int) -> Edition | None:
    if players in (4, 5):
        deck = _deck("wax", *_BASE, "field_bean")
        return Edition(deck, (5,) * players, 2, None, 1, 3, "clockwise", everyone_draws=True, at_once=True)
    return None


_ROWS: Final[dict[int, dict[str, Callable[[int, int], Edition | None]]]] = {
    1: {
        "classic": _classic,
        "boonanza": _boonanza,
        "amigo_classic": _amigo_classic,
        "amigo_2023": _amigo_2023,
        "new_beans": _new_beans,
        "field_beans": _field_beans,
    },
}
"""By version of the rules: an old game is judged by those under which it was played."""
