"""Revealing and trading: edge cases 39 to 59 of the rules, section 12."""

import msgspec
import pytest

from domain.cards import Card
from domain.commands import Accept, Command, EndTrading, Offer, Plant, Reject, Reveal, Withdraw
from domain.events import (
    BeanPlanted,
    CardsRevealed,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
)
from domain.state import Phase
from domain.views import view
from tests.domain.scenario import At, Scenario, given


def trading(seats: dict[int, At], *, face_up: str = "", players: int = 4) -> Scenario:
    """Seat 0 is trading."""
    return given(seats, players=players, phase="trade", face_up=face_up)


def test_the_reveal_turns_up_the_two_top_cards() -> None:
    game = given({0: At()}, deck="blue red stink", exhaustions=1)
    first = game.state.next_card
    game.when(0, Reveal()).then(CardsRevealed(0, [Card(first, "blue"), Card(first + 1, "red")]))
    assert game.face_up == f"blue:{first} red:{first + 1}"


def test_39_face_up_cards_are_offered_by_the_active_player_only() -> None:
    """Two face-up cards belong to the active player; another player may not offer them (also pitfall H8)."""
    game = trading({1: At(hand="soy:5")}, face_up="blue:31 red:32")
    game.when(1, Offer(to=0, give=[31], want={"red": 1})).refused("unknown_card")
    game.when(1, Offer(to=0, give=[5, 31])).refused("unknown_card")
    game.when(0, Offer(to=1, give=[31], want={"soy": 1})).legal()


def test_39_nobody_else_pays_with_a_face_up_card() -> None:
    game = trading({1: At(hand="soy:5")}, face_up="blue:31 red:32").after(0, Offer(give=[31], want={"red": 1}))
    game.when(1, Accept(1, [32])).refused("unknown_card")


def test_40_no_deals_among_others() -> None:
    """Non-active to non-active offer rejected; nobody accepts an offer addressed to somebody else (H8)."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:5"), 2: At(hand="blue:6")})
    game.when(1, Offer(to=2, give=[5], want={"blue": 1})).refused("not_a_party")
    game.when(1, Offer(to=None, give=[5], want={"blue": 1})).refused("not_a_party")
    game.when(1, Offer(to=1, give=[5])).refused("not_a_party")
    game.after(0, Offer(to=1, give=[9], want={"blue": 1}))
    game.when(2, Accept(1, [6])).refused("not_a_party")
    game.when(2, Reject(1)).refused("not_a_party")
    game.when(2, Offer(to=0, give=[6], answers=1)).refused("not_a_party")


def test_40_nobody_deals_with_himself() -> None:
    game = trading({0: At(hand="wax:9")})
    game.when(0, Offer(to=0, give=[9])).refused("not_a_party")
    game.when(0, Offer(to=4, give=[9])).refused("not_a_party")
    game.after(0, Offer(to=None, give=[9]))
    game.when(0, Accept(1)).refused("not_a_party")
    game.when(0, Reject(1)).refused("not_a_party")


def test_41_others_make_offers_to_the_active_player() -> None:
    """Offer by a non-active player to the active player: legal."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:5")})
    game.when(1, Offer(to=0, give=[5], want={"wax": 1})).then(
        TradeOffered(1, 1, 0, [Card(5, "soy")], {"wax": 1}, [], None)
    )
    game.when(0, Accept(1, [9])).then(TradeCompleted(1, 1, 0, [Card(5, "soy")], [Card(9, "wax")]))
    assert game.pending(0) == "soy:5"
    assert game.pending(1) == "wax:9"


def test_42_two_for_one() -> None:
    """2-for-1 ... legal."""
    game = trading({0: At(hand="wax:9 red:10"), 1: At(hand="soy:5")})
    game.after(0, Offer(to=1, give=[9, 10], want={"soy": 1}))
    game.when(1, Accept(1, [5])).then(TradeCompleted(1, 0, 1, [Card(9, "wax"), Card(10, "red")], [Card(5, "soy")]))
    assert game.pending(0) == "soy:5"
    assert game.pending(1) == "wax:9 red:10"


