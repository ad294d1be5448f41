"""Harvesting, beanometers and bean protection: edge cases 16 to 29 of the rules, section 12."""

import msgspec
import pytest

from domain.beans import BEANS, KINDS, payout
from domain.commands import Command, Harvest, Offer, Plant
from domain.events import CardsDrawn, FieldHarvested, GameEnded, OfferVoided, TurnStarted
from tests.domain.editions import SETUPS
from tests.domain.play import begun
from tests.domain.scenario import At, bean_named, given

# Coins for n = 0, 1, 2, … cards of a kind, one more than there are: typed from the printed beanometers.
COINS_BY_FIELD_SIZE = {
    "coffee": "0000 111 222 33 4444444444444 4",
    "wax": "0000 111 22 33 444444444444 4",
    "blue": "0000 11 22 33 44444444444 4",
    "chili": "000 111 22 3 4444444444 4",
    "stink": "000 11 22 3 444444444 4",
    "green": "000 11 2 3 44444444 4",
    "soy": "00 11 22 3 444444 4",
    "black_eyed": "00 11 2 3 44444 4",
    "red": "00 1 2 3 4444 4",
    "garden": "00 2 3333 3",
    "cocoa": "00 2 3 4 4",
}
CARDS = {
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
}
PLAYERS_WITH = {"coffee": 3, "cocoa": 4}
"""A number of players that plays with that kind; four play with all others."""


@pytest.mark.parametrize("kind", COINS_BY_FIELD_SIZE)
def test_16_every_row_of_the_beanometers(kind: str) -> None:
    """Each row of section 2 for n = 0..count+1 (n above the card count still pays the maximum)."""
    expected = [int(digit) for digit in COINS_BY_FIELD_SIZE[kind].replace(" ", "")]
    assert len(expected) == CARDS[kind] + 2
    bean = bean_named(kind)
    assert [payout(bean, size) for size in range(CARDS[kind] + 2)] == expected
    assert payout(bean, 1000) == expected[-1]
    assert KINDS[bean].cards == CARDS[kind]


@pytest.mark.parametrize(
    ("kind", "size", "coins"),
    [
        (kind, size, int(digit))
        for kind, row in COINS_BY_FIELD_SIZE.items()
        for size, digit in enumerate(row.replace(" ", ""))
        if 1 <= size <= CARDS[kind]
    ],
)
def test_16_every_harvest_that_can_happen_pays_by_its_row(kind: str, size: int, coins: int) -> None:
    """The first cards of the field become the coins, the others go to the discard pile."""
    game = given({0: At(fields=f"{kind} x{size}")}, players=PLAYERS_WITH.get(kind, 4))
    field = [*game.state.seats[0].fields[0].cards]
    discarded = size - coins
    game.when(0, Harvest(0)).then(
        FieldHarvested(0, 0, bean_named(kind), count=size, coins=coins, discarded=discarded, final=False)
    )
    assert [*game.state.seats[0].coins] == field[:coins]
    assert game.discard == " ".join([kind] * discarded)
    assert game.state.seats[0].fields[0].bean is None


def test_16_the_names_of_the_kinds_are_those_on_the_cards() -> None:
    names = {kind.bean: (kind.english, kind.german, kind.french) for kind in KINDS.values()}
    assert names["coffee"] == ("Coffee", "Kaffeebohne", "Harry Cogné")
    assert names["wax"] == ("Wax", "Weinbrandbohne", "Harry Coché")
    assert names["blue"] == ("Blue", "Blaue Bohne", "Harry Colt")
    assert names["chili"] == ("Chili", "Feuerbohne", "Harry Cauchemar")
    assert names["stink"] == ("Stink", "Saubohne", "Harry Cochon")
    assert names["green"] == ("Green", "Brechbohne", "Harry Colique")
    assert names["soy"] == ("Soy", "Sojabohne", "Harry Copain")
    assert names["black_eyed"] == ("Black-eyed", "Augenbohne", "Harry Chaos")
    assert names["red"] == ("Red", "Rote Bohne", "Harry Comique")
    assert names["garden"] == ("Garden", "Gartenbohne", "Harry Coriace")
    assert names["cocoa"] == ("Cocoa", "Kakaobohne", "Harry Choco")


