"""The bean kinds and what a harvest of each pays, as printed on the cards (rules, section 2).

The kind ids are permanent: they stand in every stored event.
"""

from typing import Final, Literal, get_args

from msgspec import Struct

Bean = Literal[
    "coffee",
    "wax",
    "blue",
    "chili",
    "stink",
    "green",
    "soy",
    "black_eyed",
    "red",
    "garden",
    "cocoa",
    "field_bean",
]

BEANS: Final[tuple[Bean, ...]] = get_args(Bean)
"""All kinds in table order, the order in which a deck is laid out before it is shuffled."""


class Payout(Struct, frozen=True):
    """One column of a beanometer: from `beans` cards on, a harvest pays `coins`."""

    beans: int
    coins: int


class BeanKind(Struct, frozen=True):
    """One row of the table in the rules, section 2: names, number of cards, beanometer ascending.

    `field_grant`: a harvest of exactly so many gives a field instead of coins; None where none does.
    """

    bean: Bean
    english: str
    german: str
    french: str
    cards: int
    beanometer: tuple[Payout, ...]
    field_grant: int | None = None


def _kind(
    bean: Bean,
    english: str,
    german: str,
    french: str,
    cards: int,
    columns: dict[int, int],
    field_grant: int | None = None,
) -> BeanKind:
    beanometer = tuple(Payout(beans=needed, coins=coins) for coins, needed in columns.items())
    return BeanKind(bean, english, german, french, cards, beanometer, field_grant)


_ROWS = (
    _kind("coffee", "Coffee", "Kaffeebohne", "Harry Cogné", 24, {1: 4, 2: 7, 3: 10, 4: 12}),
    _kind("wax", "Wax", "Weinbrandbohne", "Harry Coché", 22, {1: 4, 2: 7, 3: 9, 4: 11}),
    _kind("blue", "Blue", "Blaue Bohne", "Harry Colt", 20, {1: 4, 2: 6, 3: 8, 4: 10}),
    _kind("chili", "Chili", "Feuerbohne", "Harry Cauchemar", 18, {1: 3, 2: 6, 3: 8, 4: 9}),
    _kind("stink", "Stink", "Saubohne", "Harry Cochon", 16, {1: 3, 2: 5, 3: 7, 4: 8}),
    _kind("green", "Green", "Brechbohne", "Harry Colique", 14, {1: 3, 2: 5, 3: 6, 4: 7}),
    _kind("soy", "Soy", "Sojabohne", "Harry Copain", 12, {1: 2, 2: 4, 3: 6, 4: 7}),
    _kind("black_eyed", "Black-eyed", "Augenbohne", "Harry Chaos", 10, {1: 2, 2: 4, 3: 5, 4: 6}),
    _kind("red", "Red", "Rote Bohne", "Harry Comique", 8, {1: 2, 2: 3, 3: 4, 4: 5}),
    _kind("garden", "Garden", "Gartenbohne", "Harry Coriace", 6, {2: 2, 3: 3}),
    _kind("cocoa", "Cocoa", "Kakaobohne", "Harry Choco", 4, {2: 2, 3: 3, 4: 4}),
    _kind("field_bean", "Field", "Ackerbohne", "Haricot des champs", 3, {3: 3}, field_grant=2),
)

KINDS: Final[dict[Bean, BeanKind]] = {row.bean: row for row in _ROWS}


def _payouts(row: BeanKind) -> tuple[int, ...]:
    """Coins by number of beans, from 0 up to the last column of the beanometer."""
    most = row.beanometer[-1].beans
    return tuple(
        max((step.coins for step in row.beanometer if step.beans <= count), default=0) for count in range(most + 1)
    )


_PAYOUTS: Final[dict[Bean, tuple[int, ...]]] = {row.bean: _payouts(row) for row in _ROWS}


def payout(bean: Bean, count: int) -> int:
    """Coins for a harvest of `count` beans: the highest column whose number is reached."""
    coins = _PAYOUTS[bean]
    return coins[count] if count < len(coins) else coins[-1]


FIELD_GRANTS: Final[dict[Bean, int]] = {row.bean: row.field_grant for row in _ROWS if row.field_grant}
"""Of these kinds a harvest of exactly so many gives a field instead of coins."""


def grants_field(bean: Bean, count: int) -> bool:
    """Whether a harvest of exactly so many gives a field, to a player who has room for one."""
    return FIELD_GRANTS.get(bean) == count
