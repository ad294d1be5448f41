"""The turn in the game for two: edge cases 84 to 93 and 96 of the rules, section 12.

Seat 0 is active unless stated, and seat 1 is the opponent.
"""

from collections import Counter

import pytest

from domain.cards import Card
from domain.commands import (
    Accept,
    BuyField,
    Command,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.events import (
    BeanPlanted,
    CardDiscarded,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    FieldBought,
    FieldHarvested,
    GiftsLeft,
    Options,
    TurnStarted,
)
from domain.state import Phase
from tests.domain.editions import PRINTING_B, SETUPS, Setup
from tests.domain.play import begun
from tests.domain.scenario import At, Scenario, given

DUEL_PHASES: list[Phase] = ["gifts", "plant", "keep"]


def duel(
    seats: dict[int, At] | None = None,
    *,
    phase: Phase = "plant",
    options: Options = Options(),  # noqa: B008 - it is frozen
    deck: str | None = None,
    discard: str = "",
    face_up: str = "",
    gifts: str = "",
    planted: int = 0,
) -> Scenario:
    return given(
        seats or {},
        players=2,
        options=options,
        phase=phase,
        deck=deck,
        discard=discard,
        face_up=face_up,
        gifts=gifts,
        planted=planted,
    )


# Step 1: the opponent's offer.


@pytest.mark.parametrize("options", [Options(), PRINTING_B])
def test_84_the_first_turn_begins_with_planting(options: Options) -> None:
    """First turn of the starting player begins with step 2."""
    state = begun(Setup("classic", 2, options)).state
    assert (state.turn, state.phase, state.active) == (1, "plant", state.start_seat)
    assert not state.gifts


def test_84_a_turn_without_an_offer_begins_with_planting() -> None:
    """Skipped ... whenever nothing was offered."""
    game = duel(phase="keep", deck="wax blue soy")
    first = game.state.next_card
    game.when(0, EndTurn()).then(
        GiftsLeft(0, []),
        CardsDrawn(0, [Card(first, "wax"), Card(first + 1, "blue")]),
        TurnStarted(10, 1),
    )
    assert game.state.phase == "plant"


def test_85_every_offered_card_is_planted_or_discarded() -> None:
    """Offered [soy, soy, red]: plant one soy, discard the other and the red in chosen order: the discard top is the
    card discarded last."""
    game = duel(phase="gifts", gifts="soy:31 soy:32 red:33", discard="wax")
    game.when(0, Plant(32, 1)).then(BeanPlanted(0, 1, 32, "soy", "gift"))
    game.when(0, Discard(33)).then(CardDiscarded(0, 33, "red"))
    game.when(0, Reveal()).refused("wrong_phase")
    game.when(0, Discard(31)).then(CardDiscarded(0, 31, "soy"))
    assert game.fields(0) == "empty | soy x1"
    assert game.discard == "wax red soy"
    assert game.state.phase == "plant"


def test_85_in_any_order() -> None:
    game = duel(phase="gifts", gifts="soy:31 soy:32 red:33", discard="wax")
    game.after(0, Discard(31)).after(0, Discard(33)).after(0, Plant(32, 0))
    assert game.discard == "wax soy red"
    assert game.state.phase == "plant"


def test_85_cards_that_were_planted_as_gifts_are_no_plantings_from_the_hand() -> None:
    """After step 1 the front card must be planted still, and two may be."""
    game = duel({0: At(hand="wax:1 wax:2 wax:3")}, phase="gifts", gifts="soy:31")
    game.after(0, Plant(31, 0))
    assert game.state.planted == 0
    game.when(0, Reveal()).refused("must_plant_first")
    game.after(0, Plant(1, 1)).after(0, Plant(2, 1))
    game.when(0, Plant(3, 1)).refused("already_planted_two")


def test_85_a_discarded_gift_is_not_the_discard_of_step_2() -> None:
    game = duel({0: At(hand="wax:1 wax:2")}, phase="gifts", gifts="soy:31")
    game.after(0, Discard(31)).after(0, Plant(1, 0))
    assert not game.state.discarded
    game.when(0, Discard(2)).legal()


def test_85_gifts_go_where_a_card_may_be_planted() -> None:
    """Normal field conditions."""
    game = duel({0: At(fields="red | soy x2")}, phase="gifts", gifts="soy:31")
    game.when(0, Plant(31, 0)).refused("field_occupied")
    game.when(0, Plant(31, 2)).refused("no_such_field")
    game.when(0, Plant(31, 1)).legal()


def test_85_harvesting_and_buying_in_between() -> None:
    """Harvesting (and buying, A) in between allowed."""
    game = duel({0: At(fields="red x2 | wax x4", coins="stink x2")}, phase="gifts", gifts="soy:31 blue:32")
    game.after(0, Harvest(0)).after(0, Plant(31, 0)).after(0, BuyField()).after(0, Plant(32, 2))
    assert game.fields(0) == "soy x1 | wax x4 | blue x1"
    assert game.state.phase == "plant"


@pytest.mark.parametrize("command", [Reveal(), EndTurn()])
def test_86_no_step_2_while_offered_cards_are_unresolved(command: Command) -> None:
    """Step 2 cannot start while offered cards are unresolved."""
    game = duel({0: At()}, phase="gifts", gifts="soy:31 red:32")
    game.after(0, Plant(31, 0))
    game.when(0, command).refused("wrong_phase")
    game.after(0, Discard(32)).when(0, Reveal()).legal()


def test_86_no_card_of_the_hand_moves_before_the_offered_ones() -> None:
    game = duel({0: At(hand="wax:1 blue:2")}, phase="gifts", gifts="soy:31")
    game.when(0, Plant(1, 0)).refused("unknown_card")
    game.when(0, Discard(2)).refused("unknown_card")


def test_86_the_offer_is_not_for_who_made_it() -> None:
    game = duel(phase="gifts", gifts="soy:31")
    game.when(1, Plant(31, 0)).refused("not_your_turn")
    game.when(1, Discard(31)).refused("not_your_turn")


# Step 2: plant and discard.


def test_87_one_card_from_anywhere_in_the_hand_is_discarded() -> None:
    """After one planting a middle hand card is discarded: the order of the rest unchanged; a second discard rejected;
    planting after the discard rejected."""
    game = duel({0: At(hand="wax:1 blue:2 red:3 soy:4 green:5")}, discard="stink")
    game.after(0, Plant(1, 0))
    game.when(0, Discard(3)).then(CardDiscarded(0, 3, "red"))
    assert game.hand(0) == "blue:2 soy:4 green:5"
    assert game.discard == "stink red"
    assert game.state.discarded
    game.when(0, Discard(4)).refused("wrong_phase")
    game.when(0, Plant(2, 1)).refused("wrong_phase")
    game.when(0, Reveal()).legal()


@pytest.mark.parametrize("card", [3, 4])
def test_87_after_two_plantings_too(card: int) -> None:
    """The front card as well as the last."""
    game = duel({0: At(hand="wax:1 wax:2 red:3 soy:4")}).after(0, Plant(1, 0)).after(0, Plant(2, 0))
    game.when(0, Discard(card)).legal()


def test_87_nothing_is_discarded_before_the_first_planting() -> None:
    """*Afterwards* he may discard one card."""
    game = duel({0: At(hand="wax:1 blue:2")})
    game.when(0, Discard(2)).refused("must_plant_first")


def test_87_an_empty_hand_has_nothing_to_discard() -> None:
    """Not possible with an empty hand."""
    game = duel({0: At(hand="wax:1")}, gifts="")
    game.after(0, Plant(1, 0))
    game.when(0, Discard(1)).refused("unknown_card")
    game.when(0, Reveal()).legal()


def test_87_a_hand_that_was_empty_at_the_start_goes_on_with_the_reveal() -> None:
    """Skip if the hand is empty."""
    game = duel({0: At()})
    game.when(0, Discard(1)).refused("unknown_card")
    game.when(0, Reveal()).legal()


def test_87_a_card_of_the_opponent_is_not_discarded() -> None:
    game = duel({0: At(hand="wax:1"), 1: At(hand="blue:2")}, planted=1)
    game.when(0, Discard(2)).refused("unknown_card")


def test_87_the_count_begins_anew_with_each_turn() -> None:
    game = duel({0: At(hand="wax:1 blue:2"), 1: At(hand="red:3 soy:4")}, deck="wax wax wax green green stink")
    game.after(0, Plant(1, 0)).after(0, Discard(2)).after(0, Reveal())
    for card in [*game.state.face_up]:
        game.after(0, Plant(card, 0))
    game.after(0, EndTurn())
    assert (game.state.planted, game.state.discarded) == (0, False)
    game.after(1, Plant(3, 0))
    game.when(1, Discard(4)).legal()


# Step 3: reveal, sweep, plant.


def test_88_the_discard_pile_is_swept() -> None:
    """Reveal [blue, red, chili], discard top-down [red, red, soy, blue]: two reds are swept, soy stops it."""
    game = duel({0: At()}, deck="blue red chili wax wax wax", discard="blue soy red red")
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "blue"), Card(first + 1, "red"), Card(first + 2, "chili")]),
        CardsSwept(0, [Card(first + 3, "red"), Card(first + 4, "red")]),
    )
    assert game.discard == "blue soy"
    assert game.face_up == (f"blue:{first} red:{first + 1} chili:{first + 2} red:{first + 3} red:{first + 4}")
    assert game.state.phase == "keep"
    assert game.state.next_card == first + 5


