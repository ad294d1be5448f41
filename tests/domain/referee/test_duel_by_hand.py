"""Small histories of the game for two, written by hand after the edge cases of the rules, section 12, each with its
verdict. The number of the case stands in the name of the test."""

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardDiscarded,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    DeckExhausted,
    FieldBought,
    FieldHarvested,
    GiftsLeft,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.referee.tabletop import Phase
from tests.domain.referee.laid_out import Laid, Line, from_hand, laid, sold

REVEALED = (0, CardsRevealed(0, [Card(1000, "wax"), Card(1001, "wax"), Card(1002, "wax")]))


def duel(phase: Phase = "plant", **more: str) -> Laid:
    return laid(
        players=2,
        phase=phase,
        hands={0: more.get("hand", "")},
        fields={0: more.get("fields", ""), 1: more.get("others", "")},
        coins={0: more.get("coins", ""), 1: more.get("coins", "")},
        gifts=more.get("gifts", ""),
        face_up=more.get("face_up", ""),
        deck=more.get("deck", "wax wax wax wax wax wax"),
        discard=more.get("discard", ""),
        duel_fields=int(more.get("printing", "2")),
    )


def gift(card: int, bean: Bean, field: int = 0) -> Line:
    return 0, BeanPlanted(0, field, card, bean, "gift")


def thrown(card: int, bean: Bean) -> Line:
    return 0, CardDiscarded(0, card, bean)


def test_85_gifts_are_planted_or_discarded_in_any_order() -> None:
    table = duel("gifts", gifts="soy:1 soy:2 red:3")
    assert table.says(gift(2, "soy"), thrown(3, "red"), thrown(1, "soy")) == "fine"
    assert table.top.discard == ["red", "soy"]
    assert table.top.phase == "plant"


def test_86_all_of_them_before_the_hand() -> None:
    assert duel("gifts", gifts="soy:1", hand="red:5").says(from_hand(5, "red")) == "1: wrong_phase"
    assert duel("gifts", gifts="soy:1").says(REVEALED) == "1: wrong_phase"
    assert duel("gifts", gifts="soy:1", hand="red:5").says(thrown(1, "soy"), from_hand(5, "red")) == "fine"


def test_87_one_card_of_the_hand_is_discarded_after_planting() -> None:
    hand = "red:5 soy:6 wax:7 red:8"
    assert duel(hand=hand).says(thrown(6, "soy")) == "1: must_plant_first"
    assert duel(hand=hand).says(from_hand(5, "red"), thrown(7, "wax"), REVEALED) == "fine"
    assert duel(hand=hand).says(from_hand(5, "red"), thrown(7, "wax"), thrown(6, "soy")) == "3: planted_enough"
    after = from_hand(6, "soy", 1)
    assert duel(hand=hand).says(from_hand(5, "red"), thrown(7, "wax"), after) == "3: planted_enough"


def test_only_what_is_there_is_discarded() -> None:
    hand = "red:5 soy:6"
    assert duel(hand=hand).says(from_hand(5, "red"), thrown(7, "wax")) == "2: wrong_card"
    assert duel(hand=hand).says(from_hand(5, "red"), thrown(6, "wax")) == "2: wrong_card"
    assert duel("gifts", gifts="soy:1", hand=hand).says(thrown(5, "red")) == "1: wrong_card"
    assert duel("keep", face_up="soy:1").says(thrown(1, "soy")) == "1: wrong_phase"


def test_88_the_sweep_stops_at_the_first_mismatch() -> None:
    deck, discard = "blue red chili wax wax", "blue soy red red"
    revealed = (0, CardsRevealed(0, [Card(1000, "blue"), Card(1001, "red"), Card(1002, "chili")]))
    left = [Card(1000, "blue"), Card(1001, "red"), Card(1002, "chili")]
    swept = [Card(1003, "red"), Card(1004, "red")]
    table = duel(deck=deck, discard=discard)
    assert table.says(revealed, (0, CardsSwept(0, swept)), (0, GiftsLeft(0, left + swept))) == "fine"
    assert table.top.discard == ["blue", "soy"]
    assert duel(deck=deck, discard=discard).says(revealed, (0, CardsSwept(0, swept[:1]))) == "2: wrong_sweep"
    assert duel(deck=deck, discard=discard).says(revealed, (0, GiftsLeft(0, left))) == "2: must_follow"


