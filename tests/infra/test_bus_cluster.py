"""The bus on a real cluster: every game's channel lies at the server that has its slot, and a server that goes takes
nothing else with it."""

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest
from redis.crc import key_slot

from infra.redis.cluster import ClusterBus
from infra.telemetry import BUS_DROPS
from tests.infra.listening import Ear, until, value
from tests.infra.valkeys import QUOTED, ValkeyCluster, ValkeyProcess

Process = tuple[ClusterBus, Ear]


@pytest.fixture
async def pair(valkey_cluster: ValkeyCluster) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes that find the cluster by one member each."""
    prefix = f"{uuid4().hex}:"
    both = []
    for node in valkey_cluster.nodes[:2]:
        bus, ear = ClusterBus(f"{node.url}/?cluster=true", prefix=prefix, heartbeat=1, patience=1), Ear()
        await bus.open(ear)
        both.append((bus, ear))
    yield both[0], both[1]
    await asyncio.gather(*(bus.close() for bus, _ in both))


def by_node(cluster: ValkeyCluster, bus: ClusterBus, channel: str) -> ValkeyProcess:
    """The server that a channel belongs to: each has a third of the slots."""
    return cluster.nodes[key_slot(bus._name(channel)) // (16384 // 3 + 1)]


async def reaches(sender: ClusterBus, ear: Ear, channel: str) -> None:
    message = uuid4().bytes
    sender.publish(channel, message)
    await ear.hears(channel, message)


async def test_games_lie_on_all_servers_and_are_heard_everywhere(
    valkey_cluster: ValkeyCluster, pair: tuple[Process, Process]
) -> None:
    (one, ear), (other, other_ear) = pair
    games = [str(uuid4()) for _ in range(60)]
    for bus, _ in pair:
        assert all(await asyncio.gather(*map(bus.subscribe, games)))

    for node in valkey_cluster.nodes:
        own = {one._name(game) for game in games if by_node(valkey_cluster, one, game) is node}
        assert own
        assert shard_channels(node, one) == own
    for game in games:
        one.publish(game, b"1")
        other.publish(game, b"2")
    for listener in (ear, other_ear):
        await until(lambda listener=listener: len(listener.heard_so_far) == 120, 3, "all is heard")  # type: ignore[misc]
        assert sorted(listener.heard_so_far) == sorted((game, number) for game in games for number in (b"1", b"2"))

    await asyncio.gather(*map(one.unsubscribe, games), *map(other.unsubscribe, games))
    for node in valkey_cluster.nodes:
        await until(lambda node=node: not shard_channels(node, one), 2, "it forgets")  # type: ignore[misc]


async def test_a_server_that_dies_takes_only_its_own_games_and_is_found_again(
    valkey_cluster: ValkeyCluster, pair: tuple[Process, Process]
) -> None:
    (one, ear), (other, _) = pair
    games = [str(uuid4()) for _ in range(40)]
    assert all(await asyncio.gather(*map(one.subscribe, games)))
    await until(lambda: one.is_connected and other.is_connected, 3, "all are connected")
    # The one by which `one` found the cluster.
    dead = valkey_cluster.nodes[0]
    lost = next(game for game in games if by_node(valkey_cluster, one, game) is dead)
    kept = [game for game in games if by_node(valkey_cluster, one, game) is not dead]
    new = next(name for name in map(str, range(99)) if by_node(valkey_cluster, one, name) is dead)
    dead.kill()
    try:
        await until(lambda: not one.is_connected, 2, "it notices")
        await asyncio.sleep(0.3)
        assert one.is_working
        assert not await one.subscribe(new)
        drops = value(BUS_DROPS.labels("away"))
        other.publish(lost, b"into nothing")
        assert value(BUS_DROPS.labels("away")) == drops + 1
        for game in kept:
            await reaches(other, ear, game)
        assert ear.renewals == 0
    finally:
        dead.start()

    await until(lambda: one.is_connected and other.is_connected and ear.renewals == 1, 5, "all is whole again")
    for game in (lost, new, kept[0]):
        await reaches(other, ear, game)
    assert not ear.has(lost, b"into nothing")
    await until(lambda: all(map(valkey_cluster.is_whole, valkey_cluster.nodes)), 10, "for the tests that follow")


async def test_a_game_whose_slot_moves_is_heard_at_its_new_server(
    valkey_cluster: ValkeyCluster, pair: tuple[Process, Process]
) -> None:
    (one, ear), (other, _) = pair
    source, target = valkey_cluster.nodes[1:]
    game = next(name for name in map(str, range(99)) if by_node(valkey_cluster, one, name) is source)
    assert await one.subscribe(game)
    await reaches(other, ear, game)
    slot = key_slot(one._name(game))

    try:
        move(slot, source, target, valkey_cluster)
        await until(lambda: ear.renewals >= 1, 5, "it is told")
        await until(lambda: bool(shard_channels(target, one)), 2, "it is heard there")
        await until(
            lambda: other._slots[slot] == ("127.0.0.1", target.port) or publishes(other, game), 5, "it is known"
        )
        await reaches(other, ear, game)
        assert not shard_channels(source, one)
    finally:
        move(slot, target, source, valkey_cluster)
    await until(lambda: bool(shard_channels(source, one)), 5, "it is heard here again")


async def test_a_game_whose_slot_is_nobodys_for_a_while_is_told_when_it_is_heard_again(
    pair: tuple[Process, Process],
) -> None:
    (one, ear), (other, _) = pair
    assert await one.subscribe("red")
    await until(lambda: one.is_connected, 3, "all are connected")
    slots = one._slots

    await one._arrange([None] * len(slots), ear)
    assert (one._nodes, one.is_connected, one.is_working) == ({}, False, True)
    asking = asyncio.create_task(one.subscribe("red"))
    await asyncio.sleep(0.05)
    assert not asking.done()
    await one._arrange(slots, ear)

    assert await asking
    assert ear.renewals == 1
    await reaches(other, ear, "red")


async def test_a_cluster_that_comes_late_is_found(valkey_cluster: ValkeyCluster) -> None:
    early = valkey_cluster.nodes[2]
    early.freeze()
    try:
        bus, ear = ClusterBus(f"{early.url}/?cluster=true", heartbeat=1, patience=0.1), Ear()
        await bus.open(ear)
        assert not await bus.subscribe("red")
        bus.publish("red", b"into nothing")
        assert (bus.is_connected, bus.is_working) == (False, True)
    finally:
        early.thaw()

    await until(lambda: ear.renewals == 1 and bus.is_connected, 5, "it is found")
    await reaches(bus, ear, "red")
    await bus.close()


async def test_a_server_that_is_no_cluster_is_no_fault(valkey: ValkeyProcess, caplog: pytest.LogCaptureFixture) -> None:
    before = asyncio.all_tasks()
    bus = ClusterBus(f"{valkey.url}/?cluster=true")
    await bus.open(Ear())
    await until(lambda: "tells who has what" in caplog.text, 2, "it is said")

    assert not await bus.subscribe("red")
    assert (bus.is_connected, bus.is_working) == (False, True)
    await bus.close()
    assert asyncio.all_tasks() == before
    assert QUOTED not in caplog.text


def shard_channels(node: ValkeyProcess, bus: ClusterBus) -> set[bytes]:
    """The channels of that bus that are heard at a server."""
    names = {name for name in node.client.pubsub_shardchannels() if isinstance(name, bytes)}
    return {name for name in names if name.startswith(bus._prefix.encode())}


def publishes(bus: ClusterBus, channel: str) -> bool:
    """By what the old server answers the bus learns that the slot has moved."""
    bus.publish(channel, b"where?")
    return False


def move(slot: int, source: ValkeyProcess, target: ValkeyProcess, cluster: ValkeyCluster) -> None:
    """Give a slot without keys to another server."""
    new_owner = target.say("MYID").decode()
    target.say("SETSLOT", slot, "IMPORTING", source.say("MYID").decode())
    source.say("SETSLOT", slot, "MIGRATING", new_owner)
    for node in (target, source, *cluster.nodes):
        node.say("SETSLOT", slot, "NODE", new_owner)
