"""The bus without a server. Several on one broker are like several processes, and the broker can be as bad as a bus may
be: away, or losing, doubling, delaying and reordering by a seeded chance."""

import asyncio
import heapq
from random import Random
from typing import Final

import msgspec

from infra.bus import Listener
from infra.telemetry import BUS_DROPS, BUS_HEARD, BUS_PUBLISHED, BUS_RECONNECTS, BUS_UNCONFIRMED


class Faults(msgspec.Struct, frozen=True):
    """What may befall a message on its way to one listener: chances from 0 to 1, except for the time."""

    lose: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    """Up to that many seconds, each its own."""
    reorder: float = 0.0
    """That it does not keep its turn among the delayed, and so may overtake or be overtaken."""


NO_FAULTS: Final = Faults()


class MemoryBroker:
    """What the buses of one test have in common. The same seed gives the same faults for the same messages."""

    def __init__(self, seed: int = 0, faults: Faults = NO_FAULTS) -> None:
        self.faults = faults
        self.is_away = False
        self._chance = Random(seed)  # noqa: S311 - a test wants it to be foreseen
        self._buses: list[MemoryBus] = []

    def go_away(self) -> None:
        """Nothing passes any more; what is on its way is lost."""
        self.is_away = True
        for bus in self._buses:
            bus.lose_all()

    def come_back(self) -> None:
        """Everything passes again, and every bus is told."""
        self.is_away = False
        for bus in self._buses:
            bus.renew()

    def join(self, bus: "MemoryBus") -> None:
        """From now on this bus takes part."""
        self._buses.append(bus)

    def leave(self, bus: "MemoryBus") -> None:
        """From now on it does not."""
        if bus in self._buses:
            self._buses.remove(bus)

    def pass_on(self, channel: str, message: bytes) -> None:
        """To every bus that hears the channel."""
        for bus in self._buses:
            if bus.hears(channel):
                for _ in range(self._copies()):
                    wait = self._chance.uniform(0, self.faults.delay)
                    bus.arrive(channel, message, wait, in_turn=self._chance.random() >= self.faults.reorder)

    def _copies(self) -> int:
        if self._chance.random() < self.faults.lose:
            return 0
        return 2 if self._chance.random() < self.faults.double else 1


class MemoryBus:
    """Bus on a broker in this process."""

    def __init__(self, broker: MemoryBroker) -> None:
        self._broker = broker
        self._listener: Listener | None = None
        self._channels: set[str] = set()
        self._coming: list[tuple[float, int, str, bytes]] = []
        self._arrivals = 0
        self._losses = 0
        self._last_due = 0.0

    async def open(self, listener: Listener) -> None:
        """As Bus.open."""
        self._listener = listener
        self._broker.join(self)

    async def close(self) -> None:
        """As Bus.close."""
        self._broker.leave(self)
        self.lose_all()
        self._channels.clear()
        self._listener = None

    def publish(self, channel: str, message: bytes) -> None:
        """As Bus.publish."""
        if self._broker.is_away or self._listener is None:
            BUS_DROPS.labels("away").inc()
            return
        BUS_PUBLISHED.inc()
        self._broker.pass_on(channel, message)

    async def subscribe(self, channel: str) -> bool:
        """As Bus.subscribe."""
        self._channels.add(channel)
        if self._broker.is_away or self._listener is None:
            BUS_UNCONFIRMED.inc()
            return False
        return True

    async def unsubscribe(self, channel: str) -> None:
        """As Bus.unsubscribe."""
        self._channels.discard(channel)

    @property
    def is_connected(self) -> bool:
        """As Bus.is_connected."""
        return self._listener is not None and not self._broker.is_away

    @property
    def is_working(self) -> bool:
        """As Bus.is_working."""
        return self._listener is not None

    def hears(self, channel: str) -> bool:
        """Whether it has subscribed to the channel."""
        return channel in self._channels

    def arrive(self, channel: str, message: bytes, wait: float, *, in_turn: bool) -> None:
        """The message is heard after so many seconds; in turn: not before what was sent earlier."""
        loop = asyncio.get_running_loop()
        due = loop.time() + wait
        if in_turn:
            due = self._last_due = max(due, self._last_due)
        self._arrivals += 1
        heapq.heappush(self._coming, (due, self._arrivals, channel, message))
        loop.call_at(due, self._deliver, self._losses)

    def lose_all(self) -> None:
        """What is on its way to this bus does not arrive."""
        self._losses += 1
        self._coming.clear()

    def renew(self) -> None:
        """The broker is back."""
        BUS_RECONNECTS.labels("subscriber").inc()
        if self._listener is not None and self._channels:
            self._listener.renewed()

    def _deliver(self, losses: int) -> None:
        # Every message has its call and every call takes the next message: which of them fires when does not matter.
        if losses != self._losses or self._listener is None:
            return
        _, _, channel, message = heapq.heappop(self._coming)
        if channel in self._channels:
            BUS_HEARD.inc()
            self._listener.heard(channel, message)
