"""What a seat may do, listed in full for tables that are laid out by hand, in every phase of both games."""

import pytest

from domain.actions import AcceptChoices, Action, OfferChoices, Pick, actions
from domain.beans import BEANS
from domain.commands import (
    MOST_WANTED,
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
from domain.state import State
from tests.domain.scenario import At, given


def ways(state: State, seat: int) -> list[Command]:
    """The commands, ready as they stand; those that leave a choice as well."""
    return [action.command for action in actions(state, seat)]


def found(state: State, seat: int, command: type[Command]) -> list[Action]:
    """The actions of one kind."""
    return [action for action in actions(state, seat) if isinstance(action.command, command)]


def test_phase_1_begins_with_the_front_card_in_every_field_that_takes_it() -> None:
    game = given({0: At(hand="red:1 blue:2", fields="red x2 | empty")})
    assert actions(game.state, 0) == [Action(Plant(1, 0)), Action(Plant(1, 1)), Action(Harvest(0))]


def test_a_front_card_that_fits_nowhere_leaves_the_harvest() -> None:
    game = given({0: At(hand="red:1", fields="blue x2 | soy x2")})
    assert ways(game.state, 0) == [Harvest(0), Harvest(1)]


def test_after_one_planting_comes_another_or_the_reveal() -> None:
    game = given({0: At(hand="red:1 blue:2")}).after(0, Plant(1, 0))
    assert ways(game.state, 0) == [Plant(2, 1), Reveal(), Harvest(0)]


def test_after_two_plantings_there_is_only_the_reveal() -> None:
    game = given({0: At(hand="red:1 red:2 red:3")}).after(0, Plant(1, 0)).after(0, Plant(2, 0))
    assert ways(game.state, 0) == [Reveal(), Harvest(0)]


def test_with_an_empty_hand_there_is_only_the_reveal() -> None:
    assert actions(given({}).state, 0) == [Action(Reveal())]


def test_others_harvest_and_buy_at_any_time() -> None:
    game = given({0: At(hand="red:1"), 2: At(hand="soy:5", fields="blue x2 | wax", coins="green x3")})
    assert actions(game.state, 2) == [Action(Harvest(0)), Action(BuyField())]
    assert actions(game.state, 1) == []


@pytest.mark.parametrize(
    ("fields", "harvests"),
    [
        ("blue | red x2", [1]),
        ("blue | red", [0, 1]),
        ("blue | empty", [0]),
        ("empty | empty", []),
        ("blue x2 | red x3", [0, 1]),
    ],
)
def test_a_protected_bean_is_not_listed(fields: str, harvests: list[int]) -> None:
    game = given({1: At(fields=fields)})
    assert ways(game.state, 1) == [Harvest(index) for index in harvests]


@pytest.mark.parametrize(("coins", "listed"), [("", []), ("green x2", []), ("green x3", [BuyField()])])
def test_a_field_is_listed_when_it_can_be_paid(coins: str, listed: list[Command]) -> None:
    assert ways(given({1: At(coins=coins)}).state, 1) == listed


def test_a_field_is_listed_in_the_own_turn_only_where_it_is_sold_then() -> None:
    game = given({0: At(coins="green x3"), 1: At(coins="stink x3")}, ruleset="boonanza")
    assert ways(game.state, 0) == [Reveal(), BuyField()]
    assert ways(game.state, 1) == []


def test_the_active_player_offers_hand_and_face_up_cards_to_one_or_to_anyone() -> None:
    """With four players there is no coffee in the game, so wax is the first kind of its table."""
    game = given({1: At(hand="red:1 blue:2")}, phase="trade", active=1, face_up="soy:31 wax:32")
    offer, end = actions(game.state, 1)
    assert offer.command == Offer(to=None, want={"wax": 1})
    assert offer.choices == OfferChoices(
        to=[None, 0, 2, 3], give=[1, 2, 31, 32], want=dict.fromkeys(BEANS, MOST_WANTED), want_cards=[]
    )
    assert end == Action(EndTrading())


def test_others_offer_their_hand_to_the_active_player_and_may_want_the_face_up_cards() -> None:
    game = given({2: At(hand="red:1 blue:2")}, phase="trade", active=1, face_up="soy:31 wax:32")
    (offer,) = actions(game.state, 2)
    assert offer.command == Offer(to=1, want={"wax": 1})
    assert offer.choices == OfferChoices(
        to=[1], give=[1, 2], want=dict.fromkeys(BEANS, MOST_WANTED), want_cards=[31, 32]
    )


def test_an_author_withdraws_and_an_addressee_accepts_rejects_or_answers() -> None:
    game = given({1: At(hand="red:1"), 2: At(hand="soy:2")}, phase="trade", active=1)
    game.after(1, Offer(to=2, give=[1], want={"soy": 1}))
    assert found(game.state, 1, Withdraw) == [Action(Withdraw(1))]
    assert not found(game.state, 1, Accept)
    assert not found(game.state, 1, Reject)
    new, accept, reject, answer = actions(game.state, 2)
    assert new.command == Offer(to=1, want={"wax": 1})
    assert accept == Action(Accept(1, [2]), AcceptChoices([Pick(1, [2])]))
    assert reject == Action(Reject(1))
    assert answer.command == Offer(to=1, want={"wax": 1}, answers=1)
    assert answer.choices == OfferChoices(to=[1], give=[2], want=dict.fromkeys(BEANS, MOST_WANTED), want_cards=[])
    assert not ways(game.state, 3)[1:], "an offer to somebody else is nothing to answer"


def test_the_active_player_answers_the_author_alone() -> None:
    game = given({2: At(hand="soy:2")}, phase="trade", active=1, face_up="blue:31 red:32")
    game.after(2, Offer(to=1, give=[2]))
    new, accept, reject, answer, end = actions(game.state, 1)
    assert new.choices is not None
    assert accept == Action(Accept(1, []), None), "a gift leaves nothing to choose"
    assert reject == Action(Reject(1))
    assert isinstance(answer.choices, OfferChoices)
    assert (answer.command, answer.choices.to) == (Offer(to=2, want={"wax": 1}, answers=1), [2])
    assert end == Action(EndTrading())


def test_an_offer_to_anyone_is_answered_by_each_for_himself() -> None:
    game = given({1: At(hand="red:1")}, phase="trade", active=1)
    game.after(1, Offer(to=None, give=[1]))
    game.after(2, Reject(1))
    assert [len(found(game.state, seat, Accept)) for seat in range(4)] == [1, 0, 0, 1]
    assert [len(found(game.state, seat, Reject)) for seat in range(4)] == [1, 0, 0, 1]


def test_a_want_is_filled_from_hand_and_face_up_cards_and_a_named_card_by_itself() -> None:
    """The command as it stands gives the hindmost of each kind; the named card counts for its kind no more."""
    game = given({0: At(hand="red:1 soy:2 red:3"), 1: At(hand="wax:4")}, phase="trade", face_up="red:31 red:32")
    game.after(1, Offer(to=0, give=[4], want={"soy": 1, "red": 2}, want_cards=[31]))
    (accept,) = found(game.state, 0, Accept)
    assert isinstance(accept.command, Accept)
    assert isinstance(accept.choices, AcceptChoices)
    assert sorted(accept.command.give) == [2, 3, 31, 32]
    assert sorted((pick.count, pick.cards) for pick in accept.choices.picks) == [
        (1, [2]),
        (1, [31]),
        (2, [1, 3, 32]),
    ]


def test_others_fill_a_want_from_the_hand_alone() -> None:
    game = given({1: At(hand="red:1"), 0: At(hand="wax:4")}, phase="trade", face_up="red:31 soy:32")
    game.after(0, Offer(to=1, give=[4], want={"red": 1}))
    assert found(game.state, 1, Accept) == [Action(Accept(1, [1]), AcceptChoices([Pick(1, [1])]))]
    game = given({1: At(hand="soy:1"), 0: At(hand="wax:4")}, phase="trade", face_up="red:31 soy:32")
    game.after(0, Offer(to=1, give=[4], want={"red": 1}))
    assert not found(game.state, 1, Accept)


def test_who_has_too_few_may_only_reject_or_answer() -> None:
    game = given({0: At(hand="wax:4"), 1: At(hand="red:1 red:2 soy:3")}, phase="trade")
    game.after(0, Offer(to=1, give=[4], want={"red": 2}))
    game.after(0, Offer(to=1, give=[4], want={"red": 3}))
    game.after(0, Offer(to=1, give=[4], want={"soy": 1, "blue": 1}))
    assert [action.command for action in found(game.state, 1, Accept)] == [Accept(1, [1, 2])]
    assert [action.command for action in found(game.state, 1, Reject)] == [Reject(1), Reject(2), Reject(3)]


def test_with_twenty_open_offers_there_is_no_further_one() -> None:
    game = given({1: At(hand="red:1")}, phase="trade", active=1)
    for _ in range(19):
        game.after(1, Offer(to=2, give=[1]))
    assert len(found(game.state, 1, Offer)) == 1
    game.after(1, Offer(to=2, give=[1]))
    assert not found(game.state, 1, Offer)
    assert len(found(game.state, 1, Withdraw)) == 20
    assert len(found(game.state, 2, Offer)) == 21, "one of its own, and an answer to each"


def test_phase_3_everybody_plants_the_own_pending_cards() -> None:
    game = given(
        {0: At(pending="red:1 soy:2", fields="soy | empty"), 2: At(pending="wax:3", fields="blue x2 | wax")},
        phase="settle",
    )
    assert actions(game.state, 0) == [Action(Plant(1, 1)), Action(Plant(2, 0)), Action(Plant(2, 1)), Action(Harvest(0))]
    assert actions(game.state, 2) == [Action(Plant(3, 1)), Action(Harvest(0))]
    assert actions(game.state, 1) == []


def test_duel_step_1_every_gift_is_planted_or_discarded() -> None:
    game = given(
        {0: At(hand="wax:1", fields="soy | blue"), 1: At(fields="red | chili")},
        players=2,
        phase="gifts",
        gifts="soy:41 red:42",
    )
    assert ways(game.state, 0) == [Plant(41, 0), Discard(41), Discard(42), Harvest(0), Harvest(1)]
    assert ways(game.state, 1) == [], "a harvest needs the own turn"


def test_duel_step_2_one_card_may_be_discarded_after_the_planting() -> None:
    game = given({0: At(hand="red:1 soy:2 wax:3")}, players=2)
    assert ways(game.state, 0) == [Plant(1, 0), Plant(1, 1)]
    game.after(0, Plant(1, 0))
    assert ways(game.state, 0) == [Plant(2, 1), Discard(2), Discard(3), Reveal(), Harvest(0)]
    game.after(0, Discard(3))
    assert ways(game.state, 0) == [Reveal(), Harvest(0)]


def test_duel_step_3_revealed_cards_are_planted_until_the_turn_is_ended() -> None:
    game = given({0: At(fields="soy x2 | blue", coins="green x3")}, players=2, phase="keep", face_up="blue:31 wax:32")
    assert ways(game.state, 0) == [Plant(31, 1), EndTurn(), Harvest(0), BuyField()]
    assert ways(game.state, 1) == []


def test_nothing_is_listed_before_the_start_and_after_the_end() -> None:
    game = given({0: At(fields="red x2 | blue x2")}, phase="settle")
    for status in ("open", "ended", "abandoned"):
        game.state.status = status
        assert actions(game.state, 0) == []