def test_88_cards_of_several_kinds_are_swept_as_they_lie() -> None:
    game = duel({0: At()}, deck="blue red chili wax wax wax", discard="blue red chili chili")
    first = game.state.next_card
    _, swept = game.when(0, Reveal()).legal()
    beans = ["chili", "chili", "red", "blue"]
    assert isinstance(swept, CardsSwept)
    assert [(card.card, card.bean) for card in swept.cards] == [*enumerate(beans, first + 3)]
    assert game.discard == ""


def test_88_a_discarded_card_of_the_own_hand_is_swept_too() -> None:
    game = duel({0: At(hand="wax:1 red:2")}, deck="blue red chili wax wax wax", discard="red")
    game.after(0, Plant(1, 0)).after(0, Discard(2))
    _, swept = game.when(0, Reveal()).legal()
    assert isinstance(swept, CardsSwept)
    assert [card.bean for card in swept.cards] == ["red", "red"]


def test_88_a_mismatch_on_top_stops_it_at_once() -> None:
    game = duel({0: At()}, deck="blue red chili wax wax wax", discard="red soy")
    assert len(game.when(0, Reveal()).legal()) == 1
    assert game.discard == "red soy"


def test_89_an_empty_discard_pile_gives_nothing() -> None:
    """Reveal with an empty discard: nothing swept."""
    game = duel({0: At()}, deck="blue red chili wax wax wax")
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "blue"), Card(first + 1, "red"), Card(first + 2, "chili")])
    )


