"""What everything does that tells who is there: the suite that each implementation passes, and what Redis adds."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from infra.memory.presence import MemoryPresence
from infra.presence import Presence
from infra.redis.opening import redis_presence
from infra.telemetry import PRESENCE_FAILURES
from tests.infra.listening import until, value
from tests.infra.valkeys import ValkeyCluster, ValkeyProcess

SECONDS = 0.6


@pytest.fixture(params=["memory", "valkey", "cluster"])
async def processes(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Presence, Presence]]:
    """Two processes, by each implementation in turn."""
    prefix = f"{uuid4().hex}:"
    both: tuple[Presence, Presence]
    if request.param == "memory":
        shared = MemoryPresence(SECONDS)
        both = shared, shared
    elif request.param == "valkey":
        url: str = request.getfixturevalue("valkey_url")
        both = redis_presence(url, prefix=prefix, seconds=SECONDS), redis_presence(url, prefix=prefix, seconds=SECONDS)
    else:
        address = request.getfixturevalue("valkey_cluster").url
        one, other = (redis_presence(address, prefix=prefix, seconds=SECONDS) for _ in range(2))
        both = one, other
    yield both
    for presence in both:
        await presence.close()


async def test_who_arrives_is_there_for_all_until_he_leaves(processes: tuple[Presence, Presence]) -> None:
    here, there = processes
    red, blue = str(uuid4()), str(uuid4())
    await here.arrive(red, "zoë/1")
    await there.arrive(red, "anna 🫘")
    await here.arrive(red, "zoë/1")
    await here.arrive(blue, "ben")

    for presence in processes:
        assert await presence.present(red) == ["anna 🫘", "zoë/1"]
        assert await presence.present(blue) == ["ben"]
        assert await presence.present(str(uuid4())) == []
    await there.leave(red, "zoë/1")
    await there.leave(red, "nobody")
    assert await here.present(red) == ["anna 🫘"]
    await here.leave(red, "anna 🫘")
    assert await there.present(red) == []


async def test_who_is_not_renewed_is_gone_and_who_is_stays(processes: tuple[Presence, Presence]) -> None:
    here, there = processes
    game = str(uuid4())
    await here.arrive(game, "anna")
    await there.arrive(game, "ben")

    for _ in range(6):
        await asyncio.sleep(SECONDS / 5)
        await there.arrive(game, "ben")

    assert await here.present(game) == ["ben"]
    await asyncio.sleep(SECONDS + 0.05)
    assert await here.present(game) == []


async def test_in_redis_nothing_stays_behind(valkey: ValkeyProcess) -> None:
    presence = redis_presence(valkey.url, seconds=SECONDS)
    await presence.arrive("left", "anna")
    await presence.leave("left", "anna")
    await presence.arrive("died", "anna")
    assert len(valkey.client.keys()) == 1

    await until(lambda: valkey.client.keys() == [], SECONDS + 1, "the last key is gone")
    await presence.close()


@pytest.mark.parametrize("harm", ["kill", "freeze"])
async def test_without_redis_nothing_is_known_and_nobody_waits_long(valkey: ValkeyProcess, harm: str) -> None:
    presence = redis_presence(valkey.url)
    await presence.arrive("red", "anna")
    away = value(PRESENCE_FAILURES.labels("away"))
    getattr(valkey, harm)()
    asked = time.monotonic()

    answers = await asyncio.gather(
        presence.present("red"), presence.arrive("red", "ben"), presence.leave("red", "ben"), presence.present("blue")
    )

    assert time.monotonic() - asked < 1.5
    assert all(answer is None for answer in answers)
    assert value(PRESENCE_FAILURES.labels("away")) == away + 4
    heal: Callable[[], None] = valkey.start if harm == "kill" else valkey.thaw
    heal()
    await presence.arrive("red", "carl")
    assert "carl" in (await presence.present("red") or [])
    await presence.close()


async def test_a_refusal_is_counted_and_nothing_is_known(valkey: ValkeyProcess) -> None:
    presence = redis_presence(valkey.url, prefix="mine:")
    refused = value(PRESENCE_FAILURES.labels("refused"))
    valkey.client.set("mine:present:red", "something else")

    await presence.arrive("red", "anna")

    assert await presence.present("red") is None
    assert value(PRESENCE_FAILURES.labels("refused")) == refused + 2
    await presence.close()


async def test_many_at_once_share_a_few_connections(valkey: ValkeyProcess) -> None:
    presence = redis_presence(valkey.url)

    await asyncio.gather(*(presence.arrive("red", f"member {number:03}") for number in range(300)))

    assert await presence.present("red") == [f"member {number:03}" for number in range(300)]
    async with Redis.from_url(valkey.url) as client:
        assert len(await client.client_list()) < 12
    await presence.close()


async def test_a_cluster_that_is_away_is_no_error(valkey: ValkeyProcess, valkey_cluster: ValkeyCluster) -> None:
    nobody = redis_presence("redis://:hidden@127.0.0.1:1,127.0.0.1:2/?cluster=true")
    no_cluster = redis_presence(f"{valkey.url}/?cluster=true")
    wrong = redis_presence(valkey_cluster.url.replace("redis://:", "redis://:not-"))

    for presence in (nobody, no_cluster, wrong):
        await presence.arrive("red", "anna")
        assert await presence.present("red") is None
        await presence.close()
