"""Small histories written by hand after the edge cases of the rules, section 12, each with its verdict:
phases 3 and 4, exhaustion, absence. The number of the case stands in the name of the test."""

import pytest

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    CardsDrawn,
    CardsRevealed,
    ClockExpired,
    DeckExhausted,
    DeckShuffled,
    FieldHarvested,
    GameEnded,
    SeatHandedOver,
    SeatReclaimed,
    TradingEnded,
    TurnStarted,
)
from tests.domain.referee.laid_out import Line, from_hand, laid, settled, sold


class TestPhaseThreeAndFour:
    DRAWN = (0, CardsDrawn(0, [Card(1000, "wax"), Card(1001, "wax"), Card(1002, "wax")]))
    NEXT = (0, TurnStarted(10, 1))

    def test_61_phase_4_waits_for_all(self) -> None:
        table = laid(phase="settle", pending={0: "red:1", 2: "soy:2"})
        assert table.says(settled(1, "red"), self.DRAWN) == "2: out_of_place"
        table = laid(phase="settle", pending={0: "red:1", 2: "soy:2"})
        drawn = (2, self.DRAWN[1])
        assert table.says(settled(1, "red"), settled(2, "soy", 0, 2), drawn, (2, self.NEXT[1])) == "fine"
        assert table.then() == "fine"

    def test_62_without_pending_cards_it_follows_at_once(self) -> None:
        table = laid(phase="trade")
        assert table.says((0, TradingEnded(0, [])), self.DRAWN, self.NEXT) == "fine"
        table = laid(phase="trade", fields={1: "red:1"})
        assert table.says((0, TradingEnded(0, [])), sold(1, 0, "red", 1, 0)) == "2: must_follow"
        table = laid(phase="trade", fields={1: "red:1"})
        assert table.says((0, TradingEnded(0, [])), self.DRAWN, sold(1, 0, "red", 1, 0)) == "3: must_follow"

    def test_64_pending_cards_are_planted_by_their_owner(self) -> None:
        assert laid(phase="settle", pending={1: "red:1"}).says(settled(1, "red")) == "1: wrong_card"
        assert laid(phase="settle", pending={1: "red:1"}).says((0, settled(1, "red", 0, 1)[1])) == "1: wrong_actor"

    @pytest.mark.parametrize(("players", "cards"), [(3, 3), (5, 3), (6, 4), (7, 4)])
    def test_65_three_cards_or_four(self, players: int, cards: int) -> None:
        for drawn in range(1, 6):
            line = (0, CardsDrawn(0, [Card(1000 + place, "wax") for place in range(drawn)]))
            verdict = laid(players=players, phase="trade").says((0, TradingEnded(0, [])), line)
            assert verdict == ("fine" if drawn == cards else "2: wrong_draw")

    def test_every_player_draws_one_in_new_beans(self) -> None:
        table = laid("new_beans", 4, phase="trade", active=2)
        draws = [(2, CardsDrawn((2 + step) % 4, [Card(1000 + step, "wax")])) for step in range(4)]
        assert table.says((2, TradingEnded(2, [])), *draws, (2, TurnStarted(10, 3))) == "fine"
        table = laid("new_beans", 4, phase="trade", active=2)
        assert table.says((2, TradingEnded(2, [])), draws[0], draws[2]) == "3: wrong_draw"


ENDED = (0, TradingEnded(0, []))


def drawn(*numbers: int, bean: Bean = "wax") -> Line:
    return 0, CardsDrawn(0, [Card(number, bean) for number in numbers])


