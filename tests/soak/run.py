"""The games of a soak, spread over processes. They come back in their order, one by one; a signal to end ends them
all at once."""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from math import ceil
from multiprocessing import active_children, get_context
from types import FrameType
from typing import Final

from msgspec import Struct

from tests.domain.editions import Setup
from tests.soak.game import Order, Played, play

CHUNK: Final = 16
"""Games that a process takes at a time: less than a second, so that there is always something new to show."""

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Plan(Struct, frozen=True):
    """What is to be played: so many games in all, by turns of every setup, each numbered from `first` on."""

    setups: list[Setup]
    games: int
    seed: int
    first: int
    processes: int

    def orders(self) -> Iterator[Order]:
        """One for each game."""
        for index in range(self.games):
            turn, place = divmod(index, len(self.setups))
            yield Order(self.setups[place], self.seed, self.first + turn)


class Interrupted(BaseException):
    """Somebody wants it to end now."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def games(plan: Plan) -> Iterator[Played]:
    """Each as it has been played. BrokenProcessPool if a process was killed; Interrupted within `interruptible`."""
    processes = min(plan.processes, ceil(plan.games / CHUNK))
    if processes == 1:
        yield from map(play, plan.orders())
        return
    # Started anew, not forked: a child has nothing of its parent, neither threads nor a terminal that is drawn on.
    pool = ProcessPoolExecutor(processes, get_context("spawn"))
    try:
        with _held_back(signal.SIGINT):
            played = pool.map(play, plan.orders(), chunksize=CHUNK)
        yield from played
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.terminate()


@contextmanager
def interruptible() -> Iterator[None]:
    """A signal to end raises Interrupted."""
    previous = {number: signal.signal(number, _interrupt) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    raise Interrupted(number)


@contextmanager
def _held_back(number: int) -> Iterator[None]:
    """A signal that comes meanwhile comes afterwards; processes that are started meanwhile never get it. Ctrl-C goes to
    every process of the terminal, and it is the parent that ends the others."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
