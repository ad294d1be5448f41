"""Phase 3, and the draw that follows it: edge cases 60 to 65 of the rules, section 12."""

import pytest

from domain.cards import Card
from domain.commands import Command, Discard, EndTrading, EndTurn, Harvest, Offer, Plant
from domain.events import BeanPlanted, CardsDrawn, FieldHarvested, TradingEnded, TurnStarted
from tests.domain.scenario import At, Scenario, given


def settling(seats: dict[int, At], *, players: int = 4, deck: str | None = None) -> Scenario:
    """It is seat 0's turn, and cards lie aside to be planted."""
    return given(seats, players=players, phase="settle", deck=deck, exhaustions=1)


def test_60_first_soy_then_red() -> None:
    """Order soy, red: soy x3; blue is protected, so soy x3 must be harvested (1 coin, 2 discarded), red planted."""
    game = settling({0: At(pending="soy:1 red:2", fields="soy x2 | blue x1")})
    game.after(0, Plant(1, 0))
    assert game.fields(0) == "soy x3 | blue x1"
    game.when(0, Plant(2, 0)).refused("field_occupied")
    game.when(0, Harvest(1)).refused("bean_protected")
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "soy", count=3, coins=1, discarded=2, final=False))
    game.after(0, Plant(2, 0))
    assert game.fields(0) == "red x1 | blue x1"


@pytest.mark.parametrize(("harvested", "fields"), [(0, "soy x1 | blue x1"), (1, "red x1 | soy x1")])
def test_60_first_red_then_soy(harvested: int, fields: str) -> None:
    """Order red, soy: soy x2 harvested (1 coin, 1 discarded), red planted, then soy fits nowhere and both
    fields are singles, so either is harvested for 0 and soy planted."""
    game = settling({0: At(pending="soy:1 red:2", fields="soy x2 | blue x1")})
    game.when(0, Harvest(1)).refused("bean_protected")
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "soy", count=2, coins=1, discarded=1, final=False))
    game.after(0, Plant(2, 0))
    game.when(0, Plant(1, 0)).refused("field_occupied")
    game.when(0, Plant(1, 1)).refused("field_occupied")
    (gone,) = game.when(0, Harvest(harvested)).legal()
    assert isinstance(gone, FieldHarvested)
    assert gone.coins == 0
    game.after(0, Plant(1, harvested))
    assert game.fields(0) == fields
    assert game.coins(0) == 1


@pytest.mark.parametrize("order", [(0, 2), (2, 0)])
def test_61_two_owners_plant_in_any_order(order: tuple[int, int]) -> None:
    """Two players have pending cards: either may start; phase 4 starts only after both are done."""
    game = settling({0: At(pending="soy:1"), 2: At(pending="red:2")})
    cards = {0: 1, 2: 2}
    first, last = order
    (planted,) = game.when(first, Plant(cards[first], 0)).legal()
    assert isinstance(planted, BeanPlanted)
    assert game.state.phase == "settle"
    planted, drawn, turn = game.when(last, Plant(cards[last], 0)).legal()
    assert isinstance(drawn, CardsDrawn)
    assert drawn.seat == 0
    assert turn == TurnStarted(10, 1)


def test_61_owners_plant_their_own_cards_only() -> None:
    game = settling({0: At(pending="soy:1"), 2: At(pending="red:2")})
    game.when(0, Plant(2, 0)).refused("unknown_card")
    game.when(2, Plant(1, 0)).refused("unknown_card")
    game.when(3, Plant(1, 0)).refused("unknown_card")


def test_62_without_pending_cards_the_draw_follows_at_once() -> None:
    """No pending cards at all: phase 4 follows at once."""
    game = given({0: At(hand="wax:9")}, phase="trade", deck="blue red soy stink", exhaustions=1)
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "blue"), Card(first + 1, "red"), Card(first + 2, "soy")]),
        TurnStarted(10, 1),
    )


def test_63_three_equal_cards_fill_one_empty_field() -> None:
    """Three equal pending cards fill one empty field."""
    game = settling({0: At(pending="soy:1 soy:2 soy:3", fields="blue x2 | empty")})
    for card in (3, 1, 2):
        game.after(0, Plant(card, 1))
    assert game.fields(0) == "blue x2 | soy x3"
    assert game.state.seats[0].fields[1].cards == [3, 1, 2]


@pytest.mark.parametrize("command", [Discard(1), EndTurn(), Offer(to=1, give=[1])])
def test_64_a_pending_card_can_only_be_planted(command: Command) -> None:
    """A pending card cannot be discarded, returned or moved into a hand."""
    game = settling({0: At(pending="soy:1")})
    game.when(0, command).refused("wrong_phase")
    assert game.pending(0) == "soy:1"


def test_in_phase_3_nothing_is_planted_from_the_hand() -> None:
    game = settling({0: At(pending="soy:1", hand="red:2")})
    game.when(0, Plant(2, 0)).refused("unknown_card")


def test_received_cards_obey_the_fields_like_all_others() -> None:
    game = settling({2: At(pending="soy:1", fields="red x1 | blue x1")})
    game.when(2, Plant(1, 0)).refused("field_occupied")
    game.when(2, Plant(1, 2)).refused("no_such_field")
    game.after(2, Harvest(1))
    game.when(2, Plant(1, 1)).legal()


@pytest.mark.parametrize(
    ("players", "drawn"),
    [(3, "blue red soy"), (4, "blue red soy"), (5, "blue red soy"), (6, "blue red soy wax"), (7, "blue red soy wax")],
)
def test_65_the_active_player_draws_to_the_back_of_the_hand(players: int, drawn: str) -> None:
    """Phase 4 draws three to the back in draw order; 6-7 players four."""
    game = settling(
        {0: At(hand="stink:7"), 1: At(hand="green:8", pending="soy:9")}, players=players, deck="blue red soy wax chili"
    )
    first = game.state.next_card
    kinds = drawn.split()
    _, event, turn = game.when(1, Plant(9, 0)).legal()
    assert isinstance(event, CardsDrawn)
    assert [card.bean for card in event.cards] == kinds
    assert turn == TurnStarted(10, 1)
    expected = " ".join(f"{bean}:{first + place}" for place, bean in enumerate(kinds))
    assert game.hand(0) == f"stink:7 {expected}"
    assert game.hand(1) == "green:8"


@pytest.mark.parametrize(
    ("ruleset", "players"),
    [(name, count) for name in ("boonanza", "amigo_classic", "amigo_2023") for count in (3, 4, 5)],
)
def test_65_three_cards_in_the_editions_with_104_cards(ruleset: str, players: int) -> None:
    """Section 3: the active player draws 3. Where every player draws one: see `test_everyone_draws`."""
    game = given(
        {0: At(hand="stink:7")},
        players=players,
        ruleset=ruleset,
        phase="trade",
        deck="blue red soy chili",
        exhaustions=1,
    )
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "blue"), Card(first + 1, "red"), Card(first + 2, "soy")]),
        TurnStarted(10, 1),
    )
    assert game.hand(0) == f"stink:7 blue:{first} red:{first + 1} soy:{first + 2}"


def test_the_turn_passes_clockwise_and_wraps() -> None:
    game = given({3: At(pending="soy:1")}, phase="settle", active=3)
    assert game.when(3, Plant(1, 0)).legal()[-1] == TurnStarted(10, 0)
    assert (game.state.active, game.state.planted, game.state.phase) == (0, 0, "plant")