class TestExhaustion:
    ONE = (0, CardsRevealed(0, [Card(1000, "wax")]))
    FIRST = (0, DeckExhausted(1, final=False))
    AGAIN = (0, DeckShuffled(1, 5, ["red"] * 5))

    @pytest.mark.parametrize("ruleset", ["classic", "amigo_2023"])
    def test_66_an_interrupted_reveal(self, ruleset: str) -> None:
        two = (0, CardsRevealed(0, [Card(1001, "red")]))
        table = laid(ruleset, deck="wax", discard="red red red red red")
        assert table.says(self.ONE, self.FIRST, self.AGAIN, two) == "fine"
        assert len(table.top.deck) == 4
        table = laid(ruleset, deck="wax", discard="red red red red red")
        assert table.says(self.ONE, self.AGAIN) == "2: must_follow"
        table = laid(ruleset, deck="wax", discard="red red red red soy")
        assert table.says(self.ONE, self.FIRST, self.AGAIN) == "3: wrong_shuffle"

    def test_67_when_the_discard_pile_is_shuffled(self) -> None:
        shuffle = (0, DeckShuffled(1, 2, ["red", "red"]))
        turn = (0, TurnStarted(10, 1))
        for ruleset, lines in (("classic", [turn]), ("amigo_2023", [shuffle, turn])):
            table = laid(ruleset, phase="trade", deck="wax wax wax", discard="red red")
            assert table.says(ENDED, drawn(1000, 1001, 1002), self.FIRST, *lines) == "fine"
        table = laid(phase="trade", deck="wax wax wax", discard="red red")
        assert table.says(ENDED, drawn(1000, 1001, 1002), self.FIRST, shuffle) == "4: must_follow"
        table = laid("amigo_2023", phase="trade", deck="wax wax wax", discard="red red")
        assert table.says(ENDED, drawn(1000, 1001, 1002), self.FIRST, turn) == "4: must_follow"

    def test_67_what_was_harvested_until_then_is_shuffled_in(self) -> None:
        table = laid(active=1, deck="", discard="red", exhaustions=1, fields={2: "soy:1 | empty"})
        shuffle = (1, DeckShuffled(1, 2, ["soy", "red"]))
        revealed = (1, CardsRevealed(1, [Card(1000, "soy"), Card(1001, "red")]))
        exhausted = (1, DeckExhausted(2, final=False))
        assert table.says(sold(2, 0, "soy", 1, 0), shuffle, revealed, exhausted) == "fine"

    @pytest.mark.parametrize("deck", ["wax wax wax", "wax wax"])
    def test_68_69_the_final_exhaustion_in_phase_4(self, deck: str) -> None:
        numbers = [1000 + place for place in range(len(deck.split()))]
        final = (0, DeckExhausted(3, final=True))
        lines: list[Line] = [ENDED, drawn(*numbers), final]
        table = laid(phase="trade", deck=deck, discard="red", exhaustions=2)
        assert table.says(*lines, (0, TurnStarted(10, 1))) == "4: must_follow"
        table = laid(phase="trade", deck=deck, discard="red", exhaustions=2)
        assert table.says(*lines[:2], (0, DeckExhausted(3, final=False))) == "3: wrong_exhaustion"

    def test_70_a_final_reveal_is_played_to_the_end_of_phase_3(self) -> None:
        table = laid(deck="wax", discard="red", exhaustions=2)
        final = (0, DeckExhausted(3, final=True))
        ended = (0, TradingEnded(0, [Card(1000, "wax")]))
        harvest = (0, FieldHarvested(0, 1, "wax", 1, 0, 1, final=True))
        lines: list[Line] = [self.ONE, final, ended, settled(1000, "wax", 1), harvest]
        assert table.says(*lines) == "fine"
        assert table.then() == "must_follow"

    def test_72_with_three_players_the_second_is_final(self) -> None:
        table = laid(players=3, deck="wax", discard="red red", exhaustions=1)
        assert table.says(self.ONE, (0, DeckExhausted(2, final=False))) == "2: wrong_exhaustion"

    def test_74_a_shuffle_that_found_no_cards_is_made_up_for(self) -> None:
        table = laid(deck="wax wax", discard="", fields={2: "stink:1 | empty"})
        two = (0, CardsRevealed(0, [Card(1000, "wax"), Card(1001, "wax")]))
        kept = (0, TradingEnded(0, [Card(1000, "wax"), Card(1001, "wax")]))
        planted = [settled(1000, "wax"), settled(1001, "wax")]
        shuffle = (0, DeckShuffled(1, 1, ["stink"]))
        second, third = (0, DeckExhausted(2, final=False)), (0, DeckExhausted(3, final=True))
        lines: list[Line] = [
            two,
            self.FIRST,
            sold(2, 0, "stink", 1, 0),
            kept,
            *planted,
            shuffle,
            drawn(1002, bean="stink"),
        ]
        assert table.says(*lines, second, third) == "fine"

    def test_75_both_piles_empty(self) -> None:
        final = (0, DeckExhausted(3, final=True))
        assert laid(phase="trade", deck="", exhaustions=1).says(ENDED, final) == "fine"
        another_turn = (0, TurnStarted(10, 1))
        assert laid(phase="trade", deck="", exhaustions=1).says(ENDED, final, another_turn) == "3: must_follow"
        nothing = (0, CardsRevealed(0, []))
        assert laid(deck="", exhaustions=1).says(nothing, final, ENDED) == "fine"
        assert laid(deck="", exhaustions=1).says(nothing, ENDED) == "2: must_follow"


class TestAbsence:
    def test_a_policy_plays_for_the_seat_until_the_player_is_back(self) -> None:
        away, back = (None, SeatHandedOver(0, "autopilot", "absent")), (0, SeatReclaimed(0))
        planting = (None, from_hand(1, "red")[1])
        assert laid(hands={0: "red:1"}).says(planting) == "1: wrong_actor"
        assert laid(hands={0: "red:1"}).says(away, planting, back) == "fine"
        assert laid(hands={0: "red:1"}).says(away, back, planting) == "3: wrong_actor"
        assert laid().says(back) == "1: out_of_place"
        assert laid().says(away, away) == "2: out_of_place"

    def test_no_clock_runs_out_where_none_is(self) -> None:
        assert laid().says((None, ClockExpired(0))) == "1: out_of_place"
        assert laid().says((0, ClockExpired(0))) == "1: wrong_actor"


def test_nothing_ends_by_itself() -> None:
    assert laid().says((0, GameEnded("deck_exhausted", [], [0], "0" * 64))) == "1: out_of_place"