def test_16_the_field_bean_pays_three_coins_for_three_and_none_for_fewer() -> None:
    assert [payout("field_bean", size) for size in range(5)] == [0, 0, 0, 3, 3]
    assert KINDS["field_bean"].cards == 3


def test_16_no_harvest_pays_more_coins_than_it_has_cards() -> None:
    assert all(payout(bean, size) <= size for bean in BEANS for size in range(30))
    assert all(payout(bean, 1) == 0 for bean in BEANS)


@pytest.mark.parametrize(("size", "coins", "discarded"), [(2, 2, 0), (6, 3, 3)])
def test_17_garden_beans(size: int, coins: int, discarded: int) -> None:
    """Garden x2 pays 2 and discards 0; garden x6 pays 3 and discards 3; garden never pays 1 or 4."""
    game = given({0: At(fields=f"garden x{size}")})
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "garden", size, coins, discarded, final=False))
    assert {payout("garden", cards) for cards in range(8)} == {0, 2, 3}


@pytest.mark.parametrize("size", [2, 3, 4])
def test_18_cocoa_beans_leave_nothing_to_discard(size: int) -> None:
    """Cocoa x2 pays 2, x3 pays 3, x4 pays 4, discards 0."""
    game = given({0: At(fields=f"cocoa x{size}")}, players=5)
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "cocoa", size, coins=size, discarded=0, final=False))
    assert game.coins(0) == size
    assert game.discard == ""


def test_18_only_four_or_five_players_have_cocoa() -> None:
    """... (only 4-5 players ever have cocoa in the deck)."""
    with_cocoa = {(setup.ruleset, setup.players) for setup in SETUPS if "cocoa" in begun(setup).state.table.deck}
    assert with_cocoa == {("classic", 4), ("classic", 5), ("new_beans", 4), ("new_beans", 5)}


def test_19_two_stink_beans_pay_nothing() -> None:
    """Stink x2 pays 0, both cards go to the discard pile, field empty."""
    game = given({0: At(fields="stink x2 | red x2")}, discard="blue")
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "stink", count=2, coins=0, discarded=2, final=False))
    assert game.discard == "blue stink stink"
    assert game.coins(0) == 0
    assert game.fields(0) == "empty | red x2"


def test_20_a_single_bean_is_protected_until_no_field_has_two() -> None:
    """[blue x1 | red x2]: harvesting blue rejected; after harvesting red it becomes legal."""
    game = given({0: At(fields="blue x1 | red x2")})
    game.when(0, Harvest(0)).refused("bean_protected")
    game.after(0, Harvest(1))
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "blue", count=1, coins=0, discarded=1, final=False))


def test_21_an_empty_field_protects_nothing() -> None:
    """[blue x1 | empty]: harvesting blue legal (pays 0)."""
    game = given({0: At(fields="blue x1 | empty")})
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "blue", count=1, coins=0, discarded=1, final=False))


@pytest.mark.parametrize("field", [0, 1])
def test_22_of_three_fields_either_single_bean_may_go(field: int) -> None:
    """Three fields [blue x1 | red x1 | empty]: either single legal."""
    game = given({0: At(fields="blue x1 | red x1 | empty")}, players=3)
    game.when(0, Harvest(field)).legal()


def test_23_of_three_fields_only_the_one_with_two_beans_may_go() -> None:
    """Three fields [blue x1 | red x1 | soy x2]: only soy legal."""
    game = given({0: At(fields="blue x1 | red x1 | soy x2")}, players=3)
    game.when(0, Harvest(0)).refused("bean_protected")
    game.when(0, Harvest(1)).refused("bean_protected")
    game.when(0, Harvest(2)).then(FieldHarvested(0, 2, "soy", count=2, coins=1, discarded=1, final=False))


