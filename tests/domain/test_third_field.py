"""Buying the third field: edge cases 30 to 38 of the rules, section 12."""

from collections import Counter

import pytest

from domain.cards import Card
from domain.commands import BuyField, EndTrading, Harvest, Plant, Reveal
from domain.events import BeanPlanted, DeckShuffled, FieldBought, GameEnded
from domain.state import Phase
from tests.domain.editions import PLAYERS
from tests.domain.scenario import At, given


@pytest.mark.parametrize("players", [4, 5])
def test_30_a_field_for_three_coins(players: int) -> None:
    """4 players, 3 coins: buy succeeds, coins 0, three cards on the discard pile, three fields, usable at once."""
    game = given({0: At(hand="soy:1", coins="green:11 green:12 green:13")}, players=players)
    game.when(0, BuyField()).then(FieldBought(0, 3, [Card(13, "green"), Card(12, "green"), Card(11, "green")]))
    assert game.coins(0) == 0
    assert game.discard == "green green green"
    assert game.fields(0) == "empty | empty | empty"
    assert [seat.bought_field for seat in game.state.seats] == [True] + [False] * (players - 1)
    game.when(0, Plant(1, 2)).then(BeanPlanted(0, 2, 1, "soy", "hand"))


@pytest.mark.parametrize("players", [4, 5])
def test_31_two_coins_are_too_few_with_four_or_five_players(players: int) -> None:
    """2 coins with 4-5 players rejected."""
    game = given({0: At(coins="green x2")}, players=players)
    game.when(0, BuyField()).refused("not_enough_coins")


@pytest.mark.parametrize("players", [6, 7])
def test_31_two_coins_are_enough_with_six_or_seven_players(players: int) -> None:
    """2 coins with 6-7 players accepted, two cards discarded."""
    game = given({0: At(coins="green:11 green:12")}, players=players)
    game.when(0, BuyField()).then(FieldBought(0, 2, [Card(12, "green"), Card(11, "green")]))
    assert game.discard == "green green"


@pytest.mark.parametrize("players", [6, 7])
def test_31_one_coin_is_too_few_with_six_or_seven_players(players: int) -> None:
    game = given({0: At(coins="green")}, players=players)
    game.when(0, BuyField()).refused("not_enough_coins")


def test_32_one_field_each() -> None:
    """Second purchase by the same player rejected; other players may each buy one."""
    seats = {seat: At(coins="green x6" if seat == 0 else "stink x3") for seat in range(4)}
    game = given(seats).after(0, BuyField())
    game.when(0, BuyField()).refused("field_not_for_sale")
    assert game.coins(0) == 3
    for seat in (1, 2, 3):
        game.when(seat, BuyField()).legal()
        assert game.fields(seat) == "empty | empty | empty"


@pytest.mark.parametrize("coins", ["", "green x3", "green x14"])
def test_33_with_three_players_no_field_is_for_sale(coins: str) -> None:
    """3 players: rejected with any number of coins."""
    game = given({0: At(coins=coins)}, players=3)
    game.when(0, BuyField()).refused("field_not_for_sale")


NOT_FOR_SALE = [("classic", 3), *((ruleset, players) for ruleset in ("amigo_2023", "new_beans", "field_beans")
                                  for players in PLAYERS[ruleset])]  # fmt: skip
FOR_THREE_COINS = [(ruleset, players) for ruleset in ("boonanza", "amigo_classic") for players in (3, 4, 5)]


@pytest.mark.parametrize(("ruleset", "players"), NOT_FOR_SALE)
def test_33_where_no_edition_sells_it(ruleset: str, players: int) -> None:
    """Section 3: no third field to buy in `amigo_2023` and `new_beans`; in `field_beans` only through field beans."""
    game = given({0: At(coins="green x9")}, ruleset=ruleset, players=players)
    game.when(0, BuyField()).refused("field_not_for_sale")


@pytest.mark.parametrize(("ruleset", "players"), FOR_THREE_COINS)
def test_30_31_32_three_coins_also_with_three_players(ruleset: str, players: int) -> None:
    """Section 3: in `boonanza` and `amigo_classic` everyone begins with two fields, and a third costs 3 coins."""
    poor = given({0: At(coins="green x2")}, ruleset=ruleset, players=players)
    poor.when(0, BuyField()).refused("not_enough_coins")
    game = given({0: At(coins="green:11 green:12 green:13 green:14")}, ruleset=ruleset, players=players)
    game.when(0, BuyField()).then(FieldBought(0, 3, [Card(14, "green"), Card(13, "green"), Card(12, "green")]))
    assert game.discard == "green green green"
    assert game.fields(0) == "empty | empty | empty"
    game.when(0, BuyField()).refused("field_not_for_sale")


