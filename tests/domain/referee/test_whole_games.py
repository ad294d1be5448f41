"""What the engine plays, the referee finds in order: hundreds of games, of every number of players."""

from datetime import UTC, datetime

import pytest

from domain.events import BotJoined, GameEnded
from domain.history import records
from domain.referee import Fault, Referee, judge, judge_events, judge_records, revealed_seed
from tests.domain.referee.played import GAME, every_table, played
from tests.domain.thoroughness import tries
from tests.domain.whole_game import Style

GAMES = {
    "casual": tries(max(6, 60 // len(every_table())), 1),
    "chance": tries(max(10, 150 // len(every_table())), 1),
}
"""Of each style and table: hundreds in all."""

EPOCH = datetime.fromtimestamp(0, UTC)


@pytest.mark.parametrize("style", ["casual", "chance"])
@pytest.mark.parametrize(("ruleset", "players"), every_table()[:: tries(1, 5)])
def test_whole_games_are_without_a_fault(ruleset: str, players: int, style: Style) -> None:
    ends = 0
    for number in range(GAMES[style]):
        lines = played(ruleset, players, style, number)
        assert judge(GAME, lines) is None
        events = [event for _, event in lines]
        assert judge(GAME, lines, seed=revealed_seed(events)) is None
        assert judge_events(GAME, events) is None
        ends += isinstance(lines[-1][1], GameEnded)
    assert ends == number + 1


def test_records_are_judged_like_lines() -> None:
    lines = played("classic", 4, "casual", 0)
    stored = [
        record for version, (seat, event) in enumerate(lines) for record in records(b"", version, EPOCH, seat, [event])
    ]
    assert judge_records(GAME, stored) is None
    fault = judge_records(GAME, stored[:30] + stored[31:])
    assert fault is not None
    assert (fault.version, fault.reason) == (31, "wrong_version")
    fault = judge_records(GAME, [*stored[:30], stored[29]])
    assert fault is not None
    assert (fault.version, fault.reason) == (30, "wrong_version")


def test_every_beginning_of_a_game_is_in_order_until_it_must_go_on() -> None:
    """A running game can be followed while it is played: after any command, and only there, it may stop."""
    lines = played("classic", 3, "casual", 1)
    stops = 0
    referee = Referee(GAME)
    for version, (seat, event) in enumerate(lines, 1):
        assert referee.check(version, seat, event) is None
        if version % 3 and version > 40:
            continue
        stop = judge(GAME, lines[:version], running=True)
        stops += stop is None
        if stop is not None:
            assert (stop.version, stop.reason) == (version + 1, "must_follow")
        if version < len(lines):
            whole = judge(GAME, lines[:version])
            assert whole is not None
            assert whole.version == version + 1
    assert referee.finish() is None
    assert stops > len(lines) / 6


def test_the_first_fault_stands() -> None:
    lines = played("classic", 3, "casual", 1)
    referee = Referee(GAME)
    first = Fault(1, "out_of_place", "A history begins with game_created, not with player_joined.")
    assert referee.check(1, *lines[1]) == first
    assert referee.check(2, *lines[1]) == first
    assert referee.finish() == first


def test_a_history_that_never_begins() -> None:
    fault = judge(GAME, [])
    assert fault is not None
    assert (fault.version, fault.reason) == (1, "must_follow")
    assert judge(GAME, [(0, BotJoined(1, "casual"))]) is not None
