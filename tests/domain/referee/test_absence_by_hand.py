"""Clocks and seats that a policy plays on: small histories written by hand, each with its verdict (design, "State,
commands, events"; rules, D-23)."""

import pytest

from domain.events import ClockExpired, Event, SeatHandedOver, SeatReclaimed
from tests.domain.referee.laid_out import Laid, Line, laid, sold

SERVER = None
AWAY: Line = (SERVER, SeatHandedOver(1, "autopilot", "absent"))
BACK: Line = (1, SeatReclaimed(1))


def with_a_clock() -> Laid:
    table = laid()
    table.top.has_clock = True
    return table


def test_only_the_server_lets_a_clock_run_out() -> None:
    assert with_a_clock().says((SERVER, ClockExpired(0))) == "fine"
    assert with_a_clock().says((SERVER, ClockExpired(3))) == "fine"
    assert with_a_clock().says((0, ClockExpired(0))) == "1: wrong_actor"


def test_without_a_clock_none_runs_out() -> None:
    assert laid().says((SERVER, ClockExpired(0))) == "1: out_of_place"


@pytest.mark.parametrize("seat", [-1, 4])
def test_there_are_four_seats(seat: int) -> None:
    events: list[Event] = [ClockExpired(seat), SeatHandedOver(seat, "autopilot", "absent"), SeatReclaimed(seat)]
    for event in events:
        assert with_a_clock().says((SERVER, event)) == "1: wrong_actor"


def test_the_server_or_the_player_himself_hands_a_seat_over() -> None:
    table = laid()
    assert table.says(AWAY) == "fine"
    assert (table.top.places[1].policy, table.top.places[1].away) == ("autopilot", True)
    assert laid().says((1, SeatHandedOver(1, "autopilot", "left"))) == "fine"
    assert laid().says((0, SeatHandedOver(1, "autopilot", "left"))) == "1: wrong_actor"


def test_a_seat_is_handed_over_once() -> None:
    assert laid().says(AWAY, AWAY) == "2: out_of_place"
    assert laid().says(AWAY, BACK, AWAY) == "fine"


def test_the_player_alone_comes_back() -> None:
    table = laid()
    assert table.says(AWAY, BACK) == "fine"
    assert (table.top.places[1].policy, table.top.places[1].away) == (None, False)
    assert laid().says(AWAY, (SERVER, SeatReclaimed(1))) == "2: wrong_actor"
    assert laid().says(AWAY, (2, SeatReclaimed(1))) == "2: wrong_actor"


def test_nobody_comes_back_who_was_not_away() -> None:
    assert laid().says(BACK) == "1: out_of_place"
    assert laid().says(AWAY, BACK, BACK) == "3: out_of_place"


def test_the_server_acts_for_a_seat_only_while_a_policy_plays_it() -> None:
    harvest: Line = (SERVER, sold(1, 0, "red", 2, 1)[1])
    fields = {1: "red:1,red:2 | empty"}
    assert laid(fields=fields).says(harvest) == "1: wrong_actor"
    assert laid(fields=fields).says(AWAY, harvest) == "fine"
    assert laid(fields=fields).says(AWAY, BACK, harvest) == "3: wrong_actor"


def test_before_the_first_turn_there_is_nobody_to_replace() -> None:
    events: list[Event] = [ClockExpired(1), SeatHandedOver(1, "autopilot", "absent"), SeatReclaimed(1)]
    for event in events:
        assert laid(phase="lobby").says((SERVER, event)) == "1: wrong_phase"
