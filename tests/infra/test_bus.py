"""What every bus does while nothing goes wrong: the suite that each implementation passes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from uuid import uuid4

import pytest

from infra.bus import Bus
from infra.memory.bus import MemoryBroker, MemoryBus
from infra.redis.opening import redis_bus
from infra.telemetry import BUS_DROPS, BUS_HEARD, BUS_PUBLISHED
from tests.infra.listening import Ear, until, value
from tests.infra.valkeys import ValkeyCluster


@dataclass
class Processes:
    """Each has a bus of its own, on the same other side."""

    make: Callable[[], Bus]
    opened: list[Bus] = field(default_factory=list)

    async def start(self) -> tuple[Bus, Ear]:
        bus, ear = self.make(), Ear()
        self.opened.append(bus)
        await bus.open(ear)
        return bus, ear


@pytest.fixture(params=["memory", "valkey", "cluster"])
async def processes(request: pytest.FixtureRequest) -> AsyncIterator[Processes]:
    """Each implementation in turn, in a corner of the other side that nobody else uses."""
    prefix = f"{uuid4().hex}:"
    if request.param == "memory":
        broker = MemoryBroker()
        processes = Processes(lambda: MemoryBus(broker))
    elif request.param == "valkey":
        url: str = request.getfixturevalue("valkey_url")
        processes = Processes(lambda: redis_bus(url, prefix=prefix))
    else:
        cluster: ValkeyCluster = request.getfixturevalue("valkey_cluster")
        processes = Processes(lambda: redis_bus(cluster.url, prefix=prefix))
    yield processes
    await asyncio.gather(*(bus.close() for bus in processes.opened))


async def test_what_is_published_is_heard_by_all_who_subscribed_and_by_nobody_else(processes: Processes) -> None:
    (one, ear), (other, other_ear), (third, third_ear) = [await processes.start() for _ in range(3)]
    assert await one.subscribe("red")
    assert await other.subscribe("red")
    assert await third.subscribe("blue")

    one.publish("red", b"1")
    third.publish("red", b"2")
    other.publish("blue", b"3")

    for listener in (ear, other_ear):
        await listener.hears("red", b"1")
        await listener.hears("red", b"2")
    await third_ear.hears("blue", b"3")
    assert sorted(ear.heard_so_far) == [("red", b"1"), ("red", b"2")]
    assert sorted(other_ear.heard_so_far) == [("red", b"1"), ("red", b"2")]
    assert third_ear.heard_so_far == [("blue", b"3")]


async def test_what_was_unsubscribed_is_heard_no_more_and_the_rest_still(processes: Processes) -> None:
    bus, ear = await processes.start()
    assert await bus.subscribe("red")
    assert await bus.subscribe("blue")
    await bus.unsubscribe("red")
    await bus.unsubscribe("never subscribed")

    bus.publish("red", b"1")
    bus.publish("blue", b"2")

    await ear.hears("blue", b"2")
    await asyncio.sleep(0.05)
    assert ear.heard_so_far == [("blue", b"2")]


async def test_an_unsubscription_with_a_subscription_right_after_it_ends_subscribed(processes: Processes) -> None:
    bus, ear = await processes.start()
    other, _ = await processes.start()
    assert await other.subscribe("anything")  # It is connected.
    assert await bus.subscribe("red")

    for turn in range(50):
        if turn % 3 == 0:
            await asyncio.sleep(0.001)  # Now the other side may have heard of half of it.
        _, confirmed = await asyncio.gather(bus.unsubscribe("red"), bus.subscribe("red"))
        assert confirmed
        message = f"{turn}".encode()
        other.publish("red", message)
        await ear.hears("red", message)
    assert ear.renewals == 0


async def test_two_who_subscribe_at_once_are_both_told(processes: Processes) -> None:
    bus, ear = await processes.start()

    assert all(await asyncio.gather(bus.subscribe("red"), bus.subscribe("red")))
    bus.publish("red", b"1")
    await ear.hears("red", b"1")
    await bus.unsubscribe("red")
    bus.publish("red", b"2")
    await asyncio.sleep(0.05)

    assert ear.heard_so_far == [("red", b"1")]


async def test_names_and_messages_may_hold_anything(processes: Processes) -> None:
    bus, ear = await processes.start()
    everything = bytes(range(256))
    names = ["a b\r\nc", "Ärmel 🫘", "{same}", "{same} slot", "*", ""]
    for name in names:
        assert await bus.subscribe(name)

    for name in names:
        bus.publish(name, everything)
        bus.publish(name, b"")

    for name in names:
        await ear.hears(name, everything)
        await ear.hears(name, b"")
    assert len(ear.heard_so_far) == 2 * len(names)


async def test_a_message_may_be_as_long_as_a_megabyte(processes: Processes) -> None:
    bus, ear = await processes.start()
    assert await bus.subscribe("red")

    bus.publish("red", b"bean" * 262_144)

    await ear.hears("red", b"bean" * 262_144, seconds=5)


async def test_many_games_are_heard_and_none_is_mistaken_for_another(processes: Processes) -> None:
    bus, ear = await processes.start()
    other, _ = await processes.start()
    games = [str(uuid4()) for _ in range(200)]
    assert await other.subscribe("anything")
    assert all(await asyncio.gather(*map(bus.subscribe, games)))

    for game in games:
        other.publish(game, game.encode())

    await until(lambda: len(ear.heard_so_far) == len(games), 5, "every game is heard")
    assert sorted(ear.heard_so_far) == sorted((game, game.encode()) for game in games)


async def test_what_is_passed_on_and_heard_is_counted(processes: Processes) -> None:
    bus, ear = await processes.start()
    assert await bus.subscribe("red")
    published, heard = value(BUS_PUBLISHED), value(BUS_HEARD)

    for _ in range(7):
        bus.publish("red", b"1")

    await until(lambda: len(ear.heard_so_far) == 7, 3, "all are heard")
    await until(lambda: value(BUS_PUBLISHED) == published + 7, 3, "all are counted")
    assert value(BUS_HEARD) == heard + 7


async def test_it_tells_whether_it_is_connected_and_works(processes: Processes) -> None:
    bus, _ = await processes.start()
    await until(lambda: bus.is_connected, 3, "it is connected")
    assert bus.is_working

    await bus.close()

    assert (bus.is_connected, bus.is_working) == (False, False)


async def test_before_it_is_opened_and_after_it_is_closed_nothing_passes_and_nothing_fails(
    processes: Processes,
) -> None:
    bus = processes.make()
    other, other_ear = await processes.start()
    assert await other.subscribe("red")
    drops = value(BUS_DROPS.labels("away"))
    assert (bus.is_connected, bus.is_working) == (False, False)
    bus.publish("red", b"too early")
    ear = Ear()
    await bus.open(ear)
    assert await bus.subscribe("red")

    await bus.close()
    bus.publish("red", b"too late")
    assert not await bus.subscribe("blue")
    await bus.unsubscribe("red")
    other.publish("red", b"1")

    await other_ear.hears("red", b"1")
    assert other_ear.heard_so_far == [("red", b"1")]
    assert ear.heard_so_far == []
    assert value(BUS_DROPS.labels("away")) == drops + 2
    await bus.close()


async def test_when_it_is_closed_no_task_is_left(processes: Processes) -> None:
    before = asyncio.all_tasks()
    for _ in range(3):
        bus, _ = await processes.start()
        await bus.subscribe("red")
        bus.publish("red", b"1")
        await bus.close()
    assert asyncio.all_tasks() == before
