"""Field beans: a harvest of two gives a field (rules, sections 2 and 3; edge case 16 of section 12)."""

import pytest

from domain.actions import Action, actions
from domain.beans import BEANS, grants_field, payout
from domain.commands import BuyField, EndTrading, Harvest, Plant
from domain.events import BeanPlanted, FieldHarvested, GameEnded
from tests.domain.scenario import At, Scenario, given


def table(fields: str, *, coins: str = "", hand: str = "") -> Scenario:
    return given({0: At(fields=fields, coins=coins, hand=hand)}, ruleset="field_beans")


def test_16_two_field_beans_give_a_third_field_and_no_coin() -> None:
    """2 beans = a third field instead of coins (both cards discarded)."""
    game = table("field_bean x2 | blue x4", hand="soy:1")
    game.when(0, Harvest(0)).then(
        FieldHarvested(0, 0, "field_bean", count=2, coins=0, discarded=2, final=False),
    )
    assert game.fields(0) == "empty | blue x4 | empty"
    assert game.coins(0) == 0
    assert game.discard == "field_bean field_bean"
    # No coins were paid for it, and it is there at once.
    assert not game.state.seats[0].bought_field
    game.when(0, Plant(1, 2)).then(BeanPlanted(0, 2, 1, "soy", "hand"))


def test_16_two_field_beans_give_nothing_to_who_has_three_fields() -> None:
    """... nothing if the player already has three fields."""
    game = table("field_bean x2 | blue x4 | empty")
    game.when(0, Harvest(0)).then(
        FieldHarvested(0, 0, "field_bean", count=2, coins=0, discarded=2, final=False),
    )
    assert game.fields(0) == "empty | blue x4 | empty"
    assert game.coins(0) == 0
    assert game.discard == "field_bean field_bean"


@pytest.mark.parametrize("other", ["blue x4", "empty", "empty | empty"])
def test_16_three_field_beans_pay_three_coins_and_no_field(other: str) -> None:
    """3 beans = 3 coins and no field."""
    game = table(f"field_bean:7 field_bean:8 field_bean:9 | {other}")
    before = len(game.state.seats[0].fields)
    game.when(0, Harvest(0)).then(
        FieldHarvested(0, 0, "field_bean", count=3, coins=3, discarded=0, final=False),
    )
    assert [*game.state.seats[0].coins.items()] == [(7, "field_bean"), (8, "field_bean"), (9, "field_bean")]
    assert game.discard == ""
    assert len(game.state.seats[0].fields) == before


def test_16_a_single_field_bean_gives_nothing() -> None:
    """1 bean = nothing."""
    game = table("field_bean | blue")
    game.when(0, Harvest(0)).then(
        FieldHarvested(0, 0, "field_bean", count=1, coins=0, discarded=1, final=False),
    )
    assert game.fields(0) == "empty | blue x1"


def test_16_only_two_field_beans_grant_a_field() -> None:
    assert [(bean, size) for bean in BEANS for size in range(30) if grants_field(bean, size)] == [("field_bean", 2)]
    assert [payout("field_bean", size) for size in range(4)] == [0, 0, 0, 3]


def test_bean_protection_holds_for_field_beans_too() -> None:
    table("field_bean | blue x2").when(0, Harvest(0)).refused("bean_protected")
    table("field_bean x2 | blue").when(0, Harvest(1)).refused("bean_protected")


def test_anybody_may_harvest_field_beans_at_any_time() -> None:
    game = given({2: At(fields="field_bean x2 | blue")}, ruleset="field_beans", phase="trade")
    game.when(2, Harvest(0)).legal()
    assert game.fields(2) == "empty | blue x1 | empty"


def test_the_field_beans_go_round_and_may_give_a_field_to_another() -> None:
    """Both cards are discarded, so after the next shuffle somebody else may have them."""
    game = given(
        {0: At(fields="field_bean x2 | blue"), 3: At(fields="empty | blue")}, ruleset="field_beans", phase="trade"
    )
    game.after(0, Harvest(0))
    assert game.discard == "field_bean field_bean"
    assert game.fields(3) == "empty | blue x1"


@pytest.mark.parametrize("players", [4, 5])
def test_no_field_is_for_sale(players: int) -> None:
    """Only through field beans."""
    game = given({0: At(coins="garden x6")}, players=players, ruleset="field_beans")
    game.when(0, BuyField()).refused("field_not_for_sale")
    assert Action(BuyField()) not in actions(game.state, 0)


def test_the_last_harvest_of_two_field_beans_pays_nothing() -> None:
    game = given(
        {0: At(fields="field_bean x2 | blue x4")},
        ruleset="field_beans",
        phase="trade",
        deck="",
        exhaustions=3,
        final=True,
    )
    _, field_beans, blue, ended = game.when(0, EndTrading()).legal()
    assert field_beans == FieldHarvested(0, 0, "field_bean", count=2, coins=0, discarded=2, final=True)
    assert blue == FieldHarvested(0, 1, "blue", count=4, coins=1, discarded=3, final=True)
    assert isinstance(ended, GameEnded)
    assert game.fields(0) == "empty | empty"
    assert ended.ranking[0].coins == 1
