"""Small histories written by hand after the edge cases of the rules, section 12, each with its verdict:
trading. The number of the case stands in the name of the test."""

import pytest

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
)
from tests.domain.referee.laid_out import Laid, Line, laid, sold


def trading(**more: str) -> Laid:
    return laid(
        phase="trade",
        hands={0: "red:1 soy:2", 1: "blue:3 blue:4 wax:5", 2: "chili:6"},
        face_up=more.get("face_up", "stink:7 stink:8"),
    )


def offer(
    number: int,
    author: int,
    to: int | None,
    give: list[Card] | None = None,
    want: dict[Bean, int] | None = None,
    want_cards: list[int] | None = None,
    answers: int | None = None,
) -> Line:
    return author, TradeOffered(number, author, to, give or [], want or {}, want_cards or [], answers)


class TestTrading:
    def test_39_the_face_up_cards_belong_to_the_active_player(self) -> None:
        assert trading().says(offer(1, 1, 0, [Card(7, "stink")])) == "1: wrong_card"
        assert trading().says(offer(1, 0, 1, [Card(7, "stink")])) == "fine"

    def test_40_no_deals_without_the_active_player(self) -> None:
        assert trading().says(offer(1, 1, 2, [Card(3, "blue")])) == "1: wrong_party"
        assert trading().says(offer(1, 1, None, [Card(3, "blue")])) == "1: wrong_party"
        taken = (2, TradeCompleted(1, 0, 2, [Card(1, "red")], []))
        assert trading().says(offer(1, 0, 1, [Card(1, "red")]), taken) == "2: wrong_party"

    def test_42_a_mixed_deal(self) -> None:
        given, taken = [Card(7, "stink"), Card(1, "red")], [Card(3, "blue"), Card(4, "blue")]
        table = trading()
        assert table.says(offer(1, 0, 1, given, {"blue": 2}), (1, TradeCompleted(1, 0, 1, given, taken))) == "fine"
        assert table.top.places[1].pending == {7: "stink", 1: "red"}
        assert table.top.places[0].pending == {3: "blue", 4: "blue"}
        assert table.top.places[0].hand == {2: "soy"}

    def test_45_nothing_for_nothing(self) -> None:
        assert trading().says(offer(1, 0, 1)) == "1: wrong_offer"

    def test_46_received_cards_stay_where_they_are(self) -> None:
        table = trading()
        gift = [Card(1, "red")]
        again = offer(2, 1, 0, gift)
        assert table.says(offer(1, 0, 1, gift), (1, TradeCompleted(1, 0, 1, gift, [])), again) == "3: wrong_card"

    def test_48_the_giver_chooses_the_copy(self) -> None:
        for copy in (3, 4):
            taken = [Card(copy, "blue")]
            deal = (1, TradeCompleted(1, 0, 1, [Card(1, "red")], taken))
            assert trading().says(offer(1, 0, 1, [Card(1, "red")], {"blue": 1}), deal) == "fine"

    @pytest.mark.parametrize(
        "taken",
        [[], [Card(5, "wax")], [Card(3, "blue"), Card(4, "blue")], [Card(3, "blue"), Card(5, "wax")]],
    )
    def test_the_want_is_filled_exactly(self, taken: list[Card]) -> None:
        deal = (1, TradeCompleted(1, 0, 1, [Card(1, "red")], taken))
        assert trading().says(offer(1, 0, 1, [Card(1, "red")], {"blue": 1}), deal) == "2: wrong_trade"

    def test_named_face_up_cards_are_filled_by_nothing_else(self) -> None:
        asked = offer(1, 1, 0, [Card(5, "wax")], want_cards=[7])
        for number, verdict in ((7, "fine"), (8, "2: wrong_trade")):
            deal = (0, TradeCompleted(1, 1, 0, [Card(5, "wax")], [Card(number, "stink")]))
            assert trading().says(asked, deal) == verdict
        assert trading().says(offer(1, 0, 1, want_cards=[7])) == "1: wrong_offer"
        assert trading().says(offer(1, 1, 0, want_cards=[6])) == "1: wrong_offer"

    def test_50_a_deal_voids_every_offer_that_names_a_moved_card(self) -> None:
        red, soy = [Card(1, "red")], [Card(2, "soy")]
        offers = [offer(1, 0, 1, red), offer(2, 0, 2, red), offer(3, 0, 2, soy), offer(4, 0, None, red + soy)]
        deal = (1, TradeCompleted(1, 0, 1, red, []))
        void = [(1, OfferVoided(number, "card_moved")) for number in (2, 3, 4)]
        ended = (0, TradingEnded(0, [Card(7, "stink"), Card(8, "stink")]))
        assert trading().says(*offers, deal, void[0], void[2], ended) == "fine"
        assert trading().says(*offers, deal, void[0], ended) == "7: must_follow"
        assert trading().says(*offers, deal, void[2], void[0]) == "6: wrong_void"
        assert trading().says(*offers, deal, void[0], void[1], void[2]) == "7: wrong_void"
        accepted = (2, TradeCompleted(2, 0, 2, red, []))
        assert trading().says(*offers, deal, void[0], void[2], accepted) == "8: no_such_offer"

    def test_51_52_only_the_active_player_ends_the_trading(self) -> None:
        kept = [Card(7, "stink"), Card(8, "stink")]
        assert trading().says((1, TradingEnded(1, kept))) == "1: not_active"
        late = (1, TradeCompleted(1, 0, 1, [Card(1, "red")], []))
        assert trading().says(offer(1, 0, 1, [Card(1, "red")]), (0, TradingEnded(0, kept)), late) == "3: wrong_phase"

    def test_53_what_nobody_took_is_kept(self) -> None:
        assert trading().says((0, TradingEnded(0, [Card(7, "stink")]))) == "1: wrong_kept"
        table = trading()
        assert table.says((0, TradingEnded(0, [Card(7, "stink"), Card(8, "stink")]))) == "fine"
        assert table.top.places[0].pending == {7: "stink", 8: "stink"}

    def test_58_a_withdrawn_offer_is_gone(self) -> None:
        red = [Card(1, "red")]
        deal = (1, TradeCompleted(1, 0, 1, red, []))
        assert trading().says(offer(1, 0, 1, red), (0, OfferWithdrawn(1)), deal) == "3: no_such_offer"
        assert trading().says(offer(1, 0, 1, red), (1, OfferWithdrawn(1))) == "2: wrong_actor"

    def test_59_offers_belong_to_phase_2(self) -> None:
        assert laid(hands={0: "red:1"}).says(offer(1, 0, 1, [Card(1, "red")])) == "1: wrong_phase"

    def test_an_offer_to_anyone_is_void_when_all_have_turned_it_down(self) -> None:
        asked = offer(1, 0, None, [Card(1, "red")])
        no = [(seat, OfferRejected(1, seat)) for seat in (3, 1, 2)]
        void = (2, OfferVoided(1, "rejected_by_all"))
        assert trading().says(asked, *no, void) == "fine"
        assert trading().says(asked, *no, (2, OfferVoided(1, "card_moved"))) == "5: wrong_void"
        assert trading().says(asked, *no[:2], void) == "4: out_of_place"
        assert trading().says(asked, no[0], no[0]) == "3: no_such_offer"
        taken = (3, TradeCompleted(1, 0, 3, [Card(1, "red")], []))
        assert trading().says(asked, no[0], taken) == "3: no_such_offer"

    def test_a_counter_offer_puts_itself_in_the_place_of_what_it_answers(self) -> None:
        asked = offer(1, 0, 1, [Card(1, "red")], {"blue": 1})
        no = (1, OfferRejected(1, 1))
        answer = offer(2, 1, 0, [Card(3, "blue")], {"soy": 1}, answers=1)
        assert trading().says(asked, no, answer) == "fine"
        assert trading().says(asked, answer) == "2: wrong_offer"
        harvest = sold(2, 0, "blue", 1, 0)
        late = laid(phase="trade", hands={0: "red:1", 1: "blue:3"}, fields={2: "blue:9"})
        assert late.says(asked, no, harvest, answer) == "4: wrong_offer"

    def test_an_answer_goes_to_whom_it_answers(self) -> None:
        asked, no = offer(1, 1, 0, [Card(3, "blue")], {"soy": 1}), (0, OfferRejected(1, 0))
        for to, expected in ((1, "fine"), (2, "3: wrong_party"), (None, "3: wrong_party")):
            assert trading().says(asked, no, offer(2, 0, to, [Card(1, "red")], answers=1)) == expected

    def test_a_want_that_nobody_can_fill_may_be_asked(self) -> None:
        """Section 8: it is legal to ask and just never accepted."""
        assert trading().says(offer(1, 0, 1, want={"cocoa": 30})) == "fine"
        assert trading().says(offer(1, 0, 1, want={"cocoa": 0})) == "1: wrong_offer"


