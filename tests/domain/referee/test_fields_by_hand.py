"""Small histories written by hand after the edge cases of the rules, section 12, each with its verdict:
planting, harvests and the third field. The number of the case stands in the name of the test."""

from typing import Final

import pytest

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    CardsRevealed,
    FieldBought,
    FieldHarvested,
)
from tests.domain.referee.laid_out import Line, from_hand, laid, settled, sold

REVEALED = (0, CardsRevealed(0, [Card(1000, "wax"), Card(1001, "wax")]))


class TestPlanting:
    def test_01_the_front_card_comes_before_the_reveal(self) -> None:
        assert laid(hands={0: "red:1 soy:2"}).says(REVEALED) == "1: must_plant_first"

    def test_02_one_planting_is_enough(self) -> None:
        assert laid(hands={0: "red:1 soy:2"}).says(from_hand(1, "red"), REVEALED) == "fine"

    def test_03_but_never_three(self) -> None:
        table = laid(hands={0: "red:1 red:2 red:3"})
        assert table.says(from_hand(1, "red"), from_hand(2, "red"), from_hand(3, "red")) == "3: planted_enough"

    def test_04_only_from_the_front(self) -> None:
        assert laid(hands={0: "red:1 red:2"}).says(from_hand(2, "red")) == "1: not_front_card"

    def test_05_a_hand_of_one_card(self) -> None:
        table = laid(hands={0: "red:1"})
        assert table.says(from_hand(1, "red"), from_hand(1, "red")) == "2: wrong_card"

    def test_06_an_empty_hand_reveals_at_once(self) -> None:
        assert laid().says(REVEALED) == "fine"

    @pytest.mark.parametrize("field", [0, 1])
    def test_07_onto_the_same_kind_or_into_an_empty_field(self, field: int) -> None:
        table = laid(hands={0: "red:9"}, fields={0: "red:1,red:2,red:3 | empty"})
        assert table.says(from_hand(9, "red", field)) == "fine"

    def test_08_not_onto_another_kind(self) -> None:
        table = laid(hands={0: "red:9"}, fields={0: "red:1 | blue:2,blue:3"})
        assert table.says(from_hand(9, "red", 1)) == "1: field_occupied"

    def test_09_a_harvest_makes_room_in_the_same_field(self) -> None:
        table = laid(hands={0: "red:9"}, fields={0: "red:1,red:2,red:3 | blue:4"})
        assert table.says(sold(0, 0, "red", 3, 2), from_hand(9, "red")) == "fine"
        assert table.top.discard == ["red"]
        assert table.top.places[0].coins == [Card(1, "red"), Card(2, "red")]

    def test_10_the_single_bean_is_protected(self) -> None:
        table = laid(hands={0: "soy:9"}, fields={0: "blue:1 | red:2,red:3,red:4,red:5"})
        assert table.says(sold(0, 0, "blue", 1, 0)) == "1: bean_protected"

    def test_11_unless_all_are_single(self) -> None:
        table = laid(hands={0: "soy:9"}, fields={0: "blue:1 | red:2"})
        assert table.says(sold(0, 1, "red", 1, 0), from_hand(9, "soy", 1)) == "fine"

    def test_14_there_is_no_third_field(self) -> None:
        assert laid(hands={0: "soy:9"}).says(from_hand(9, "soy", 2)) == "1: no_such_field"

    def test_15_only_the_active_player_plants(self) -> None:
        assert laid(hands={1: "soy:9"}).says(from_hand(9, "soy", seat=1)) == "1: not_active"

    def test_the_planted_card_is_what_it_is(self) -> None:
        assert laid(hands={0: "soy:9"}).says(from_hand(9, "red")) == "1: wrong_card"


