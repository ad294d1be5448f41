"""The bus on a Redis Cluster: each channel is published and heard at the server that its name's slot belongs to, so
that the work spreads over all. Who has which slot is read anew whenever something breaks."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import InvalidResponse

from infra.bus import Listener
from infra.redis.bus import HEARTBEAT, PATIENCE, PREFIX, Address, RedisBus
from infra.redis.link import tell_of_fault
from infra.redis.node import Node
from infra.redis.server import BREAKS, CONNECT_SECONDS, Server, close
from infra.redis.verbs import SHARDED

PAUSE: Final = 0.5
"""Seconds between two readings, however much breaks meanwhile."""

INTERVAL: Final = 30.0
"""Seconds after which they are read though nothing has broken: a server may have left without a word."""

Slots = list[Address | None]

logger = logging.getLogger("bohnanza.bus")


class ClusterBus(RedisBus):
    """Bus on the cluster that the servers of `url` belong to."""

    verbs = SHARDED

    def __init__(
        self, url: str, *, prefix: str = PREFIX, heartbeat: float = HEARTBEAT, patience: float = PATIENCE
    ) -> None:
        super().__init__(url, prefix=prefix, heartbeat=heartbeat, patience=patience)
        self._slots: Slots = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._stale = asyncio.Event()
        self._is_unread = False
        self._following: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """As Bus.close."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following], timeout=CONNECT_SECONDS)
        await super().close()

    @property
    def is_working(self) -> bool:
        """As Bus.is_working."""
        follows = self._following is not None and not self._following.done()
        return follows and all(node.is_working for node in self._nodes.values())

    def _begin(self, listener: Listener) -> None:
        self._following = asyncio.create_task(self._follow(listener), name="bus cluster")
        self._following.add_done_callback(tell_of_fault)

    def _broken(self) -> None:
        self._stale.set()

    def _node(self, name: bytes) -> Node | None:
        address = self._slots[key_slot(name)]
        return None if address is None else self._nodes.get(address)

    def _is_hopeless(self, name: bytes) -> bool:
        if not self.is_working:
            return True
        # Before the first reading there is no node yet, which is worth waiting for.
        return self._is_unread if self._node(name) is None else super()._is_hopeless(name)

    async def _follow(self, listener: Listener) -> None:
        while True:
            self._stale.clear()
            slots = await self._read()
            self._is_unread = slots is None
            if slots is None:
                self._stale.set()
            else:
                await self._arrange(slots, listener)
            await asyncio.sleep(PAUSE)
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERVAL):
                    await self._stale.wait()

    async def _read(self) -> Slots | None:
        """From the first that tells; whoever is connected is asked first."""
        known = sorted(self._nodes, key=lambda address: not self._nodes[address].is_connected)
        asked = [self._servers[0].at(*address) for address in known]
        asked += [server for server in self._servers if server.address not in self._nodes]
        for server in asked:
            with suppress(*BREAKS):
                return await _slots_of(server)
        logger.warning("No server of the Redis Cluster tells who has what; it goes on asking.")
        return None

    async def _arrange(self, slots: Slots, listener: Listener) -> None:
        wanted = {address for address in slots if address is not None}
        homes = {name: node for node in self._nodes.values() for name in node.subscriber.names}
        gone = [self._nodes.pop(address) for address in self._nodes.keys() - wanted]
        for address in wanted - self._nodes.keys():
            self._add(self._servers[0].at(*address), listener)
        self._slots = slots
        for name, wish in self._wishes.items():
            old, new = homes.get(name), self._node(name)
            if old is new:
                continue
            if old is not None:
                old.subscriber.drop(name)
                wish.break_off()
            if new is not None:
                new.subscriber.want(name, wish)
        await asyncio.gather(*(node.close() for node in gone))


async def _slots_of(server: Server) -> Slots:
    """As that server sees it; one of BREAKS if it does not tell in time."""
    slots: Slots = [None] * REDIS_CLUSTER_HASH_SLOTS
    connection = await server.connect()
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await connection.send_command("CLUSTER", "SLOTS", check_health=False)
            ranges = await connection.read_response()
        for first, last, (host, port, *_), *_ in ranges:
            # A server that does not know its own name leaves it out: it is the one that was asked.
            address = (host.decode() if host else server.address[0], port)
            slots[first : last + 1] = [address] * (last + 1 - first)
    except (TypeError, ValueError, AttributeError):
        raise InvalidResponse from None
    finally:
        await close(connection)
    return slots