def test_42_one_for_three() -> None:
    """1-for-3 ... legal."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:5 blue:6 soy:7")})
    game.after(0, Offer(to=1, give=[9], want={"soy": 2, "blue": 1}))
    game.when(1, Accept(1, [5, 6, 7])).legal()
    assert game.pending(0) == "soy:5 blue:6 soy:7"
    assert game.hand(1) == ""


def test_42_a_mixed_deal() -> None:
    """A mixed deal (one face-up + one hand card for two hand cards) is legal."""
    game = trading({0: At(hand="wax:9 red:10"), 1: At(hand="soy:5 blue:6")}, face_up="green:31 stink:32")
    game.after(0, Offer(to=1, give=[31, 10], want={"soy": 1, "blue": 1}))
    game.when(1, Accept(1, [6, 5])).legal()
    assert game.hand(0) == "wax:9"
    assert game.face_up == "stink:32"
    assert game.pending(1) == "green:31 red:10"
    assert game.pending(0) == "blue:6 soy:5"


def test_43_a_gift_of_a_face_up_card_must_be_accepted() -> None:
    """Gift by the active player of a face-up card: pending of the recipient only after acceptance."""
    game = trading({}, face_up="green:31 stink:32").after(0, Offer(to=1, give=[31]))
    assert game.face_up == "green:31 stink:32"
    assert game.pending(1) == ""
    game.when(1, Accept(1)).then(TradeCompleted(1, 0, 1, [Card(31, "green")], []))
    assert game.pending(1) == "green:31"
    assert game.face_up == "stink:32"


def test_43_a_rejected_gift_stays_face_up() -> None:
    """... rejection leaves it face up."""
    game = trading({}, face_up="green:31 stink:32").after(0, Offer(to=1, give=[31]))
    game.when(1, Reject(1)).then(OfferRejected(1, 1))
    assert game.face_up == "green:31 stink:32"
    assert game.pending(1) == ""
    game.when(1, Accept(1)).refused("offer_not_found")


def test_44_gifts_to_the_active_player_only() -> None:
    """Gift by a non-active player to the active one: legal; to another non-active: rejected."""
    game = trading({1: At(hand="soy:5 red:6")})
    game.when(1, Offer(to=2, give=[5])).refused("not_a_party")
    game.after(1, Offer(to=0, give=[5]))
    game.when(0, Accept(1)).then(TradeCompleted(1, 1, 0, [Card(5, "soy")], []))
    assert game.pending(0) == "soy:5"


def test_45_nothing_for_nothing_is_no_trade() -> None:
    """Empty for empty rejected."""
    game = trading({})
    game.when(0, Offer(to=1)).refused("empty_offer")
    game.when(1, Offer(to=0)).refused("empty_offer")
    game.when(0, Offer(to=None)).refused("empty_offer")


def test_46_received_cards_cannot_be_traded_on() -> None:
    """Trading a pending (received) card rejected."""
    game = trading({0: At(pending="soy:5"), 1: At(hand="blue:6")})
    game.when(0, Offer(to=1, give=[5])).refused("unknown_card")
    game.after(1, Offer(to=0, give=[6], want={"soy": 1}))
    game.when(0, Accept(1, [5])).refused("unknown_card")


def test_46_planted_cards_and_coins_cannot_be_traded() -> None:
    """Trading a planted card rejected; trading coins impossible."""
    game = trading({0: At(fields="soy:5 | empty", coins="green:6"), 1: At()})
    game.when(0, Offer(to=1, give=[5])).refused("unknown_card")
    game.when(0, Offer(to=1, give=[6])).refused("unknown_card")


def test_47_a_traded_card_leaves_the_order_of_the_others() -> None:
    """Hand [a, b, c, d], c traded: hand [a, b, d]; the front is unchanged."""
    game = trading({0: At(hand="red:1 soy:2 blue:3 wax:4")}).after(0, Offer(to=1, give=[3]))
    game.when(1, Accept(1)).legal()
    assert game.hand(0) == "red:1 soy:2 wax:4"


@pytest.mark.parametrize(("chosen", "left"), [(11, "soy:12 blue:13 red:14"), (14, "red:11 soy:12 blue:13")])
def test_48_the_acceptor_chooses_which_copy_goes(chosen: int, left: str) -> None:
    """Hand with two reds at positions 1 and 4: the giver chooses which one goes; both choices are testable."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:11 soy:12 blue:13 red:14")})
    game.after(0, Offer(to=1, give=[9], want={"red": 1}))
    game.when(1, Accept(1, [chosen])).legal()
    assert game.hand(1) == left
    assert game.pending(0) == f"red:{chosen}"