def test_revealed_cards_are_planted_in_any_order_or_not_at_all() -> None:
    """Then he may plant any of these cards in any order, harvesting in between; he need not plant any."""
    game = duel({0: At(fields="red x2 | wax")}, phase="keep", face_up="blue:31 red:32 red:33 soy:34")
    game.when(0, Plant(33, 0)).then(BeanPlanted(0, 0, 33, "red", "face_up"))
    game.when(0, Plant(31, 0)).refused("field_occupied")
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "red", count=3, coins=2, discarded=1, final=False))
    game.when(0, Plant(31, 0)).then(BeanPlanted(0, 0, 31, "blue", "face_up"))
    game.when(0, Plant(31, 0)).refused("unknown_card")
    left = game.when(0, EndTurn()).legal()[0]
    assert left == GiftsLeft(0, [Card(32, "red"), Card(34, "soy")])
    assert game.gifts == "red:32 soy:34"
    assert (game.state.active, game.state.phase) == (1, "gifts")


def test_no_card_of_the_hand_is_planted_or_discarded_after_the_reveal() -> None:
    game = duel({0: At(hand="wax:1")}, phase="keep", face_up="blue:31", planted=1)
    game.when(0, Plant(1, 0)).refused("unknown_card")
    game.when(0, Discard(1)).refused("wrong_phase")
    game.when(0, Discard(31)).refused("wrong_phase")
    game.when(0, Reveal()).refused("wrong_phase")