def test_protection_looks_at_the_own_fields_only() -> None:
    game = given({0: At(fields="blue x1 | empty"), 1: At(fields="red x4 | soy x2")})
    game.when(0, Harvest(0)).legal()


def test_24_an_empty_field_cannot_be_harvested() -> None:
    """Empty field harvest rejected."""
    game = given({0: At(fields="blue x2 | empty")})
    game.when(0, Harvest(1)).refused("field_empty")
    game.when(0, Harvest(2)).refused("no_such_field")


def test_25_nobody_harvests_the_field_of_another() -> None:
    """Harvest of another player's field rejected: a harvest only ever means a field of one's own."""
    game = given({0: At(fields="blue x4 | empty"), 1: At(fields="empty | empty")})
    game.when(1, Harvest(0)).refused("field_empty")
    assert game.fields(0) == "blue x4 | empty"


def test_26_others_harvest_in_phase_1() -> None:
    """Non-active player harvests during phases 1, 2, 3 and while an offer is pending: legal."""
    game = given({0: At(hand="red:1"), 2: At(fields="soy x4")})
    game.when(2, Harvest(0)).then(FieldHarvested(2, 0, "soy", count=4, coins=2, discarded=2, final=False))


def test_26_others_harvest_in_phase_2_and_an_offer_stays_open() -> None:
    """... and while an offer is pending: legal, the offer stays open."""
    game = given({0: At(hand="red:1"), 2: At(hand="soy:5", fields="soy x4")}, phase="trade")
    game.after(0, Offer(to=2, give=[1], want={"soy": 1}))
    events = game.when(2, Harvest(0)).legal()
    assert not any(isinstance(event, OfferVoided) for event in events)
    assert game.offers == [1]


def test_26_others_harvest_in_phase_3() -> None:
    """Non-active player harvests during ... 3."""
    game = given({0: At(pending="red:1"), 2: At(fields="soy x4")}, phase="settle")
    game.when(2, Harvest(0)).legal()
    assert game.state.phase == "settle"


def test_27_nothing_is_harvested_after_the_end() -> None:
    """Harvest after the game has ended rejected."""
    game = given({0: At(pending="red:1"), 1: At(fields="blue x4")}, phase="settle", exhaustions=3, final=True, deck="")
    events = game.when(0, Plant(1, 0)).legal()
    assert isinstance(events[-1], GameEnded)
    game.when(1, Harvest(0)).refused("game_not_running")


def test_28_there_is_no_partial_harvest() -> None:
    """Partial harvest does not exist in the command set."""
    decoder = msgspec.json.Decoder(Command)
    assert decoder.decode(b'{"type":"harvest","field":0}') == Harvest(0)
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(b'{"type":"harvest","field":0,"count":2}')
    game = given({0: At(fields="blue x10")})
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "blue", count=10, coins=4, discarded=6, final=False))
    assert game.fields(0) == "empty | empty"


def test_29_a_harvest_needs_no_need() -> None:
    """Voluntary harvest with an empty field available: legal."""
    game = given({0: At(hand="soy:1", fields="blue x5 | empty")})
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "blue", count=5, coins=1, discarded=4, final=False))


def test_a_harvest_ends_no_phase() -> None:
    game = given({0: At(pending="red:1", fields="soy x4")}, phase="settle")
    events = game.when(0, Harvest(0)).legal()
    assert not any(isinstance(event, CardsDrawn | TurnStarted) for event in events)


def test_coins_lie_on_the_stack_in_planting_order() -> None:
    """Of the harvested pile the first cards in planting order become coins, pushed in that order."""
    game = given({0: At(fields="red:11 red:12 red:13 red:14", coins="blue:5")}, discard="stink")
    game.after(0, Harvest(0))
    assert [*game.state.seats[0].coins.items()] == [(5, "blue"), (11, "red"), (12, "red"), (13, "red")]
    assert game.discard == "stink red"