@pytest.mark.parametrize(("chosen", "left"), [(11, "soy:12 blue:13 red:14"), (14, "red:11 soy:12 blue:13")])
def test_48_the_offerer_chooses_which_copy_goes(chosen: int, left: str) -> None:
    """The giver chooses which one goes; both choices are testable."""
    game = trading({0: At(hand="red:11 soy:12 blue:13 red:14")}).after(0, Offer(to=1, give=[chosen]))
    game.when(1, Accept(1)).legal()
    assert game.hand(0) == left


def test_49_the_front_card_may_be_traded_away() -> None:
    """The front card itself may be traded away; the next card becomes the front."""
    game = given({0: At(hand="wax:9"), 1: At(hand="red:1 soy:2")}, phase="trade")
    game.after(0, Offer(to=1, give=[9], want={"red": 1})).after(1, Accept(1, [1])).after(0, EndTrading())
    game.after(0, Plant(1, 0)).after(1, Plant(9, 0))
    assert game.state.active == 1
    game.when(1, Plant(2, 1)).then(BeanPlanted(1, 1, 2, "soy", "hand"))


def test_50_an_offer_is_void_when_its_card_is_gone() -> None:
    """Two offers name the same card, one is accepted: the other becomes void (pitfalls H1, H5)."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:1"), 2: At(hand="soy:2")})
    game.after(0, Offer(to=1, give=[9], want={"red": 1})).after(0, Offer(to=2, give=[9], want={"soy": 1}))
    assert game.hand(0) == "wax:9"
    game.when(1, Accept(1, [1])).then(
        TradeCompleted(1, 0, 1, [Card(9, "wax")], [Card(1, "red")]),
        OfferVoided(2, "card_moved"),
    )
    game.when(2, Accept(2, [2])).refused("offer_not_found")
    assert game.hand(2) == "soy:2"
    assert game.pending(1) == "wax:9"


def test_50_an_offer_that_wants_a_face_up_card_is_void_when_it_is_gone() -> None:
    """After each deal every open offer that names a moved card is voided, with the reason."""
    game = trading({1: At(hand="red:1"), 2: At(hand="soy:2 blue:3")}, face_up="green:31 stink:32")
    game.after(2, Offer(to=0, give=[2], want_cards=[31]))
    game.after(2, Offer(to=0, give=[3], want_cards=[32]))
    game.after(1, Offer(to=0, give=[1], want_cards=[31]))
    game.when(0, Accept(3, [31])).then(
        TradeCompleted(3, 1, 0, [Card(1, "red")], [Card(31, "green")]),
        OfferVoided(1, "card_moved"),
    )
    assert game.offers == [2]


def test_50_an_offer_that_only_wants_a_kind_stays_open() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:1"), 2: At(hand="red:2")})
    game.after(2, Offer(to=0, want={"wax": 1}))
    game.after(0, Offer(to=1, give=[9], want={"red": 1})).after(1, Accept(2, [1]))
    assert game.offers == [1]


def test_50_a_card_paid_in_a_deal_voids_the_offers_that_give_it() -> None:
    game = trading({0: At(hand="wax:9"), 1: At(hand="red:1")})
    game.after(1, Offer(to=0, give=[1])).after(0, Offer(to=1, give=[9], want={"red": 1}))
    game.when(1, Accept(2, [1])).then(
        TradeCompleted(2, 0, 1, [Card(9, "wax")], [Card(1, "red")]),
        OfferVoided(1, "card_moved"),
    )


def test_51_no_acceptance_after_the_end_of_trading() -> None:
    """Acceptance after the active player ended trading rejected."""
    game = trading({1: At()}, face_up="green:31 stink:32").after(0, Offer(to=1, give=[31])).after(0, EndTrading())
    game.when(1, Accept(1)).refused("wrong_phase")
    assert game.offers == []


def test_52_only_the_active_player_ends_the_trading() -> None:
    """Only the active player can end trading; ending with zero deals is legal."""
    game = trading({}, face_up="green:31 stink:32")
    for seat in (1, 2, 3):
        game.when(seat, EndTrading()).refused("not_your_turn")
    game.when(0, EndTrading()).then(TradingEnded(0, [Card(31, "green"), Card(32, "stink")]))


def test_53_face_up_cards_that_nobody_took_are_pending() -> None:
    """Untraded face-up cards become pending of the active player, both of them if none was traded."""
    game = trading({0: At(hand="wax:9")}, face_up="green:31 stink:32").after(0, EndTrading())
    assert game.pending(0) == "green:31 stink:32"
    assert game.face_up == ""
    assert game.hand(0) == "wax:9"
    assert game.state.phase == "settle"


def test_53_only_the_card_that_is_left_is_pending() -> None:
    game = trading({}, face_up="green:31 stink:32").after(0, Offer(to=3, give=[31])).after(3, Accept(1))
    game.when(0, EndTrading()).then(TradingEnded(0, [Card(32, "stink")]))
    assert game.pending(0) == "stink:32"
    assert game.pending(3) == "green:31"


def test_54_hand_cards_are_traded_after_both_face_up_cards_are_gone() -> None:
    """Both face-up cards traded away: trading of hand cards may continue."""
    game = trading({0: At(hand="wax:9")}, face_up="green:31 stink:32")
    game.after(0, Offer(to=1, give=[31, 32])).after(1, Accept(1))
    assert game.face_up == ""
    game.after(0, Offer(to=2, give=[9]))
    game.when(2, Accept(2)).legal()


def test_55_whoever_trades_the_whole_hand_away_skips_phase_1() -> None:
    """A player trades away the whole hand: next own turn phase 1 is skipped."""
    game = trading({0: At(), 1: At(hand="red:1 soy:2")})
    game.after(1, Offer(to=0, give=[1, 2])).after(0, Accept(1)).after(0, EndTrading())
    game.after(0, Plant(1, 0)).after(0, Plant(2, 1))
    assert game.state.active == 1
    assert game.hand(1) == ""
    game.when(1, Reveal()).legal()


def test_56_an_empty_hand_may_receive_gifts() -> None:
    """A player with an empty hand may still receive gifts."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="")}).after(0, Offer(to=None, give=[9]))
    game.when(1, Accept(1)).legal()
    assert game.pending(1) == "wax:9"
    assert game.hand(1) == ""


