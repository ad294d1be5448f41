"""Looking back: what there is to be seen from where, and where one can go from a version."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.cards import Card
from domain.events import CardsDealt, DeckShuffled, Event, TradeCompleted, TradingEnded, TurnStarted
from domain.replay import Landmarks, deck_from_top, following, open_to, preceding, seen, thinking_ms, told
from tests.domain.play import started


def test_a_seat_sees_its_hand_a_spectator_none_and_all_every_one() -> None:
    state = started(3).state
    hands = {
        viewpoint: [seat.hand is not None for seat in seen(state, viewpoint).seats]
        for viewpoint in (0, 2, "spectator", "all")
    }
    assert hands == {
        0: [True, False, False],
        2: [False, False, True],
        "spectator": [False, False, False],
        "all": [True, True, True],
    }
    assert [seen(state, viewpoint).viewer for viewpoint in (0, 2, "spectator", "all")] == [0, 2, None, None]


def test_an_event_is_told_as_it_was_and_to_all_as_a_whole() -> None:
    dealt = CardsDealt(1, [Card(7, "red")])
    assert told(dealt, 1) == told(dealt, "all") == dealt
    assert told(dealt, 0) == told(dealt, "spectator") == CardsDealt(1, [Card(7, None)])
    shuffles = [event for event in started(3).history if isinstance(event, DeckShuffled)]
    assert shuffles
    for shuffle in shuffles:
        assert shuffle.beans is not None
        assert told(shuffle, "all") == shuffle
        for viewpoint in (0, 1, 2, "spectator"):
            hidden = told(shuffle, viewpoint)
            assert isinstance(hidden, DeckShuffled)
            assert hidden.beans is None


def test_only_who_sees_all_has_the_deck_and_only_a_seat_can_do_something() -> None:
    state = started(3).state
    # What is drawn next lies at the end of the state's deck.
    assert deck_from_top(state, "all") == [*reversed(state.deck)]
    assert [deck_from_top(state, viewpoint) for viewpoint in (0, "spectator")] == [None, None]
    assert state.active is not None
    assert open_to(state, state.active)
    assert open_to(state, "spectator") == open_to(state, "all") == []


@pytest.mark.parametrize(
    ("microseconds", "milliseconds"), [(0, 0), (999, 0), (1000, 1), (1_234_999, 1234), (7_200_000_000, 7_200_000)]
)
def test_thinking_is_told_in_whole_milliseconds(microseconds: int, milliseconds: int) -> None:
    before = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert thinking_ms(before, before + timedelta(microseconds=microseconds)) == milliseconds
    assert thinking_ms(None, before) is None


def test_landmarks_are_where_a_turn_begins_and_where_a_trade_is_made() -> None:
    landmarks = Landmarks()
    trade = TradeCompleted(1, 0, 1, [Card(3, "red")], [])
    passed: list[Event] = [TurnStarted(1, 0), TradingEnded(0, []), trade, TurnStarted(2, 1), trade]
    for version, event in enumerate(passed, 10):
        landmarks.notice(version, event)
    assert (landmarks.turns, landmarks.trades) == ([10, 13], [12, 14])
    assert [landmarks.are_passed(version) for version in (9, 12, 13, 14)] == [True, True, False, False]
    assert Landmarks().are_passed(0) is False


def test_the_neighbours_of_a_version() -> None:
    assert [following([3, 7], version) for version in (1, 3, 6, 7)] == [3, 7, 7, None]
    assert [preceding([3, 7], version) for version in (3, 4, 7, 9)] == [None, 3, 3, 7]
    assert following([], 1) is None
    assert preceding([], 1) is None