def test_90_what_is_not_planted_is_the_offer() -> None:
    """Nothing planted in step 3: all cards are offered."""
    game = duel(phase="keep", face_up="blue:31 red:32 chili:33", deck="wax soy green")
    first = game.state.next_card
    game.when(0, EndTurn()).then(
        GiftsLeft(0, [Card(31, "blue"), Card(32, "red"), Card(33, "chili")]),
        CardsDrawn(0, [Card(first, "wax"), Card(first + 1, "soy")]),
        TurnStarted(10, 1),
    )
    assert game.hand(0) == f"wax:{first} soy:{first + 1}"
    assert game.gifts == "blue:31 red:32 chili:33"
    assert game.face_up == ""


@pytest.mark.parametrize("phase", ["gifts", "plant"])
def test_a_turn_does_not_end_before_the_reveal(phase: Phase) -> None:
    game = duel({0: At(hand="wax:1")}, phase=phase, gifts="soy:31" if phase == "gifts" else "", planted=1)
    game.when(0, EndTurn()).refused("wrong_phase")


# Harvests, the third field, and what a duel does not know.


@pytest.mark.parametrize("phase", DUEL_PHASES)
@pytest.mark.parametrize("options", [Options(), PRINTING_B])
def test_91_nothing_is_sold_or_bought_in_the_turn_of_the_opponent(phase: Phase, options: Options) -> None:
    """Harvest on the opponent's turn rejected; purchase on the opponent's turn rejected."""
    game = duel(
        {0: At(), 1: At(fields="red x2 | blue", coins="stink x3")},
        phase=phase,
        options=options,
        gifts="soy:31" if phase == "gifts" else "",
    )
    game.when(1, Harvest(0)).refused("not_your_turn")
    game.when(1, BuyField()).refused("field_not_for_sale" if options == PRINTING_B else "not_your_turn")


@pytest.mark.parametrize("phase", DUEL_PHASES)
def test_91_in_every_step_of_the_own_turn_both_are_possible(phase: Phase) -> None:
    game = duel(
        {0: At(fields="red x2 | blue", coins="stink x3")}, phase=phase, gifts="soy:31" if phase == "gifts" else ""
    )
    game.when(0, Harvest(0)).legal()
    game.when(0, BuyField()).legal()
    assert game.state.phase == phase


def test_bean_protection_holds_in_a_duel() -> None:
    game = duel({0: At(fields="red x2 | blue")})
    game.when(0, Harvest(1)).refused("bean_protected")


def test_92_the_sweep_comes_once() -> None:
    """Harvest inside step 3 does not restart the sweep; the next player's step 3 can sweep those cards."""
    game = duel({0: At(fields="red x4"), 1: At()}, deck="blue red chili wax wax red soy green wax wax", discard="soy")
    game.after(0, Reveal())
    game.when(0, Harvest(0)).then(FieldHarvested(0, 0, "red", count=4, coins=3, discarded=1, final=False))
    assert game.discard == "soy red"
    game.after(0, EndTurn())
    blue, red, chili = game.state.gifts
    game.after(1, Plant(blue, 0)).after(1, Plant(chili, 1)).after(1, Discard(red))
    assert game.discard == "soy red red"


