"""A listener that remembers, and waiting for what it hears."""

import asyncio
from collections.abc import Callable

from prometheus_client import Counter


async def until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Until the condition holds; an AssertionError with `what` if it does not in that time."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not condition():
        assert loop.time() < deadline, f"not within {seconds} s: {what}"
        await asyncio.sleep(0.005)


class Ear:
    """Keeps everything that a bus tells it."""

    def __init__(self) -> None:
        self.heard_so_far: list[tuple[str, bytes]] = []
        self.renewals = 0

    def heard(self, channel: str, message: bytes) -> None:
        self.heard_so_far.append((channel, message))

    def renewed(self) -> None:
        self.renewals += 1

    def has(self, channel: str, message: bytes) -> bool:
        return (channel, message) in self.heard_so_far

    async def hears(self, channel: str, message: bytes, seconds: float = 3) -> None:
        await until(lambda: self.has(channel, message), seconds, f"{message[:20]!r} is heard")


def value(counter: Counter) -> float:
    """What a counter shows."""
    shown: float = counter._value.get()
    return shown
