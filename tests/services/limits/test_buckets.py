"""Token buckets: a burst at once, then a steady rate, for each name by itself, in bounded memory."""

from datetime import UTC, datetime

import pytest

from infra.memory.clock import ManualClock
from services.limits.buckets import Buckets


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 30, 5, 11, 35, tzinfo=UTC))


def taken(buckets: Buckets, name: str, tries: int) -> int:
    """How many of so many tries got a token."""
    return [buckets.take(name) for _ in range(tries)].count(None)


@pytest.mark.parametrize(("rate", "burst"), [(20, 60), (10, 30), (1, 3), (7, 21), (10_000, 30_000), (3, 1)])
def test_a_full_bucket_holds_its_burst(clock: ManualClock, rate: int, burst: int) -> None:
    clock.advance(123_456.789)
    assert taken(Buckets(clock, rate, burst), "ada", burst + 10) == burst


@pytest.mark.parametrize("rate", [1, 3, 7, 10, 20])
def test_an_empty_one_is_refilled_at_its_rate_and_never_over_its_burst(clock: ManualClock, rate: int) -> None:
    buckets = Buckets(clock, rate, 3 * rate)
    taken(buckets, "ada", 3 * rate)
    clock.advance(1)
    assert taken(buckets, "ada", 5 * rate) == rate
    clock.advance(2)
    assert taken(buckets, "ada", 5 * rate) == 2 * rate
    clock.advance(1_000)
    assert taken(buckets, "ada", 5 * rate) == 3 * rate


def test_who_is_turned_away_is_told_when_it_will_be_his_turn_and_waiting_costs_nothing(clock: ManualClock) -> None:
    buckets = Buckets(clock, 4, 2)
    assert taken(buckets, "ada", 2) == 2
    assert [buckets.take("ada") for _ in range(3)] == [pytest.approx(0.25)] * 3
    clock.advance(0.2)
    assert buckets.take("ada") == pytest.approx(0.05)
    clock.advance(0.05)
    assert buckets.take("ada") is None
    assert buckets.take("ada") == pytest.approx(0.25)


def test_names_do_not_touch_each_other(clock: ManualClock) -> None:
    buckets = Buckets(clock, 1, 1)
    assert taken(buckets, "ada", 5) == 1
    assert taken(buckets, "ben", 5) == 1


def test_a_rate_of_nothing_is_no_limit_and_no_memory(clock: ManualClock) -> None:
    buckets = Buckets(clock, 0, 0)
    assert taken(buckets, "ada", 10_000) == 10_000
    assert len(buckets) == 0


def test_the_name_that_was_longest_away_is_forgotten(clock: ManualClock) -> None:
    buckets = Buckets(clock, 1, 1, most=3)
    for name in ("ada", "ben", "cleo"):
        assert buckets.take(name) is None
    # Ada is turned away, and has been here last by that.
    assert buckets.take("ada") is not None
    assert buckets.take("dario") is None
    assert len(buckets) == 3
    assert buckets.take("ada") is not None
    assert buckets.take("ben") is None


def test_a_clock_that_is_set_back_locks_nobody_out(clock: ManualClock) -> None:
    buckets = Buckets(clock, 1, 1)
    assert buckets.take("ada") is None
    clock.advance(-86_400)
    clock.advance(1)
    assert buckets.take("ada") is None
