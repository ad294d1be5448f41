"""Soon after a day is over it is seen to, and again until it has succeeded, whatever the clock does."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from infra.event_store import StoreFault, StoreUnavailable
from infra.memory.clock import ManualClock
from services.audit.daily import FAULT_SECONDS, LONGEST_SLEEP, RETRY_SECONDS, SPREAD_SECONDS, Daily
from tests.services.games.counters import counter

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
GRACE = timedelta(minutes=15)


class Enough(Exception):
    """The test has seen what it wants to see."""


class Days:
    """Something to be done daily, and the time that passes while nothing is."""

    def __init__(self, now: datetime, naps: int, fails: list[Exception] | None = None) -> None:
        self.clock = ManualClock(now)
        self.begun: list[datetime] = []
        self.is_begun = asyncio.Event()
        self.slept: list[float] = []
        self._naps = naps
        self._fails = fails or []

    async def work(self) -> None:
        self.begun.append(self.clock.now())
        self.is_begun.set()
        if self._fails:
            raise self._fails.pop(0)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if len(self.slept) == self._naps:
            raise Enough
        self.clock.advance(seconds)

    async def run(self) -> None:
        with pytest.raises(Enough):
            await Daily(self.work, self.clock, GRACE, self.sleep).run()


async def test_it_begins_at_once_and_soon_after_each_day_is_over() -> None:
    days = Days(NOON, 60)
    await days.run()
    assert days.begun[0] == NOON
    for number in range(1, 3):
        due = datetime(2026, 11, 30, 0, 15, tzinfo=UTC) + timedelta(days=number)
        assert any(due <= begun <= due + timedelta(seconds=SPREAD_SECONDS) for begun in days.begun)
    assert max(days.slept) <= LONGEST_SLEEP + SPREAD_SECONDS


async def test_it_looks_at_the_clock_every_hour_in_between() -> None:
    days = Days(NOON, 13)
    await days.run()
    assert days.slept[:12] == [LONGEST_SLEEP] * 12
    assert days.begun[12] == NOON + timedelta(hours=12)


async def test_while_the_store_is_away_it_is_tried_again_and_counted() -> None:
    unavailable, refused = counter("anchor_retries", reason="unavailable"), counter("anchor_retries", reason="refused")
    days = Days(NOON, 5, [StoreUnavailable("away"), StoreUnavailable("away"), StoreFault("refused")])
    await days.run()
    assert days.slept[:3] == [RETRY_SECONDS] * 3
    assert days.slept[3] == LONGEST_SLEEP
    assert (unavailable(), refused()) == (2, 1)


async def test_a_fault_of_the_program_is_counted_and_logged_and_does_not_end_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults = counter("anchor_faults")
    days = Days(NOON, 5, [KeyError("a secret"), ValueError("a secret")])
    await days.run()
    assert faults() == 2
    assert days.slept[:3] == [FAULT_SECONDS, FAULT_SECONDS, LONGEST_SLEEP]
    assert FAULT_SECONDS > RETRY_SECONDS
    assert len(days.begun) == 5
    assert "A fault behind the anchors: KeyError" in caplog.text
    assert "a secret" not in caplog.text


async def test_it_ends_with_its_process_and_that_is_no_fault() -> None:
    faults = counter("anchor_faults")
    days = Days(NOON, 5)
    daily = Daily(days.work, days.clock, GRACE)
    await daily.close()
    daily.open()
    await days.is_begun.wait()
    await daily.close()
    await asyncio.sleep(0)
    assert faults() == 0
    assert len(days.begun) == 1
