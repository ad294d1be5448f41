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
