"""The protocol of offers and deals beyond the numbered cases: rules, section 8, and pitfalls H2, H5 and H6."""

import pytest

from domain.actions import actions
from domain.beans import Bean
from domain.cards import Card
from domain.commands import Accept, EndTrading, Harvest, Offer, Plant, Reject, Reveal, Withdraw
from domain.events import (
    CardsDrawn,
    OfferRejected,
    OfferVoided,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from tests.domain.scenario import At, Scenario, given


def trading(seats: dict[int, At], *, face_up: str = "", players: int = 4) -> Scenario:
    """Seat 0 is trading."""
    return given(seats, players=players, phase="trade", face_up=face_up)


def test_want_cards_are_filled_by_those_face_up_cards_only() -> None:
    """`want_cards` names face-up cards and only they fill it; `want` is filled at the giver's choice."""
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1")}, face_up="green:31 stink:32")
    game.after(1, Offer(to=0, give=[1], want_cards=[31]))
    game.when(0, Accept(1, [9])).refused("offer_mismatch")
    game.when(0, Accept(1, [32])).refused("offer_mismatch")
    game.when(0, Accept(1, [31, 9])).refused("offer_mismatch")
    game.when(0, Accept(1, [31])).legal()
    assert game.pending(1) == "green:31"
    assert game.hand(0) == "green:9"


@pytest.mark.parametrize("chosen", [9, 31])
def test_a_want_is_filled_from_the_hand_or_from_the_face_up_cards(chosen: int) -> None:
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1")}, face_up="green:31 stink:32")
    game.after(1, Offer(to=0, give=[1], want={"green": 1}))
    game.when(0, Accept(1, [chosen])).legal()
    assert game.pending(1) == f"green:{chosen}"


def test_a_named_face_up_card_does_not_fill_the_want_beside_it() -> None:
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1")}, face_up="green:31 green:32")
    game.after(1, Offer(to=0, give=[1], want={"green": 1}, want_cards=[31]))
    game.when(0, Accept(1, [31])).refused("offer_mismatch")
    game.when(0, Accept(1, [9, 32])).refused("offer_mismatch")
    game.when(0, Accept(1, [31, 32])).legal()
    assert game.pending(1) == "green:31 green:32"


def test_want_cards_must_be_face_up_cards_of_the_other_side() -> None:
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1")}, face_up="green:31 stink:32")
    game.when(1, Offer(to=0, give=[1], want_cards=[9])).refused("unknown_card")
    game.when(1, Offer(to=0, give=[1], want_cards=[31, 31])).refused("unknown_card")
    game.when(0, Offer(to=1, give=[9], want_cards=[31])).refused("unknown_card")


def test_a_card_is_named_once() -> None:
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1 red:2")})
    game.when(0, Offer(to=1, give=[9, 9])).refused("unknown_card")
    game.after(0, Offer(to=1, give=[9], want={"red": 2}))
    game.when(1, Accept(1, [1, 1])).refused("unknown_card")


def test_an_acceptance_gives_exactly_what_is_wanted() -> None:
    """Kind by kind: not fewer, not more, no other kind (pitfall H2)."""
    game = trading({0: At(hand="green:9"), 1: At(hand="red:1 red:2 soy:3")})
    game.after(0, Offer(to=1, give=[9], want={"red": 1, "soy": 1}))
    for wrong in ([], [1], [1, 2], [1, 2, 3], [3]):
        game.when(1, Accept(1, wrong)).refused("offer_mismatch")
    game.when(1, Accept(1, [3, 2])).legal()


def test_the_cards_of_a_stranger_are_not_ones_own_to_give() -> None:
    """Ownership is checked for both sides (pitfall H2)."""
    game = trading({0: At(hand="green:9"), 1: At(hand="soy:3"), 2: At(hand="red:1")})
    game.when(0, Offer(to=1, give=[1])).refused("unknown_card")
    game.when(0, Offer(to=1, give=[777])).refused("unknown_card")
    game.after(0, Offer(to=1, give=[9], want={"red": 1}))
    game.when(1, Accept(1, [1])).refused("unknown_card")


def test_like_may_be_traded_for_like() -> None:
    """Harmless, hence allowed (pitfall H6)."""
    game = trading({0: At(hand="red:9"), 1: At(hand="red:1")}).after(0, Offer(to=1, give=[9], want={"red": 1}))
    game.when(1, Accept(1, [1])).legal()
    assert game.pending(0) == "red:1"
    assert game.pending(1) == "red:9"


def test_an_offer_locks_nothing() -> None:
    """Offers do not move cards; only a deal does (pitfall H5)."""
    game = trading({0: At(hand="wax:9", fields="soy x4")}, face_up="green:31 stink:32")
    for seat in (1, 2, 3):
        game.after(0, Offer(to=seat, give=[9, 31]))
    assert game.hand(0) == "wax:9"
    assert game.face_up == "green:31 stink:32"
    game.after(0, Harvest(0))
    assert game.offers == [1, 2, 3]


def test_an_offer_to_anyone_is_void_when_all_have_rejected_it() -> None:
    """An "anyone" offer is rejected by each other player for himself; it is void when all have."""
    game = trading({0: At(hand="wax:9")}).after(0, Offer(to=None, give=[9]))
    game.when(1, Reject(1)).then(OfferRejected(1, 1))
    game.when(3, Reject(1)).then(OfferRejected(1, 3))
    assert game.state.offers[1].rejected_by == [1, 3]
    game.when(1, Accept(1)).refused("offer_not_found")
    game.when(2, Reject(1)).then(OfferRejected(1, 2), OfferVoided(1, "rejected_by_all"))
    assert game.offers == []


def test_an_offer_to_anyone_is_still_open_to_those_who_did_not_reject_it() -> None:
    game = trading({0: At(hand="wax:9")}).after(0, Offer(to=None, give=[9])).after(1, Reject(1))
    game.when(2, Accept(1)).legal()
    game.when(3, Accept(1)).refused("offer_not_found")


def test_a_counter_offer_takes_the_place_of_the_offer_that_it_answers() -> None:
    """It rejects that one and puts itself in its place, in one step."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:1 soy:2")})
    game.after(0, Offer(to=1, give=[9], want={"red": 1}))
    game.when(1, Offer(to=0, give=[2], want={"wax": 1}, answers=1)).then(
        OfferRejected(1, 1),
        TradeOffered(2, 1, 0, [Card(2, "soy")], {"wax": 1}, [], 1),
    )
    assert game.offers == [2]
    game.when(0, Accept(2, [9])).legal()


def test_a_counter_offer_to_an_offer_for_anyone_leaves_it_open_to_the_others() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")}).after(0, Offer(give=[9], want={"red": 1}))
    game.when(1, Offer(to=0, give=[2], want={"wax": 1}, answers=1)).then(
        OfferRejected(1, 1),
        TradeOffered(2, 1, 0, [Card(2, "soy")], {"wax": 1}, [], 1),
    )
    assert game.offers == [1, 2]


def test_a_counter_offer_of_the_last_one_voids_the_offer_for_anyone() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")}, players=3).after(0, Offer(give=[9]))
    game.after(2, Reject(1))
    game.when(1, Offer(to=0, give=[2], answers=1)).then(
        OfferRejected(1, 1),
        OfferVoided(1, "rejected_by_all"),
        TradeOffered(2, 1, 0, [Card(2, "soy")], {}, [], 1),
    )


def test_a_counter_offer_goes_to_the_author_of_what_it_answers() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")}).after(1, Offer(to=0, give=[2]))
    game.when(0, Offer(to=2, give=[9], answers=1)).refused("not_a_party")
    game.when(0, Offer(to=None, give=[9], answers=1)).refused("not_a_party")
    game.when(0, Offer(to=1, give=[9], answers=77)).refused("offer_not_found")
    game.when(0, Offer(to=1, give=[9], answers=1)).legal()


def test_a_refused_counter_offer_rejects_nothing() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")}).after(0, Offer(to=1, give=[9]))
    game.when(1, Offer(to=0, give=[777], answers=1)).refused("unknown_card")
    game.when(1, Offer(to=0, answers=1)).refused("empty_offer")
    assert game.offers == [1]


def test_open_offers_lapse_without_an_event() -> None:
    """Offers still open at `trading_ended` lapse without an event."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")}, face_up="green:31 stink:32")
    game.after(0, Offer(give=[9])).after(1, Offer(to=0, give=[2]))
    game.when(0, EndTrading()).then(TradingEnded(0, [Card(31, "green"), Card(32, "stink")]))
    assert game.offers == []