class TestHarvests:
    @pytest.mark.parametrize(
        ("cards", "bean", "coins"),
        [(2, "garden", 2), (6, "garden", 3), (2, "cocoa", 2), (3, "cocoa", 3), (4, "cocoa", 4), (2, "stink", 0)],
    )
    def test_17_18_19_payouts(self, cards: int, bean: Bean, coins: int) -> None:
        field = ",".join(f"{bean}:{number}" for number in range(1, cards + 1))
        for said in range(5):
            verdict = "fine" if said == coins else "1: wrong_payout"
            assert laid(fields={2: field}).says(sold(2, 0, bean, cards, said)) == verdict

    def test_20_protection_ends_with_the_larger_field(self) -> None:
        blue = sold(1, 0, "blue", 1, 0)
        table = laid(fields={1: "blue:1 | red:2,red:3"})
        assert table.says(sold(1, 1, "red", 2, 1), blue) == "fine"
        assert laid(fields={1: "blue:1 | red:2,red:3"}).says(blue) == "1: bean_protected"

    def test_21_an_empty_field_protects_nothing(self) -> None:
        assert laid(fields={1: "blue:1 | empty"}).says(sold(1, 0, "blue", 1, 0)) == "fine"

    def test_24_an_empty_field_gives_nothing(self) -> None:
        assert laid().says(sold(1, 0, "blue", 0, 0)) == "1: wrong_harvest"

    def test_25_nobody_harvests_for_another(self) -> None:
        _, harvest = sold(1, 0, "blue", 1, 0)
        assert laid(fields={1: "blue:1"}).says((0, harvest)) == "1: wrong_actor"

    @pytest.mark.parametrize("field", [-1, 2])
    def test_there_are_two_fields(self, field: int) -> None:
        assert laid(fields={1: "blue:1 | red:2"}).says(sold(1, field, "red", 1, 0)) == "1: no_such_field"

    @pytest.mark.parametrize("seat", [-1, 4])
    def test_there_are_four_seats(self, seat: int) -> None:
        assert laid(fields={3: "red:2"}).says(sold(seat, 0, "red", 1, 0)) == "1: wrong_actor"

    def test_coins_and_discards_are_told_apart(self) -> None:
        """Red x3 pay two coins and discard one card."""
        fields = {1: "red:1,red:2,red:3"}
        assert laid(fields=fields).says(sold(1, 0, "red", 3, 2)) == "fine"
        for coins, cards in ((2, 2), (2, 0), (1, 1), (3, 1)):
            said = (1, FieldHarvested(1, 0, "red", 3, coins, cards, final=False))
            assert laid(fields=fields).says(said) == "1: wrong_payout"

    def test_another_kind_comes_off_no_field(self) -> None:
        assert laid(fields={1: "red:1,red:2"}).says(sold(1, 0, "blue", 2, 0)) == "1: wrong_harvest"

    def test_the_final_harvest_comes_with_the_end_only(self) -> None:
        final = (1, FieldHarvested(1, 0, "red", 2, 1, 1, final=True))
        assert laid(fields={1: "red:1,red:2"}).says(final) == "1: out_of_place"

    def test_nothing_is_harvested_or_bought_before_the_first_turn(self) -> None:
        table = laid(phase="lobby", fields={1: "red:1,red:2"})
        assert table.says(sold(1, 0, "red", 2, 1)) == "1: wrong_phase"
        paid = [Card(number, "red") for number in (3, 2, 1)]
        table = laid(phase="lobby", coins={1: "red:1 red:2 red:3"})
        assert table.says((1, FieldBought(1, 3, paid))) == "1: wrong_phase"

    def test_28_always_the_whole_field(self) -> None:
        table = laid(fields={1: "blue:1,blue:2,blue:3,blue:4,blue:5"})
        assert table.says(sold(1, 0, "blue", 4, 1)) == "1: wrong_harvest"


