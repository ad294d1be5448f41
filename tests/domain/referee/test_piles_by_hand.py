"""The referee's piles and his last harvest take nothing for granted, whoever hands them an event."""

import pytest

from domain.cards import Card
from domain.events import DeckShuffled, TurnStarted
from domain.referee.ending import end_of_game
from domain.referee.fault import Wrong
from domain.referee.piles import put, take, taken_in
from tests.domain.referee.laid_out import laid


def test_a_card_whose_kind_is_left_out_lies_nowhere() -> None:
    with pytest.raises(Wrong) as wrong:
        put([Card(1, None)], {})
    assert wrong.value.reason == "hidden"


def test_only_a_shuffle_makes_a_deck() -> None:
    with pytest.raises(Wrong) as wrong:
        taken_in(laid().top, TurnStarted(1, 0), [])
    assert wrong.value.reason == "must_follow"


def test_a_new_deck_has_its_top_at_the_end_and_is_numbered_on() -> None:
    top = laid(deck="").top
    taken_in(top, DeckShuffled(1, 3, ["red", "soy", "wax"]), ["wax", "soy", "red"])
    assert take(top, 2) == [Card(1000, "red"), Card(1001, "soy")]
    assert (top.next_card, top.deck) == (1002, ["wax"])


def test_only_the_result_ends_a_game() -> None:
    last = end_of_game(laid(phase="settle", final=True).top)
    next(last)
    with pytest.raises(Wrong) as wrong:
        last.send(TurnStarted(10, 1))
    assert wrong.value.reason == "must_follow"
