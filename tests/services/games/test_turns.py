"""Whoever reads whole histories takes turns, and whoever would wait too long is told so."""

import asyncio

import pytest

from services.games import turns as turns_module
from services.games.errors import Contention
from services.games.turns import Turns


async def test_few_at_a_time_in_the_order_in_which_they_came() -> None:
    turns = Turns(at_once=2, most_waiting=10)
    at_work, most, done = 0, 0, []

    async def work(number: int) -> None:
        nonlocal at_work, most
        async with turns.turn(version=1):
            at_work += 1
            most = max(most, at_work)
            await asyncio.sleep(0)
            at_work -= 1
            done.append(number)

    await asyncio.gather(*map(work, range(8)))
    assert most == 2
    assert done == list(range(8))


async def test_who_would_wait_too_long_is_told_to_come_again() -> None:
    turns = Turns(at_once=1, most_waiting=2)
    go_on = asyncio.Event()

    async def hold() -> None:
        async with turns.turn(version=7):
            await go_on.wait()

    holding = [asyncio.create_task(hold()) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(Contention) as told:
        async with turns.turn(version=7):
            pass
    assert told.value.version == 7
    # One that gives up makes room again.
    holding[2].cancel()
    await asyncio.gather(holding[2], return_exceptions=True)
    fourth = asyncio.create_task(hold())
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(holding[0], holding[1], fourth)


async def test_a_fault_gives_the_turn_back() -> None:
    turns = Turns(at_once=1)
    for _ in range(3):
        with pytest.raises(ValueError, match="fault"):
            async with turns.part():
                raise ValueError("fault")
    async with turns.turn(version=1):
        pass


async def test_a_turn_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "MOST_SECONDS", 0.01)
    turns = Turns(at_once=1)
    async with turns.turn(version=1):
        with pytest.raises(Contention):
            async with turns.turn(version=3):
                pass
    async with turns.turn(version=4):
        pass