class TestOffers:
    def test_they_are_numbered_from_one_on(self) -> None:
        red = [Card(1, "red")]
        assert trading().says(offer(2, 0, 1, red)) == "1: wrong_offer"
        assert trading().says(offer(1, 0, 1, red), offer(1, 0, 2, red)) == "2: wrong_offer"
        assert trading().says(offer(1, 0, 1, red), offer(2, 0, 2, red)) == "fine"

    @pytest.mark.parametrize(("to", "verdict"), [(3, "fine"), (4, "1: wrong_party"), (-1, "1: wrong_party")])
    def test_they_go_to_a_seat_of_the_table(self, to: int, verdict: str) -> None:
        assert trading().says(offer(1, 0, to, [Card(1, "red")])) == verdict

    def test_nobody_makes_one_to_himself(self) -> None:
        assert trading().says(offer(1, 0, 0, [Card(1, "red")])) == "1: wrong_party"
        assert trading().says(offer(1, 1, 1, [Card(3, "blue")])) == "1: wrong_party"

    def test_nobody_makes_one_for_another(self) -> None:
        _, made = offer(1, 0, 1, [Card(1, "red")])
        assert trading().says((1, made)) == "1: wrong_actor"

    @pytest.mark.parametrize(
        "give",
        [[Card(1, "red"), Card(1, "red")], [Card(1, "soy")], [Card(3, "blue")], [Card(99, "red")]],
    )
    def test_a_card_is_given_once_by_its_owner_and_is_what_it_is(self, give: list[Card]) -> None:
        assert trading().says(offer(1, 0, 1, give)) == "1: wrong_card"

    def test_a_face_up_card_is_wanted_once(self) -> None:
        wax = [Card(5, "wax")]
        assert trading().says(offer(1, 1, 0, wax, want_cards=[7, 8])) == "fine"
        assert trading().says(offer(1, 1, 0, wax, want_cards=[7, 7])) == "1: wrong_offer"
        assert trading().says(offer(1, 1, 0, wax, want_cards=[7, 1])) == "1: wrong_offer"

    def test_a_gift_and_the_wish_for_one_are_offers(self) -> None:
        for made in (offer(1, 1, 0, [Card(5, "wax")]), offer(1, 1, 0, want={"red": 1}), offer(1, 1, 0, want_cards=[8])):
            assert trading().says(made) == "fine"

    def test_only_who_is_asked_turns_one_down(self) -> None:
        asked = offer(1, 0, 1, [Card(1, "red")])
        assert trading().says(asked, (1, OfferRejected(1, 1))) == "fine"
        assert trading().says(asked, (2, OfferRejected(1, 2))) == "2: wrong_party"
        assert trading().says(asked, (0, OfferRejected(1, 0))) == "2: wrong_party"
        assert trading().says(asked, (2, OfferRejected(1, 1))) == "2: wrong_actor"
        assert trading().says((1, OfferRejected(1, 1))) == "1: no_such_offer"
        assert trading().says(asked, (1, OfferRejected(1, 1)), (1, OfferRejected(1, 1))) == "3: no_such_offer"
        to_anyone = offer(1, 0, None, [Card(1, "red")])
        assert trading().says(to_anyone, (0, OfferRejected(1, 0))) == "2: wrong_party"

    def test_an_answer_names_what_was_turned_down_just_now_by_its_author(self) -> None:
        asked, other = offer(1, 0, 1, [Card(1, "red")]), offer(2, 0, 1, [Card(2, "soy")])
        no = (1, OfferRejected(1, 1))
        answer = offer(3, 1, 0, [Card(3, "blue")], answers=1)
        assert trading().says(asked, other, no, answer) == "fine"
        assert trading().says(asked, other, no, offer(3, 1, 0, [Card(3, "blue")], answers=2)) == "4: wrong_offer"
        assert trading().says(asked, other, no, offer(3, 2, 0, [Card(6, "chili")], answers=1)) == "4: wrong_offer"
        assert trading().says(asked, other, no, answer, offer(4, 1, 0, [Card(4, "blue")], answers=1)) == (
            "5: wrong_offer"
        )


