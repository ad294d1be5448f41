"""The table of bean kinds, typed from the rules, section 2: names, numbers of cards, and what a harvest pays."""

from typing import Final

import pytest

from domain.beans import KINDS, BeanKind, Payout, _kind, _payouts, grants_field
from tests.domain.scenario import bean_named

NONE: Final = 0
"""That payout does not exist."""

# Kind, English, German, French, cards, and the beans needed for 1, 2, 3 and 4 coins.
TABLE: Final = [
    ("coffee", "Coffee", "Kaffeebohne", "Harry Cogné", 24, (4, 7, 10, 12)),
    ("wax", "Wax", "Weinbrandbohne", "Harry Coché", 22, (4, 7, 9, 11)),
    ("blue", "Blue", "Blaue Bohne", "Harry Colt", 20, (4, 6, 8, 10)),
    ("chili", "Chili", "Feuerbohne", "Harry Cauchemar", 18, (3, 6, 8, 9)),
    ("stink", "Stink", "Saubohne", "Harry Cochon", 16, (3, 5, 7, 8)),
    ("green", "Green", "Brechbohne", "Harry Colique", 14, (3, 5, 6, 7)),
    ("soy", "Soy", "Sojabohne", "Harry Copain", 12, (2, 4, 6, 7)),
    ("black_eyed", "Black-eyed", "Augenbohne", "Harry Chaos", 10, (2, 4, 5, 6)),
    ("red", "Red", "Rote Bohne", "Harry Comique", 8, (2, 3, 4, 5)),
    ("garden", "Garden", "Gartenbohne", "Harry Coriace", 6, (NONE, 2, 3, NONE)),
    ("cocoa", "Cocoa", "Kakaobohne", "Harry Choco", 4, (NONE, 2, 3, 4)),
]


@pytest.mark.parametrize(("kind", "english", "german", "french", "cards", "needed"), TABLE)
def test_every_kind_is_as_printed(
    kind: str, english: str, german: str, french: str, cards: int, needed: tuple[int, ...]
) -> None:
    columns = {coins: beans for coins, beans in enumerate(needed, 1) if beans != NONE}
    printed = BeanKind(
        bean_named(kind),
        english,
        german,
        french,
        cards,
        tuple(Payout(beans=beans, coins=coins) for coins, beans in columns.items()),
        None,
    )
    assert KINDS[bean_named(kind)] == printed
    assert _kind(bean_named(kind), english, german, french, cards, columns) == printed


def test_field_beans_grant_a_field_with_two_and_pay_with_three() -> None:
    """Ackerbohne, three cards: 2 beans are a field, 3 beans are 3 coins."""
    printed = BeanKind(
        "field_bean", "Field", "Ackerbohne", KINDS["field_bean"].french, 3, (Payout(beans=3, coins=3),), 2
    )
    assert KINDS["field_bean"] == printed
    assert _kind("field_bean", "Field", "Ackerbohne", printed.french, 3, {3: 3}, 2) == printed
    assert [grants_field("field_bean", count) for count in range(5)] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("kind", "coins"),
    [
        ("red", (0, 0, 1, 2, 3, 4)),
        ("garden", (0, 0, 2, 3)),
        ("cocoa", (0, 0, 2, 3, 4)),
        ("stink", (0, 0, 0, 1, 1, 2, 2, 3, 4)),
        ("field_bean", (0, 0, 0, 3)),
    ],
)
def test_coins_by_field_size_up_to_the_last_column(kind: str, coins: tuple[int, ...]) -> None:
    assert _payouts(KINDS[bean_named(kind)]) == coins
