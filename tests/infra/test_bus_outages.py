"""What the bus does when Redis is away, hangs, or breaks off: it goes on by itself, tells that something was missed,
and makes nobody wait."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from redis.asyncio.connection import SSLConnection

from infra.bus import Bus
from infra.redis.bus import PATIENCE, RedisBus
from infra.redis.publisher import MOST_WAITING
from infra.redis.server import Server
from infra.telemetry import BUS_DROPS, BUS_PUBLISHED, BUS_RECONNECTS
from tests.infra.listening import Ear, until, value
from tests.infra.valkeys import PASSWORD, QUOTED, ValkeyProcess
from tests.infra.wire import Wire

HEARTBEAT = 1.0

Start = Callable[[str], Awaitable[tuple[RedisBus, Ear]]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Opens a bus on an address, connected when it returns if there is somebody."""
    opened: list[Bus] = []

    async def opening(url: str) -> tuple[RedisBus, Ear]:
        bus, ear = RedisBus(url, heartbeat=HEARTBEAT), Ear()
        opened.append(bus)
        await bus.open(ear)
        return bus, ear

    yield opening
    await asyncio.gather(*(bus.close() for bus in opened))


async def hears_again(bus: RedisBus, ear: Ear, channel: str) -> None:
    """A new message arrives."""
    message = f"{time.monotonic_ns()}".encode()
    bus.publish(channel, message)
    await ear.hears(channel, message)