class TestThirdField:
    COINS: Final = {1: "red:1 red:2 blue:3 blue:4"}

    def bought(self, *paid: Card, price: int = 3) -> Line:
        return 1, FieldBought(1, price, [*paid])

    def test_30_36_with_the_topmost_coins(self) -> None:
        table = laid(coins=self.COINS)
        topmost = self.bought(Card(4, "blue"), Card(3, "blue"), Card(2, "red"))
        assert table.says(topmost) == "fine"
        assert table.top.discard == ["blue", "blue", "red"]
        assert table.top.places[1].coins == [Card(1, "red")]
        lower = self.bought(Card(3, "blue"), Card(2, "red"), Card(1, "red"))
        assert laid(coins=self.COINS).says(lower) == "1: wrong_payment"

    def test_31_two_coins_are_enough_for_six_players_only(self) -> None:
        two = self.bought(Card(4, "blue"), Card(3, "blue"), price=2)
        assert laid(players=6, coins=self.COINS).says(two) == "fine"
        assert laid(players=5, coins=self.COINS).says(two) == "1: wrong_payment"
        three = self.bought(Card(2, "red"), Card(1, "red"), Card(3, "red"))
        assert laid(coins={1: "red:1 red:2"}).says(three) == "1: not_enough_coins"

    def test_32_once_a_game(self) -> None:
        again = self.bought(Card(3, "red"), Card(2, "red"), Card(1, "red"))
        first = self.bought(Card(6, "red"), Card(5, "red"), Card(4, "red"))
        table = laid(coins={1: "red:1 red:2 red:3 red:4 red:5 red:6"})
        assert table.says(first, again) == "2: not_for_sale"

    def test_price_and_payment_are_three_coins_each(self) -> None:
        three = (Card(4, "blue"), Card(3, "blue"), Card(2, "red"))
        assert laid(coins=self.COINS).says(self.bought(*three, price=2)) == "1: wrong_payment"
        assert laid(coins=self.COINS).says(self.bought(*three[:2], price=3)) == "1: wrong_payment"
        assert laid(coins=self.COINS).says(self.bought(*three, Card(1, "red"), price=3)) == "1: wrong_payment"

    def test_nobody_buys_for_another(self) -> None:
        _, buy = self.bought(Card(4, "blue"), Card(3, "blue"), Card(2, "red"))
        assert laid(coins=self.COINS).says((0, buy)) == "1: wrong_actor"

    def test_who_has_bought_has_three_fields(self) -> None:
        table = laid(coins=self.COINS)
        assert table.says(self.bought(Card(4, "blue"), Card(3, "blue"), Card(2, "red"))) == "fine"
        assert [len(place.plots) for place in table.top.places] == [2, 3, 2, 2]

    def test_33_never_with_three_players(self) -> None:
        three = self.bought(Card(4, "blue"), Card(3, "blue"), Card(2, "red"))
        assert laid(players=3, coins=self.COINS).says(three) == "1: not_for_sale"

    def test_34_between_two_plantings_of_phase_3(self) -> None:
        table = laid(
            phase="settle", pending={1: "soy:8 soy:9"}, fields={1: "wax:5 | chili:6"}, coins={1: "red:1 red:2 red:3"}
        )
        buy = self.bought(Card(3, "red"), Card(2, "red"), Card(1, "red"))
        assert table.says(buy, settled(8, "soy", 2, 1), settled(9, "soy", 2, 1)) == "fine"
        assert table.then() == "must_follow"

    def test_38_the_new_field_does_not_end_protection(self) -> None:
        table = laid(fields={1: "blue:7 | red:8,red:9"}, coins={1: "red:1 red:2 red:3"})
        buy = self.bought(Card(3, "red"), Card(2, "red"), Card(1, "red"))
        assert table.says(buy, sold(1, 0, "blue", 1, 0)) == "2: bean_protected"

    def test_73_boonanza_sells_in_the_own_turn_only(self) -> None:
        buy = self.bought(Card(4, "blue"), Card(3, "blue"), Card(2, "red"))
        assert laid("boonanza", coins=self.COINS).says(buy) == "1: not_active"
        assert laid("boonanza", coins=self.COINS, active=1).says(buy) == "fine"
        assert laid("amigo_classic", coins=self.COINS).says(buy) == "fine"
        assert laid("amigo_2023", coins=self.COINS).says(buy) == "1: not_for_sale"
