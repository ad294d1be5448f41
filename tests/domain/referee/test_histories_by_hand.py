"""The three ways to put a whole history before the referee: as lines, as events without who acted, as records."""

from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from domain.events import Event, GameAbandoned, GameEnded
from domain.history import Record, records
from domain.referee import Fault, Referee, judge, judge_events, judge_records, revealed_seed
from domain.referee.history import Line
from tests.domain.referee.mutants import Mutant
from tests.domain.referee.order import shuffle_altered
from tests.domain.referee.played import GAME, played

LINES = played("classic", 3, "casual", 0)
SEED = revealed_seed([event for _, event in LINES])

Judge = Callable[..., Fault | None]


def by_lines(lines: list[Line], **said: Any) -> Fault | None:
    return judge(GAME, lines, **said)


def by_events(lines: list[Line], **said: Any) -> Fault | None:
    return judge_events(GAME, [event for _, event in lines], **said)


def by_records(lines: list[Line], **said: Any) -> Fault | None:
    return judge_records(GAME, stored(lines), **said)


def stored(lines: list[Line]) -> list[Record]:
    now = datetime.fromtimestamp(0, UTC)
    return [record for at, (seat, event) in enumerate(lines) for record in records(b"", at, now, seat, [event])]


ways = pytest.mark.parametrize("way", [by_lines, by_events, by_records])


@ways
def test_a_game_that_has_ended_is_in_order(way: Judge) -> None:
    assert way([*LINES]) is None
    assert way([*LINES], seed=SEED) is None


@ways
def test_a_game_that_has_not_ended_is_unfinished_unless_it_may_run(way: Judge) -> None:
    """Two lines open a table; a third one nobody waits for."""
    fault = way([*LINES[:2]])
    assert fault is not None
    assert (fault.version, fault.reason) == (3, "unfinished")
    assert way([*LINES[:2]], running=True) is None


def test_a_referee_who_is_not_told_that_the_game_may_run_on_wants_its_end() -> None:
    referee = Referee(GAME)
    for version, (seat, event) in enumerate(LINES[:2], 1):
        assert referee.check(version, seat, event) is None
    assert referee.finish(running=True) is None
    fault = referee.finish()
    assert fault is not None
    assert (fault.version, fault.reason) == (3, "unfinished")


@ways
def test_with_the_seed_a_wrong_shuffle_is_named_before_the_end(way: Judge) -> None:
    chance = Random(1)
    mutant: Mutant | None = None
    while mutant is None:
        mutant = shuffle_altered(LINES, chance)
    running = [*mutant.lines[: mutant.first]]
    fault = way(running, seed=SEED, running=True)
    assert fault is not None
    assert (fault.version, fault.reason) == (mutant.first, "wrong_shuffle")
    without = way(running, running=True)
    assert without is None or without.reason == "must_follow"


def test_bytes_that_are_no_event_are_named_by_their_version() -> None:
    broken = stored([*LINES[:3]])
    broken[2] = Record(3, broken[2].at, broken[2].seat, b'{"type":"bored"}', b"")
    fault = judge_records(GAME, broken)
    assert fault is not None
    assert (fault.version, fault.reason) == (3, "malformed")
    assert fault.sentence


def test_who_acted_is_looked_at_only_where_it_is_told() -> None:
    """The host's own seat is taken by somebody else."""
    wrong: list[Line] = [LINES[0], (1, LINES[1][1])]
    fault = judge(GAME, wrong, running=True)
    assert fault is not None
    assert (fault.version, fault.reason) == (2, "wrong_actor")
    assert judge_events(GAME, [event for _, event in wrong], running=True) is None


@pytest.mark.parametrize(
    ("last", "seed"),
    [
        (GameEnded("deck_exhausted", [], [], "0a" * 32), b"\n" * 32),
        (GameAbandoned("host_left", "0b" * 32), b"\x0b" * 32),
        (GameAbandoned("host_left", "no seed"), None),
        (LINES[1][1], None),
    ],
)
def test_the_last_event_reveals_the_seed(last: Event, seed: bytes | None) -> None:
    assert revealed_seed([LINES[0][1], last]) == seed
    assert revealed_seed([last, LINES[0][1]]) is None
