"""Phase 1 and bean fields: edge cases 1 to 15 of the rules, section 12."""

from itertools import product

import pytest

from domain.actions import actions
from domain.commands import BuyField, Discard, Harvest, Plant, Reveal
from domain.events import BeanPlanted, FieldBought, FieldHarvested
from domain.state import Phase
from tests.domain.scenario import At, given


def test_01_the_front_card_must_be_planted_before_the_reveal() -> None:
    """Hand [red, soy, ...], fields [empty | empty]: red must be planted; revealing before that is rejected."""
    game = given({0: At(hand="red:1 soy:2 blue:3", fields="empty | empty")})
    game.when(0, Reveal()).refused("must_plant_first")
    game.when(0, Plant(1, 0)).then(BeanPlanted(0, 0, 1, "red", "hand"))
    assert game.fields(0) == "red x1 | empty"
    assert game.hand(0) == "soy:2 blue:3"


def test_02_revealing_after_one_planting_declines_the_second() -> None:
    """After one planting with cards left: revealing is accepted and declines the second planting."""
    game = given({0: At(hand="red:1 soy:2 blue:3")}).after(0, Plant(1, 0))
    game.when(0, Reveal()).legal()
    assert game.hand(0) == "soy:2 blue:3"
    assert game.state.phase == "trade"
    game.when(0, Plant(2, 1)).refused("wrong_phase")


def test_03_a_third_planting_in_phase_1_is_rejected() -> None:
    """Third planting in phase 1 is rejected."""
    game = given({0: At(hand="red:1 red:2 red:3")}).after(0, Plant(1, 0)).after(0, Plant(2, 0))
    game.when(0, Plant(3, 0)).refused("already_planted_two")
    assert game.fields(0) == "red x2 | empty"


def test_04_only_the_front_card_can_be_planted_even_among_equal_kinds() -> None:
    """Planting a card that is not in front is rejected, also when the kinds are equal but the ids differ."""
    game = given({0: At(hand="red:1 red:2 soy:3")})
    game.when(0, Plant(2, 0)).refused("not_front_card")
    game.when(0, Plant(3, 0)).refused("not_front_card")
    game.when(0, Plant(1, 0)).legal()


def test_05_a_hand_of_one_card_is_planted_and_only_the_reveal_is_left() -> None:
    """Hand of one card: it is planted; a second planting is rejected, reveal is the only way on."""
    game = given({0: At(hand="red:1")}).after(0, Plant(1, 0))
    game.when(0, Plant(1, 0)).refused("unknown_card")
    # A harvest is possible at any time, and leads nowhere.
    assert [action.command for action in actions(game.state, 0)] == [Reveal(), Harvest(0)]
    game.when(0, Reveal()).legal()


def test_06_with_an_empty_hand_the_reveal_is_legal_at_once() -> None:
    """Hand empty at turn start: reveal is legal at once."""
    game = given({0: At(hand="")})
    game.when(0, Reveal()).legal()
    assert game.state.phase == "trade"


@pytest.mark.parametrize(("field", "fields"), [(0, "red x4 | empty"), (1, "red x3 | red x1")])
def test_07_a_matching_card_may_go_to_its_kind_or_to_an_empty_field(field: int, fields: str) -> None:
    """Front red, fields [red x3 | empty]: both fields legal."""
    game = given({0: At(hand="red:1", fields="red x3 | empty")})
    game.when(0, Plant(1, field)).then(BeanPlanted(0, field, 1, "red", "hand"))
    assert game.fields(0) == fields


def test_08_a_field_of_another_kind_must_be_harvested_first() -> None:
    """Front red, fields [red x3 | blue x2]: field 2 rejected unless harvested first."""
    game = given({0: At(hand="red:1", fields="red x3 | blue x2")})
    game.when(0, Plant(1, 1)).refused("field_occupied")
    assert game.fields(0) == "red x3 | blue x2"
    game.after(0, Harvest(1))
    game.when(0, Plant(1, 1)).then(BeanPlanted(0, 1, 1, "red", "hand"))
    assert game.fields(0) == "red x3 | red x1"


def test_09_a_field_may_be_harvested_and_planted_with_the_same_kind_again() -> None:
    """Harvest of [red x3] for 2 coins, then planting red into that same field: legal."""
    game = given({0: At(hand="red:1", fields="red x3 | blue x2")})
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "red", count=3, coins=2, discarded=1, final=False))
    game.when(0, Plant(1, 0)).then(BeanPlanted(0, 0, 1, "red", "hand"))
    assert game.fields(0) == "red x1 | blue x2"


def test_10_a_protected_bean_stays_and_the_larger_field_must_go() -> None:
    """Front soy, fields [blue x1 | red x4]: blue may not be harvested; red must go (3 coins, 1 discarded)."""
    game = given({0: At(hand="soy:1", fields="blue x1 | red x4")})
    game.when(0, Plant(1, 0)).refused("field_occupied")
    game.when(0, Plant(1, 1)).refused("field_occupied")
    game.when(0, Harvest(0)).refused("bean_protected")
    game.when(0, Harvest(1)).then(FieldHarvested(0, 1, "red", count=4, coins=3, discarded=1, final=False))
    game.when(0, Plant(1, 1)).legal()
    assert game.fields(0) == "blue x1 | soy x1"


