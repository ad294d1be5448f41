"""The referee's own tables and the engine's are two readings of one rule book: they must say the same."""

import pytest

from domain.beans import BEANS, payout
from domain.referee.editions import Edition, edition, pays
from domain.rulesets import RULESETS
from tests.domain.editions import PLAYERS

TIE_BREAKS = {"hand_size": "hand", "shared": "shared", "farthest_clockwise": "clockwise"}


@pytest.mark.parametrize("bean", BEANS)
def test_both_pay_the_same(bean: str) -> None:
    kind = next(other for other in BEANS if other == bean)
    assert [pays(kind, count) for count in range(30)] == [payout(kind, count) for count in range(30)]


@pytest.mark.parametrize(
    ("preset", "players"), [(name, players) for name, ruleset in RULESETS.items() for players in ruleset.tables]
)
def test_both_set_up_the_same(preset: str, players: int) -> None:
    ruleset = RULESETS[preset]
    table = ruleset.tables[players]
    own = edition(1, preset, players, 2)
    assert own is not None
    assert own.deck == table.deck
    assert own.hands == table.hand_sizes
    assert (own.fields, own.price, own.draw) == (table.fields, table.field_price, table.draw)
    assert own.final_exhaustion == table.final_exhaustion
    assert own.tie_break == TIE_BREAKS[ruleset.tie_break]
    assert own.at_once == (ruleset.reshuffle == "at_once")


CARDS = {
    ("classic", 2): (144, 134),
    ("classic", 3): (150, 135),
    ("classic", 4): (130, 110),
    ("classic", 5): (130, 105),
    ("classic", 6): (144, 114),
    ("classic", 7): (144, 108),
    ("boonanza", 3): (104, 89),
    ("amigo_classic", 4): (104, 84),
    ("amigo_2023", 5): (104, 79),
    ("new_beans", 3): (150, 135),
    ("new_beans", 5): (130, 105),
    ("new_beans", 7): (144, 109),
    ("field_beans", 4): (129, 109),
}
"""Cards in play, and in the deck after the deal (rules, section 3)."""


@pytest.mark.parametrize(("row", "cards"), CARDS.items())
def test_the_decks_of_the_rule_book(row: tuple[str, int], cards: tuple[int, int]) -> None:
    own = edition(1, *row, 2)
    assert isinstance(own, Edition)
    in_play = sum(own.deck.values())
    assert (in_play, in_play - sum(own.hands)) == cards


@pytest.mark.parametrize(
    "row", [("classic", 1), ("classic", 8), ("boonanza", 2), ("boonanza", 6), ("field_beans", 3), ("chess", 2)]
)
def test_what_no_edition_offers(row: tuple[str, int]) -> None:
    assert edition(1, *row, 2) is None


@pytest.mark.parametrize("preset", PLAYERS)
def test_no_edition_is_played_by_fewer_or_more(preset: str) -> None:
    assert tuple(players for players in range(10) if edition(1, preset, players, 2) is not None) == PLAYERS[preset]


@pytest.mark.parametrize(("preset", "players"), [(name, players) for name in PLAYERS for players in PLAYERS[name]])
def test_who_draws_who_has_a_duel_and_when_a_field_is_sold(preset: str, players: int) -> None:
    """The columns "phase 4" and "third field" of the table of presets; section 10 for the duel."""
    own = edition(1, preset, players, 2)
    assert own is not None
    assert own.everyone_draws == (preset in ("new_beans", "field_beans"))
    assert own.duel == ((preset, players) == ("classic", 2))
    assert own.own_turn_purchase == (own.duel or preset == "boonanza")


def test_the_two_printings_of_the_duel() -> None:
    first, second = edition(1, "classic", 2, 2), edition(1, "classic", 2, 3)
    assert first is not None
    assert second is not None
    assert (first.fields, first.price) == (2, 3)
    assert (second.fields, second.price) == (3, None)
    assert edition(1, "classic", 2, 4) is None