def test_offers_are_numbered_through_the_game() -> None:
    game = trading({0: At(hand="wax:9")}).after(0, Offer(give=[9])).after(0, Withdraw(1)).after(0, EndTrading())
    assert game.state.active == 1
    game.after(1, Plant(next(iter(game.state.seats[1].hand)), 0) if game.hand(1) else Reveal())
    offered, *_ = game.when(1, Offer(to=0, want={"wax": 1})).legal()
    assert isinstance(offered, TradeOffered)
    assert offered.offer == 2


def test_no_card_ever_enters_a_hand_in_phase_2() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:1")}, face_up="green:31 stink:32")
    game.after(0, Offer(to=1, give=[9, 31], want={"red": 1})).after(1, Accept(1, [1]))
    assert game.hand(0) == ""
    assert game.hand(1) == ""
    events = game.when(0, EndTrading()).legal()
    assert not any(isinstance(event, CardsDrawn | TurnStarted) for event in events)


def test_a_table_is_not_flooded_with_offers() -> None:
    game = trading({0: At(hand="red")})
    for _ in range(20):
        game.when(1, Offer(to=0, want={"red": 1})).legal()

    game.when(1, Offer(to=0, want={"red": 1})).refused("too_many_offers")
    assert not any(isinstance(action.command, Offer) for action in actions(game.state, 1))

    game.when(2, Offer(to=0, want={"red": 1})).legal()
    game.when(1, Withdraw(20)).legal()
    game.when(1, Offer(to=0, want={"red": 1})).legal()


@pytest.mark.parametrize("want", [{"red": 9}, {"coffee": 1}, {"field_bean": 3}, {"blue": 24, "soy": 24}])
def test_a_want_that_nobody_can_fill_is_legal_to_ask(want: dict[Bean, int]) -> None:
    """Rules, section 8: it is just never accepted. Four players have no coffee, and there are eight red beans."""
    game = trading({0: At(hand="red")})
    game.when(0, Offer(to=1, want=want)).legal()
    game.when(1, Accept(1)).refused("offer_mismatch")