def test_10_or_a_field_is_bought_instead() -> None:
    """Front soy, fields [blue x1 | red x4]: ... or a field be bought."""
    game = given({0: At(hand="soy:1", fields="blue x1 | red x4", coins="stink x3")})
    game.after(0, BuyField())
    game.when(0, Plant(1, 2)).legal()
    assert game.fields(0) == "blue x1 | red x4 | soy x1"


@pytest.mark.parametrize(("field", "bean"), [(0, "blue"), (1, "red")])
def test_11_of_two_single_beans_either_may_go_for_nothing(field: int, bean: str) -> None:
    """Front soy, fields [blue x1 | red x1]: either may be harvested, pays 0, card discarded."""
    game = given({0: At(hand="soy:1", fields="blue x1 | red x1")})
    game.when(0, Harvest(field)).legal()
    assert game.coins(0) == 0
    assert game.discard == bean
    game.when(0, Plant(1, field)).legal()


@pytest.mark.parametrize("first", range(1, 5))
@pytest.mark.parametrize("second", range(1, 5))
@pytest.mark.parametrize("phase", ["plant", "settle"])
def test_12_there_is_always_room_to_be_made(first: int, second: int, phase: Phase) -> None:
    """For every reachable state with an unplantable front or pending card at least one field is harvestable."""
    fields = f"blue x{first} | red x{second}"
    at = At(hand="soy:1", fields=fields) if phase == "plant" else At(pending="soy:1", fields=fields)
    sizes = (first, second)
    harvestable = [field for field in (0, 1) if sizes[field] > 1 or max(sizes) == 1]
    assert harvestable
    for field in (0, 1):
        game = given({0: at}, phase=phase)
        game.when(0, Plant(1, field)).refused("field_occupied")
        if field in harvestable:
            game.after(0, Harvest(field))
            game.when(0, Plant(1, field)).legal()
        else:
            game.when(0, Harvest(field)).refused("bean_protected")


@pytest.mark.parametrize("sizes", [*product(range(1, 4), repeat=3)], ids=str)
@pytest.mark.parametrize("phase", ["plant", "settle"])
def test_12_of_three_fields_one_can_always_go(sizes: tuple[int, ...], phase: Phase) -> None:
    """For every reachable state with an unplantable front or pending card at least one field is harvestable."""
    fields = " | ".join(f"{bean} x{size}" for bean, size in zip(("blue", "red", "stink"), sizes, strict=True))
    at = At(hand="soy:1", fields=fields) if phase == "plant" else At(pending="soy:1", fields=fields)
    harvestable = [field for field in (0, 1, 2) if sizes[field] > 1 or max(sizes) == 1]
    for field in (0, 1, 2):
        game = given({0: at}, players=3, phase=phase)
        game.when(0, Plant(1, field)).refused("field_occupied")
        if field in harvestable:
            game.after(0, Harvest(field))
            game.when(0, Plant(1, field)).legal()
        else:
            game.when(0, Harvest(field)).refused("bean_protected")


@pytest.mark.parametrize("sizes", [*product(range(1, 4), repeat=2)], ids=str)
def test_12_in_a_duel_a_gift_finds_room_too(sizes: tuple[int, ...]) -> None:
    """... and besides, what was left by the opponent may be discarded."""
    fields = f"blue x{sizes[0]} | red x{sizes[1]}"
    largest = sizes.index(max(sizes))
    game = given({0: At(fields=fields)}, players=2, phase="gifts", gifts="soy:1 green:2")
    game.when(0, Plant(1, largest)).refused("field_occupied")
    game.after(0, Harvest(largest)).when(0, Plant(1, largest)).legal()
    game.when(0, Discard(2)).legal()


def test_13_buying_a_field_makes_room_without_a_harvest() -> None:
    """Front soy, no room, 3 coins, 4 players: buying the field and planting there is legal without any harvest."""
    game = given({0: At(hand="soy:1", fields="blue x2 | red x2", coins="green x3")})
    (bought,) = game.when(0, BuyField()).legal()
    assert isinstance(bought, FieldBought)
    game.when(0, Plant(1, 2)).then(BeanPlanted(0, 2, 1, "soy", "hand"))
    assert game.fields(0) == "blue x2 | red x2 | soy x1"


def test_14_there_is_no_third_field_without_buying_one() -> None:
    """Planting into field index 2 without a third field is rejected."""
    game = given({0: At(hand="soy:1")})
    game.when(0, Plant(1, 2)).refused("no_such_field")
    game.when(0, Plant(1, 99)).refused("no_such_field")


def test_15_only_the_active_player_plants_in_phase_1() -> None:
    """Non-active player trying phase 1 planting is rejected."""
    game = given({0: At(hand="red:1"), 1: At(hand="soy:2")})
    game.when(1, Plant(2, 0)).refused("not_your_turn")
    game.when(1, Reveal()).refused("not_your_turn")


def test_a_card_of_another_hand_cannot_be_planted() -> None:
    game = given({0: At(hand="red:1"), 1: At(hand="soy:2")})
    game.when(0, Plant(2, 0)).refused("unknown_card")
    game.when(0, Plant(777, 0)).refused("unknown_card")