def test_89_nothing_is_swept_from_an_empty_discard_pile() -> None:
    left = GiftsLeft(0, [Card(1000, "wax"), Card(1001, "wax"), Card(1002, "wax")])
    assert duel().says(REVEALED, (0, left)) == "fine"
    assert duel().says(REVEALED, (0, CardsSwept(0, []))) == "2: out_of_place"


def test_90_what_is_not_planted_is_left() -> None:
    kept = (0, BeanPlanted(0, 0, 2, "soy", "face_up"))
    drawn = (0, CardsDrawn(0, [Card(1000, "wax"), Card(1001, "wax")]))
    table = duel("keep", face_up="red:1 soy:2")
    assert table.says(kept, (0, GiftsLeft(0, [Card(1, "red")])), drawn, (0, TurnStarted(10, 1))) == "fine"
    assert table.top.phase == "gifts"
    nothing = duel("keep")
    assert nothing.says((0, GiftsLeft(0, [])), drawn, (0, TurnStarted(10, 1))) == "fine"
    assert nothing.top.phase == "plant"
    assert duel("keep", face_up="red:1 soy:2").says((0, GiftsLeft(0, [Card(1, "red")]))) == "1: wrong_gifts"
    assert duel("keep", face_up="red:1").says((1, GiftsLeft(1, [Card(1, "red")]))) == "1: wrong_actor"


def test_91_harvests_and_purchases_in_the_own_turn_only() -> None:
    assert duel(fields="red:1").says(sold(0, 0, "red", 1, 0)) == "fine"
    assert duel(others="red:1").says(sold(1, 0, "red", 1, 0)) == "1: not_active"
    paid = [Card(3, "red"), Card(2, "red"), Card(1, "red")]
    assert duel(coins="red:1 red:2 red:3").says((1, FieldBought(1, 3, paid))) == "1: not_active"


def test_93_coins_go_into_the_box_and_the_second_printing_sells_nothing() -> None:
    paid = [Card(3, "red"), Card(2, "red"), Card(1, "red")]
    table = duel(coins="red:1 red:2 red:3")
    assert table.says((0, FieldBought(0, 3, paid))) == "fine"
    assert table.top.discard == []
    assert len(table.top.places[0].plots) == 3
    second = duel(coins="red:1 red:2 red:3", printing="3")
    assert len(second.top.places[0].plots) == 3
    assert second.says((0, FieldBought(0, 3, paid))) == "1: not_for_sale"


def test_94_an_exhaustion_in_step_3_ends_the_game_after_it() -> None:
    two = (0, CardsRevealed(0, [Card(1000, "wax"), Card(1001, "blue")]))
    final = (0, DeckExhausted(1, final=True))
    swept = (0, CardsSwept(0, [Card(1002, "blue")]))
    kept = (0, BeanPlanted(0, 0, 1002, "blue", "face_up"))
    left = (0, GiftsLeft(0, [Card(1000, "wax"), Card(1001, "blue")]))
    last = (0, FieldHarvested(0, 0, "blue", 1, 0, 1, final=True))
    table = duel(deck="wax blue", discard="blue")
    assert table.says(two, final, swept, kept, left, last) == "fine"
    assert table.then() == "must_follow"
    assert duel(deck="wax blue").says(two, (0, DeckExhausted(1, final=False))) == "2: wrong_exhaustion"
    assert duel(deck="wax blue", discard="blue").says(two, final, swept, kept, left, (0, TurnStarted(10, 1))) == (
        "6: must_follow"
    )


def test_95_an_exhaustion_in_step_4_ends_it_at_once() -> None:
    one = (0, CardsDrawn(0, [Card(1000, "wax")]))
    final = (0, DeckExhausted(1, final=True))
    left = (0, GiftsLeft(0, []))
    table = duel("keep", deck="wax", discard="red")
    assert table.says(left, one, final) == "fine"
    assert duel("keep", deck="wax", discard="red").says(left, one, final, (0, TurnStarted(10, 1))) == "4: must_follow"


def test_96_nobody_trades() -> None:
    offer = (0, TradeOffered(1, 0, 1, [Card(5, "red")], {}, [], None))
    assert duel(hand="red:5").says(offer) == "1: wrong_phase"
    assert duel("keep", face_up="red:5").says(offer) == "1: wrong_phase"
    assert duel("keep").says((0, TradingEnded(0, []))) == "1: wrong_phase"


def test_only_a_duel_has_discards_and_gifts() -> None:
    assert laid(hands={0: "red:1"}).says(thrown(1, "red")) == "1: out_of_place"
    assert laid(phase="trade").says((0, GiftsLeft(0, []))) == "1: wrong_phase"
