"""What goes through Redis, made for whatever an address names: one server, or a cluster of them."""

from infra.addresses import redis_servers
from infra.bus import Bus
from infra.presence import PRESENCE_SECONDS, Presence
from infra.redis.bus import HEARTBEAT, PATIENCE, PREFIX, RedisBus
from infra.redis.cluster import ClusterBus
from infra.redis.presence import RedisPresence


def redis_bus(url: str, *, prefix: str = PREFIX, heartbeat: float = HEARTBEAT, patience: float = PATIENCE) -> Bus:
    """The bus at that address, to be opened."""
    _, is_cluster = redis_servers(url)
    kind = ClusterBus if is_cluster else RedisBus
    return kind(url, prefix=prefix, heartbeat=heartbeat, patience=patience)


def redis_presence(url: str, *, prefix: str = PREFIX, seconds: float = PRESENCE_SECONDS) -> Presence:
    """Who is there, as kept at that address. An entry holds for `seconds`."""
    return RedisPresence(url, prefix=prefix, seconds=seconds)