def test_92_the_next_player_may_sweep_what_was_harvested() -> None:
    game = duel({0: At(fields="red x4"), 1: At()}, deck="wax blue chili wax wax red soy green wax wax", discard="stink")
    game.after(0, Reveal()).after(0, Harvest(0))
    assert game.discard == "stink red"
    wax, blue, chili = game.state.face_up
    game.after(0, Plant(wax, 0)).after(0, Plant(blue, 1)).after(0, EndTurn())
    game.after(1, Plant(chili, 0))
    first = game.state.next_card
    game.when(1, Reveal()).then(
        CardsRevealed(1, [Card(first, "red"), Card(first + 1, "soy"), Card(first + 2, "green")]),
        CardsSwept(1, [Card(first + 3, "red")]),
    )
    assert game.discard == "stink"


def test_93_in_printing_a_the_coins_go_into_the_box() -> None:
    """Purchase (A): 3 coins go to the box; final totals conserved with the box."""
    game = duel({0: At(coins="green:11 green:12 stink:13 stink:14", hand="soy:1")}, discard="wax")
    game.when(0, BuyField()).then(FieldBought(0, 3, [Card(14, "stink"), Card(13, "stink"), Card(12, "green")]))
    assert game.box == Counter({"stink": 2, "green": 1})
    assert game.discard == "wax"
    assert game.coins(0) == 1
    assert game.fields(0) == "empty | empty | empty"
    game.when(0, BuyField()).refused("field_not_for_sale")
    game.when(0, Plant(1, 2)).legal()


def test_35_in_a_duel_paid_coins_leave_the_game() -> None:
    """In duel A they do not [come back] and total in play drops by 3 (held in the box)."""
    game = duel({0: At(coins="green x3")})
    assert len(game.state.box) == 0
    game.after(0, BuyField())
    assert len(game.state.box) == 3
    assert game.state.discard == []


def test_93_two_coins_are_too_few() -> None:
    duel({0: At(coins="green x2")}).when(0, BuyField()).refused("not_enough_coins")


def test_93_in_printing_b_no_field_is_for_sale() -> None:
    """(B): three fields at start, purchase rejected."""
    game = duel({0: At(coins="green x9")}, options=PRINTING_B)
    assert game.fields(0) == "empty | empty | empty"
    game.when(0, BuyField()).refused("field_not_for_sale")


@pytest.mark.parametrize("options", [Options(), PRINTING_B])
@pytest.mark.parametrize("phase", DUEL_PHASES)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "command",
    [
        Offer(to=1, give=[1]),
        Offer(to=0, want={"red": 1}),
        Offer(to=None, give=[1]),
        Accept(1),
        Reject(1),
        Withdraw(1),
        EndTrading(),
    ],
    ids=str,
)
def test_96_there_is_no_trading_in_a_duel(command: Command, seat: int, phase: Phase, options: Options) -> None:
    """Trade and donation commands rejected in the duel."""
    seats = {0: At(hand="wax:1"), 1: At(hand="red:2")}
    game = duel(seats, phase=phase, options=options, gifts="soy:31" if phase == "gifts" else "")
    game.when(seat, command).refused("wrong_phase")


@pytest.mark.parametrize("command", [Discard(1), Discard(2), EndTurn()], ids=str)
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("phase", ["plant", "trade", "settle"])
@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.players > 2], ids=str)
def test_at_a_larger_table_nothing_is_discarded_and_no_turn_is_ended(
    command: Command, seat: int, phase: Phase, setup: Setup
) -> None:
    seats = {0: At(hand="blue:1", pending="red:2" if phase == "settle" else ""), 1: At(hand="soy:3")}
    game = given(seats, ruleset=setup.ruleset, players=setup.players, phase=phase)
    game.when(seat, command).refused("wrong_phase")


@pytest.mark.parametrize("phase", DUEL_PHASES)
@pytest.mark.parametrize("command", [Plant(31, 0), Discard(31), Reveal(), EndTurn()], ids=str)
def test_the_opponent_waits(command: Command, phase: Phase) -> None:
    game = duel(phase=phase, gifts="soy:31" if phase == "gifts" else "", face_up="soy:31" if phase == "keep" else "")
    game.when(1, command).refused("not_your_turn")