def test_57_a_rejected_or_void_offer_reveals_nothing() -> None:
    """A rejected or void offer reveals nothing about hidden hands in other players' views."""
    views = []
    for asked in ("red:1 soy:2", "blue:1 stink:2"):
        game = trading({0: At(hand="wax:9"), 1: At(hand=asked), 2: At(hand="green:3")})
        seen = []
        for command in (
            (0, Offer(to=1, give=[9], want={"red": 1})),
            (1, Reject(1)),
            (0, Offer(to=1, give=[9], want={"red": 1})),
            (0, Offer(to=2, give=[9])),
            (2, Accept(3)),
        ):
            game.after(*command)
            seen += [msgspec.json.encode(view(game.state, viewer)) for viewer in (0, 2, 3, None)]
        assert game.offers == []
        views.append(seen)
    assert views[0] == views[1]


def test_57_asking_for_what_the_other_does_not_have_is_legal() -> None:
    """A `want` the other side cannot fill is legal to ask and is just never accepted."""
    game = trading({0: At(hand="wax:9"), 1: At(hand="soy:2")})
    game.when(0, Offer(to=1, give=[9], want={"red": 3})).legal()
    game.when(1, Accept(1, [2])).refused("offer_mismatch")
    game.when(1, Accept(1)).refused("offer_mismatch")


def test_58_a_withdrawn_offer_cannot_be_accepted() -> None:
    """Withdrawn offer cannot be accepted."""
    game = trading({0: At(hand="wax:9")}).after(0, Offer(to=1, give=[9]))
    game.when(1, Withdraw(1)).refused("not_a_party")
    game.when(0, Withdraw(1)).then(OfferWithdrawn(1))
    game.when(1, Accept(1)).refused("offer_not_found")
    game.when(0, Withdraw(1)).refused("offer_not_found")


@pytest.mark.parametrize(
    "command",
    [Offer(to=1, give=[9]), Offer(to=1, want={"red": 1}), Accept(1), Reject(1), Withdraw(1), EndTrading()],
)
@pytest.mark.parametrize("phase", ["plant", "settle"])
def test_59_there_is_no_trading_outside_phase_2(command: Command, phase: Phase) -> None:
    """Trading outside phase 2 rejected."""
    game = given({0: At(hand="wax:9", pending="soy:10" if phase == "settle" else "")}, phase=phase)
    game.when(0, command).refused("wrong_phase")
    game.when(1, command).refused("wrong_phase")
