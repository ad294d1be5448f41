"""The bus in memory can be as bad as a bus may be, and is so again when it is asked again."""

import asyncio

from infra.memory.bus import Faults, MemoryBroker, MemoryBus
from tests.infra.listening import Ear

MESSAGES = [f"{number}".encode() for number in range(200)]


async def sent(faults: Faults, seed: int) -> list[bytes]:
    """What is heard of all messages."""
    broker = MemoryBroker(seed, faults)
    bus, ear = MemoryBus(broker), Ear()
    await bus.open(ear)
    assert await bus.subscribe("red")
    for message in MESSAGES:
        bus.publish("red", message)
    await asyncio.sleep(faults.delay + 0.05)
    await bus.close()
    return [message for _, message in ear.heard_so_far]


async def test_without_faults_all_is_heard_in_order() -> None:
    assert await sent(Faults(), seed=1) == MESSAGES


async def test_it_may_lose() -> None:
    heard = await sent(Faults(lose=0.5), seed=1)

    assert 50 < len(heard) < 150
    assert [message for message in MESSAGES if message in set(heard)] == heard
    assert await sent(Faults(lose=0.5), seed=1) == heard
    assert await sent(Faults(lose=0.5), seed=2) != heard
    assert await sent(Faults(lose=1), seed=1) == []


async def test_it_may_double() -> None:
    heard = await sent(Faults(double=0.5), seed=1)

    assert set(heard) == set(MESSAGES)
    assert 250 < len(heard) < 350


async def test_it_may_delay_and_keep_the_order() -> None:
    assert await sent(Faults(delay=0.05), seed=1) == MESSAGES


async def test_it_may_reorder() -> None:
    heard = await sent(Faults(delay=0.05, reorder=0.5), seed=1)

    assert heard != MESSAGES
    assert sorted(heard) == sorted(MESSAGES)


async def test_while_it_is_away_nothing_passes_and_afterwards_everybody_is_told() -> None:
    broker = MemoryBroker(faults=Faults(delay=0.01))
    (one, ear), (other, other_ear) = [(MemoryBus(broker), Ear()) for _ in range(2)]
    for bus, listener in ((one, ear), (other, other_ear)):
        await bus.open(listener)
        assert await bus.subscribe("red")

    one.publish("red", b"on its way")
    broker.go_away()
    one.publish("red", b"into nothing")
    assert not await other.subscribe("blue")
    assert (one.is_connected, one.is_working) == (False, True)
    await asyncio.sleep(0.05)
    broker.come_back()
    one.publish("blue", b"1")

    await other_ear.hears("blue", b"1")
    assert (ear.renewals, other_ear.renewals) == (1, 1)
    assert (ear.heard_so_far, other_ear.heard_so_far) == ([], [("blue", b"1")])
    assert one.is_connected
    await one.close()
    await other.close()
