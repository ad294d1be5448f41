"""Who sits where, by the events that no command of the rules leads to: bots, absent players, and the end of a table."""

from domain.events import BotJoined, ClockExpired, GameAbandoned, PlayerLeft, SeatHandedOver, SeatReclaimed
from domain.evolve import evolve
from domain.state import Result, Seat
from tests.domain.play import SEED, Game
from tests.domain.scenario import At, content, given


def test_a_bot_sits_on_a_seat_without_a_player() -> None:
    game = Game(4, full=False)
    game.take([BotJoined(2, "casual")])
    assert game.state.seats[1:] == [Seat(), Seat(policy="casual"), Seat()]


def test_a_seat_that_is_left_is_as_new() -> None:
    game = Game(3)
    game.take([PlayerLeft(2)])
    assert game.state.seats[2] == Seat()
    assert game.state.seats[1] == Seat(player="player-1", nonce="nonce-1")


def test_a_policy_plays_for_an_absent_player_until_he_is_back() -> None:
    game = given({1: At(hand="red:1", coins="blue x2")})
    before = content(game.state)
    evolve(game.state, SeatHandedOver(1, "autopilot", "absent"))
    seat = game.state.seats[1]
    assert (seat.player, seat.policy, seat.away) == ("player-1", "autopilot", True)
    assert game.hand(1) == "red:1"
    evolve(game.state, SeatReclaimed(1))
    assert (seat.player, seat.policy, seat.away) == ("player-1", None, False)
    assert game.state.version == 102
    game.state.version = 100
    assert content(game.state) == before, "nothing else is changed"


def test_a_clock_that_runs_out_changes_nothing_by_itself() -> None:
    game = given({1: At(hand="red:1")})
    before = content(game.state)
    evolve(game.state, ClockExpired(1))
    assert game.state.version == 101
    game.state.version = 100
    assert content(game.state) == before


def test_an_abandoned_table_has_no_ranking_and_opens_its_seed() -> None:
    game = Game(3)
    game.take([PlayerLeft(0), GameAbandoned("host_left", SEED.hex())])
    assert game.state.status == "abandoned"
    assert game.state.result == Result("host_left", [], [], SEED.hex())