@pytest.mark.parametrize("phase", ["plant", "trade", "settle"])
def test_34_bought_at_any_time_in_the_first_amigo_edition(phase: Phase) -> None:
    """`amigo_classic`: 3 coins, any time."""
    pending = At(pending="red:2" if phase == "settle" else "")
    game = given({0: pending, 1: At(coins="green x3")}, ruleset="amigo_classic", phase=phase)
    game.when(1, BuyField()).legal()


def test_34_bought_outside_the_own_turn() -> None:
    """Bought outside the own turn ...: legal."""
    game = given({0: At(hand="soy:1"), 3: At(coins="green x3")})
    game.when(3, BuyField()).legal()


def test_34_bought_in_phase_3_between_two_plantings() -> None:
    """... and in the middle of phase 3 between two pending plantings: legal."""
    game = given(
        {0: At(pending="blue:7"), 2: At(pending="soy:1 red:2", fields="soy x2 | wax x1", coins="green x3")},
        phase="settle",
    )
    game.after(2, Plant(1, 0))
    game.when(2, Plant(2, 1)).refused("field_occupied")
    game.when(2, BuyField()).legal()
    game.when(2, Plant(2, 2)).then(BeanPlanted(2, 2, 2, "red", "pending"))


def test_35_paid_coins_come_back_with_the_next_shuffle() -> None:
    """Paid coin cards come back in the next reshuffle (kind counts conserved)."""
    game = given({0: At(coins="green x3")}, deck="", discard="blue x2", exhaustions=1)
    game.after(0, BuyField())
    shuffled, *_ = game.when(0, Reveal()).legal()
    assert isinstance(shuffled, DeckShuffled)
    assert Counter(shuffled.beans) == {"green": 3, "blue": 2}


@pytest.mark.parametrize("ruleset", ["classic", "boonanza", "amigo_classic"])
def test_35_under_both_reshuffle_policies(ruleset: str) -> None:
    """Paid coin cards come back in the next reshuffle (kind counts conserved)."""
    game = given({0: At(coins="green x3")}, ruleset=ruleset, deck="chili", discard="blue x2")
    game.after(0, BuyField())
    *_, shuffled, _ = game.when(0, Reveal()).legal()
    assert isinstance(shuffled, DeckShuffled)
    assert Counter(shuffled.beans) == {"green": 3, "blue": 2}


def test_36_the_topmost_coins_pay() -> None:
    """Earn 2 red coins, then 2 blue coins, buy: the two blue and one red card are discarded."""
    game = given({0: At(fields="red:11 red:12 red:13 | blue:21 blue:22 blue:23 blue:24 blue:25 blue:26")})
    game.after(0, Harvest(0)).after(0, Harvest(1))
    assert [*game.state.seats[0].coins] == [11, 12, 21, 22]
    game.when(0, BuyField()).then(FieldBought(0, 3, [Card(22, "blue"), Card(21, "blue"), Card(12, "red")]))
    assert [*game.state.seats[0].coins] == [11]


def test_37_coins_that_are_spent_do_not_count() -> None:
    """Final score counts remaining coins only."""
    game = given(
        {0: At(coins="green x5"), 1: At(coins="stink x3")},
        phase="trade",
        exhaustions=3,
        final=True,
        deck="",
    )
    game.after(0, BuyField())
    ended = game.when(0, EndTrading()).legal()[-1]
    assert isinstance(ended, GameEnded)
    assert {row.seat: row.coins for row in ended.ranking} == {0: 2, 1: 3, 2: 0, 3: 0}
    assert ended.winners == [1]


def test_38_the_new_field_changes_no_protection() -> None:
    """The new third field is empty and does not change protection: [blue x1 | red x2 | empty] still protects blue."""
    game = given({0: At(fields="blue x1 | red x2", coins="green x3")}).after(0, BuyField())
    assert game.fields(0) == "blue x1 | red x2 | empty"
    game.when(0, Harvest(0)).refused("bean_protected")


def test_a_field_may_be_bought_after_the_final_exhaustion() -> None:
    """Allowed, though seldom useful: "at any time" until the game ends."""
    game = given({1: At(coins="green x3")}, phase="trade", exhaustions=3, final=True, deck="")
    game.when(1, BuyField()).legal()


def test_no_field_is_bought_after_the_end() -> None:
    game = given({1: At(coins="green x3")}, phase="trade", exhaustions=3, final=True, deck="")
    game.after(0, EndTrading())
    game.when(1, BuyField()).refused("game_not_running")
