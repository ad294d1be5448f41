"""Presence in Redis: for each game a sorted set of members by the time at which they run out. The time is the
server's own, since clocks of processes differ; the set itself runs out with its last member."""

import asyncio
from typing import Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError, ResponseError

from infra.addresses import redis_servers
from infra.presence import PRESENCE_SECONDS
from infra.redis.bus import PREFIX
from infra.redis.server import Server
from infra.telemetry import PRESENCE_FAILURES

PATIENCE: Final = 1.0
"""Seconds for each question."""

CONNECTIONS: Final = 8
_ADDRESS: Final = frozenset({"host", "port"})

# Milliseconds throughout: as the score of a sorted set they stay whole.
_NOW: Final = "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000) "
_ARRIVE: Final = (
    f"{_NOW}"
    "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now) "
    "redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1]) "
    "redis.call('PEXPIRE', KEYS[1], ARGV[2])"
)
_PRESENT: Final = f"{_NOW} return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')"


class RedisPresence:
    """Presence on the server, or the cluster, of `url`. An entry holds for `seconds`."""

    def __init__(self, url: str, *, prefix: str = PREFIX, seconds: float = PRESENCE_SECONDS) -> None:
        self._redis = _client(url)
        self._prefix = prefix
        self._lifetime = round(seconds * 1000)

    async def arrive(self, game: str, member: str) -> None:
        """As Presence.arrive."""
        await self._ask(self._redis.eval(_ARRIVE, 1, self._key(game), member, self._lifetime))

    async def leave(self, game: str, member: str) -> None:
        """As Presence.leave."""
        await self._ask(self._redis.zrem(self._key(game), member))

    async def present(self, game: str) -> list[str] | None:
        """As Presence.present."""
        answer = await self._ask(self._redis.eval(_PRESENT, 1, self._key(game)))
        return None if answer is None else sorted(member.decode() for member in cast("list[bytes]", answer))

    async def close(self) -> None:
        """As Presence.close."""
        await self._ask(self._redis.aclose())

    def _key(self, game: str) -> str:
        return f"{self._prefix}present:{game}"

    async def _ask(self, question: Any) -> object:
        """The answer; None if there is none, which is counted."""
        try:
            async with asyncio.timeout(PATIENCE):
                answer: object = await question
        except ResponseError:
            PRESENCE_FAILURES.labels("refused").inc()
        except (RedisError, RedisClusterException, OSError, TimeoutError):
            PRESENCE_FAILURES.labels("away").inc()
        else:
            return answer
        return None


def _client(url: str) -> Redis | RedisCluster:
    """A client that asks at most twice, the second time elsewhere if the server has gone."""
    servers, is_cluster = redis_servers(url)
    retry = Retry(NoBackoff(), 1)
    if not is_cluster:
        limits: dict[str, Any] = {"max_connections": CONNECTIONS, "timeout": PATIENCE, "protocol": 2, "retry": retry}
        return Redis.from_pool(BlockingConnectionPool.from_url(servers[0], **limits))
    options: dict[str, Any] = {**parse_url(servers[0]), "protocol": 2, "retry": retry, "require_full_coverage": False}
    options["ssl"] = options.pop("connection_class", None) is SSLConnection
    members = [ClusterNode(*Server(server).address) for server in servers]
    return RedisCluster(startup_nodes=members, **{name: options[name] for name in options if name not in _ADDRESS})