async def test_a_killed_subscription_comes_back_and_tells(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    channels = [f"game {number}" for number in range(1500)]
    assert all(await asyncio.gather(*map(bus.subscribe, channels)))

    valkey.client.client_kill_filter(_type="pubsub")

    await until(lambda: ear.renewals == 1, 3, "it is told")
    # Told when all of them hold, not the first.
    assert len(valkey.client.pubsub_channels()) == len(channels)
    for channel in (channels[0], channels[-1]):
        await hears_again(bus, ear, channel)
    assert ear.renewals == 1


async def test_a_killed_publisher_comes_back(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    await hears_again(bus, ear, "red")

    published, again = value(BUS_PUBLISHED), value(BUS_RECONNECTS.labels("publisher"))

    valkey.client.client_kill_filter(_type="normal", skipme=True)
    bus.publish("red", b"1")
    bus.publish("red", b"2")

    await ear.hears("red", b"1")
    await ear.hears("red", b"2")
    await until(lambda: value(BUS_PUBLISHED) == published + 2, 1, "both are counted")
    assert value(BUS_RECONNECTS.labels("publisher")) == again + 1
    assert ear.renewals == 0


async def test_a_message_that_breaks_the_connection_is_given_up(valkey: ValkeyProcess, start: Start) -> None:
    valkey.client.config_set("proto-max-bulk-len", 1024 * 1024)
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    # The server says why and closes; which of the two is seen is a matter of chance.
    reasons = [BUS_DROPS.labels("broken"), BUS_DROPS.labels("refused")]
    before = sum(map(value, reasons))

    bus.publish("red", b"x" * (1024 * 1024 + 1))
    await until(lambda: sum(map(value, reasons)) == before + 1, 2, "it is given up")

    await hears_again(bus, ear, "red")


async def test_a_killed_server_that_comes_back_is_found_again(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    await bus.subscribe("given up meanwhile")

    valkey.kill()
    await until(lambda: not bus.is_connected, 1, "it notices")
    await asyncio.sleep(0.3)
    drops = value(BUS_DROPS.labels("away"))
    asked = time.monotonic()
    for number in range(20):
        assert not await bus.subscribe(f"blue {number}")
        bus.publish("red", b"into nothing")
    assert not await bus.subscribe("red")  # It was confirmed once, and holds no more.
    assert time.monotonic() - asked < 0.5
    assert value(BUS_DROPS.labels("away")) == drops + 20
    await bus.unsubscribe("given up meanwhile")
    assert bus.is_working
    valkey.start()

    await until(lambda: ear.renewals == 1 and bus.is_connected, 2, "it is told")
    assert len(valkey.client.pubsub_channels()) == 21
    for channel in ("red", "blue 0", "blue 19"):
        await hears_again(bus, ear, channel)
    assert not ear.has("red", b"into nothing")


async def test_a_frozen_server_is_noticed_and_makes_nobody_wait(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    valkey.freeze()
    try:
        bus.publish("red", b"perhaps")
        asked = time.monotonic()
        assert not await bus.subscribe("blue")
        assert time.monotonic() - asked < PATIENCE + 0.5
        await until(lambda: not bus.is_connected, HEARTBEAT * 2, "it notices")
        closing, _ = await start(valkey.url)
        await asyncio.sleep(0.1)
        asked = time.monotonic()
        await closing.close()
        assert time.monotonic() - asked < 1
    finally:
        valkey.thaw()

    await until(lambda: ear.renewals > 0 and bus.is_connected, 5, "it is told")
    await hears_again(bus, ear, "red")
    await hears_again(bus, ear, "blue")


async def test_a_bus_whose_server_is_frozen_can_be_closed(valkey: ValkeyProcess, start: Start) -> None:
    before = asyncio.all_tasks()
    bus, _ = await start(valkey.url)
    assert await bus.subscribe("red")
    valkey.freeze()
    try:
        for _ in range(12):
            bus.publish("red", b"x" * 1_000_000)
        await asyncio.sleep(0.05)
        asked = time.monotonic()
        await bus.close()
        assert time.monotonic() - asked < 1
        assert asyncio.all_tasks() == before
    finally:
        valkey.thaw()


async def test_a_confirmation_that_comes_late_is_told(valkey: ValkeyProcess) -> None:
    bus, ear = RedisBus(valkey.url, heartbeat=5, patience=0.1), Ear()
    await bus.open(ear)
    assert await bus.subscribe("red")
    breaks = value(BUS_RECONNECTS.labels("subscriber"))
    valkey.freeze()
    assert not await bus.subscribe("blue")
    assert not await bus.subscribe("green")
    assert ear.renewals == 0
    valkey.thaw()

    await until(lambda: ear.renewals == 1, 3, "it is told")
    await hears_again(bus, ear, "green")
    assert value(BUS_RECONNECTS.labels("subscriber")) == breaks
    assert ear.renewals == 1
    await bus.close()


async def test_a_connection_that_falls_silent_without_breaking_is_noticed(valkey: ValkeyProcess, start: Start) -> None:
    async with Wire(valkey.port) as wire:
        bus, ear = await start(f"redis://:{QUOTED}@127.0.0.1:{wire.port}")
        assert await bus.subscribe("red")
        await hears_again(bus, ear, "red")

        wire.fall_silent()

        await until(lambda: ear.renewals == 1, HEARTBEAT * 3, "it notices, and is connected anew")
        await until(lambda: bus.is_connected, HEARTBEAT * 3, "the publisher is too")
        await hears_again(bus, ear, "red")
        assert wire.connections == 4
        await bus.close()


async def test_quiet_is_no_break(valkey: ValkeyProcess) -> None:
    """The client's own limit for a read is 5 s unless told otherwise, here 0.2 s by the address."""
    buses = [RedisBus(valkey.url), RedisBus(f"{valkey.url}/0?socket_timeout=0.2&health_check_interval=1")]
    ears = [Ear(), Ear()]
    for bus, ear in zip(buses, ears, strict=True):
        await bus.open(ear)
        assert await bus.subscribe("red")
    await until(lambda: all(bus.is_connected for bus in buses), 1, "both sides of both are connected")
    before = clients(valkey)

    await asyncio.sleep(5.5)

    assert clients(valkey) == before
    assert len(before) == 4
    for bus, ear in zip(buses, ears, strict=True):
        await hears_again(bus, ear, "red")
        assert ear.renewals == 0
        await bus.close()


async def test_one_refused_message_does_not_end_publishing(valkey: ValkeyProcess, start: Start) -> None:
    valkey.client.acl_setuser(
        "player", enabled=True, passwords=["+bean"], categories=["+@all"], channels=["bohnanza:red*"]
    )
    bus, ear = await start(f"redis://player:bean@127.0.0.1:{valkey.port}")
    assert await bus.subscribe("red")
    refused, published = value(BUS_DROPS.labels("refused")), value(BUS_PUBLISHED)

    bus.publish("red", b"1")
    bus.publish("blue", b"2")
    bus.publish("red", b"3")

    await ear.hears("red", b"3")
    await until(lambda: value(BUS_PUBLISHED) == published + 2, 1, "both are counted")
    assert value(BUS_DROPS.labels("refused")) == refused + 1
    assert bus.is_connected


async def test_more_than_fits_is_dropped_and_counted(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    await until(lambda: bus.is_connected, 1, "both sides are connected")
    dropped = value(BUS_DROPS.labels("full"))

    for _ in range(MOST_WAITING + 1000):
        bus.publish("red", b"1")
    for _ in range(20):
        bus.publish("blue", b"x" * 1_000_000)

    await until(lambda: len(ear.heard_so_far) == MOST_WAITING, 5, "those that fitted are heard")
    assert value(BUS_DROPS.labels("full")) == dropped + 1020
    await hears_again(bus, ear, "red")


async def test_a_few_huge_messages_fill_it_too(valkey: ValkeyProcess, start: Start) -> None:
    bus, ear = await start(valkey.url)
    assert await bus.subscribe("red")
    await until(lambda: bus.is_connected, 1, "both sides are connected")
    dropped = value(BUS_DROPS.labels("full"))

    for _ in range(20):
        bus.publish("red", b"x" * 1024 * 1024)

    await until(lambda: len(ear.heard_so_far) == 16, 5, "16 MiB are heard")
    assert value(BUS_DROPS.labels("full")) == dropped + 4
    await hears_again(bus, ear, "red")


async def test_after_ten_thousand_joins_and_leaves_nothing_is_left(valkey: ValkeyProcess, start: Start) -> None:
    bus, _ = await start(valkey.url)
    games = [f"game {number}" for number in range(10_000)]
    for first in range(0, len(games), 500):
        some = games[first : first + 500]
        assert all(await asyncio.gather(*map(bus.subscribe, some)))
        await asyncio.gather(*map(bus.unsubscribe, some))

    await until(lambda: valkey.client.pubsub_channels() == [], 5, "the server forgets")
    assert valkey.client.pubsub_numsub("bohnanza:game 1") == [(b"bohnanza:game 1", 0)]
    await until(lambda: node_tables(bus) == [{}, set(), {}, {}], 1, "the bus forgets")
    assert bus._wishes == {}


async def test_an_address_with_a_wrong_password_is_no_fault_and_not_told(
    valkey: ValkeyProcess, start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    bus, _ = await start(f"redis://:hidden-word@127.0.0.1:{valkey.port}")
    right, ear = await start(valkey.url)
    assert await right.subscribe("red")
    right.publish("red", b"hidden-message")
    await ear.hears("red", b"hidden-message")
    valkey.kill()
    await until(lambda: not right.is_connected, 1, "it notices")
    await asyncio.sleep(0.3)

    assert not await bus.subscribe("red")
    assert bus.is_working
    assert "cannot reach Redis" in caplog.text
    assert "has lost its connection" in caplog.text
    assert not any(secret in caplog.text for secret in ("hidden", PASSWORD, QUOTED, "127.0.0.1", str(valkey.port)))


async def test_a_fault_of_the_program_shows(valkey: ValkeyProcess, caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(Ear):
        def heard(self, channel: str, message: bytes) -> None:
            raise KeyError(channel, message)

    bus = RedisBus(valkey.url)
    await bus.open(Faulty())
    assert await bus.subscribe("red")
    assert bus.is_working

    bus.publish("red", b"hidden")

    await until(lambda: not bus.is_working, 1, "it shows")
    assert not bus.is_connected
    assert "KeyError" in caplog.text
    assert "fault of the program" in caplog.text
    assert "hidden" not in caplog.text
    await bus.close()


def test_an_encrypted_address_is_used_encrypted() -> None:
    server = Server("rediss://user:word@host:6380/0?ssl_cert_reqs=required")

    assert (server._class, server.address) == (SSLConnection, ("host", 6380))
    assert server.at("other", 1)._class is SSLConnection


def clients(valkey: ValkeyProcess) -> set[str]:
    """The connections of everybody but the one who asks."""
    own = str(valkey.client.client_id())
    return {str(client["id"]) for client in valkey.client.client_list()} - {own}


def node_tables(bus: RedisBus) -> list[object]:
    """All that a subscriber keeps for each channel."""
    (node,) = bus._nodes.values()
    subscriber = node.subscriber
    return [subscriber._wishes, subscriber._owed, subscriber._told, subscriber._changed]