class TestDeals:
    def deal(self, author: int = 0, to: int = 1, *, given: list[Card], taken: list[Card]) -> Line:
        return to, TradeCompleted(1, author, to, given, taken)

    def test_the_author_gives_what_was_offered(self) -> None:
        red, soy = [Card(1, "red")], [Card(2, "soy")]
        asked = offer(1, 0, 1, red)
        assert trading().says(asked, self.deal(given=red, taken=[])) == "fine"
        assert trading().says(asked, self.deal(given=soy, taken=[])) == "2: wrong_trade"
        assert trading().says(asked, self.deal(given=[], taken=[])) == "2: wrong_trade"
        assert trading().says(asked, self.deal(2, given=red, taken=[])) == "2: wrong_party"
        _, done = self.deal(given=red, taken=[])
        assert trading().says(asked, (0, done)) == "2: wrong_actor"
        assert trading().says(asked, (0, TradeCompleted(1, 0, 0, red, []))) == "2: wrong_party"

    def test_a_card_that_is_gone_is_not_given(self) -> None:
        """It was traded away, so the offer that names it is void."""
        red = [Card(1, "red")]
        lines = [offer(1, 0, 1, red), offer(2, 0, 2, red)]
        done = self.deal(given=red, taken=[])
        late = (2, TradeCompleted(2, 0, 2, red, []))
        assert trading().says(*lines, done, (1, OfferVoided(2, "card_moved")), late) == "5: no_such_offer"

    def test_a_card_is_taken_once_and_is_what_it_is(self) -> None:
        asked = offer(1, 0, 1, [Card(1, "red")], {"blue": 2})
        red = [Card(1, "red")]
        for taken in ([Card(3, "blue"), Card(3, "blue")], [Card(3, "blue"), Card(5, "blue")]):
            assert trading().says(asked, self.deal(given=red, taken=taken)) == "2: wrong_card"
        right = [Card(4, "blue"), Card(3, "blue")]
        assert trading().says(asked, self.deal(given=red, taken=right)) == "fine"

    def test_the_active_player_pays_with_hand_and_face_up_cards(self) -> None:
        asked = offer(1, 1, 0, [Card(3, "blue")], {"red": 1, "stink": 1})
        table = trading()
        paid = [Card(8, "stink"), Card(1, "red")]
        assert table.says(asked, self.deal(1, 0, given=[Card(3, "blue")], taken=paid)) == "fine"
        assert table.top.face_up == {7: "stink"}
        assert table.top.places[0].hand == {2: "soy"}
        assert table.top.places[0].pending == {3: "blue"}
        assert table.top.places[1].pending == {8: "stink", 1: "red"}

    def test_a_taken_card_voids_offers_too(self) -> None:
        """Seat 1 gives blue 3 in the first deal, and had offered it to seat 0 besides; blue 4 stays on offer."""
        red = [Card(1, "red")]
        lines = [offer(1, 0, 1, red, {"blue": 1}), offer(2, 1, 0, [Card(3, "blue")]), offer(3, 1, 0, [Card(4, "blue")])]
        done = self.deal(given=red, taken=[Card(3, "blue")])
        table = trading()
        assert table.says(*lines, done, (1, OfferVoided(2, "card_moved"))) == "fine"
        assert list(table.top.offers) == [3]

    def test_a_moved_face_up_card_voids_offers_that_want_it(self) -> None:
        lines = [offer(1, 0, 1, [Card(7, "stink")]), offer(2, 2, 0, [Card(6, "chili")], want_cards=[7])]
        done = self.deal(given=[Card(7, "stink")], taken=[])
        assert trading().says(*lines, done, (1, OfferVoided(2, "card_moved"))) == "fine"
        assert trading().says(*lines, done, (0, TradingEnded(0, [Card(8, "stink")]))) == "4: must_follow"

    def test_named_card_and_kind_are_filled_apart(self) -> None:
        """Face-up 7 is named; a stink bean is wanted besides, which the other face-up card fills."""
        asked = offer(1, 1, 0, [Card(5, "wax")], {"stink": 1}, want_cards=[7])
        wax = [Card(5, "wax")]
        both = [Card(7, "stink"), Card(8, "stink")]
        assert trading().says(asked, self.deal(1, 0, given=wax, taken=both)) == "fine"
        for taken in (both[:1], both[1:], [*both, Card(1, "red")]):
            assert trading().says(asked, self.deal(1, 0, given=wax, taken=taken)) == "2: wrong_trade"
