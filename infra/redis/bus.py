"""The bus by Redis's publish and subscribe, on one server: what is published passes through and is kept nowhere."""

import asyncio
from typing import Final

from infra.addresses import redis_servers
from infra.bus import Listener
from infra.redis.node import Node
from infra.redis.server import Server
from infra.redis.verbs import PLAIN, Verbs
from infra.redis.wish import Wish
from infra.telemetry import BUS_DROPS, BUS_UNCONFIRMED

PREFIX: Final = "bohnanza:"
HEARTBEAT: Final = 4.0
PATIENCE: Final = 1.0

Address = tuple[str, int]


class RedisBus:
    """Bus on the server of `url`.

    `prefix` goes before every channel. A server that is silent for `heartbeat` seconds though it was asked has gone; a
    subscription is waited for `patience` seconds at most.
    """

    verbs: Verbs = PLAIN

    def __init__(
        self, url: str, *, prefix: str = PREFIX, heartbeat: float = HEARTBEAT, patience: float = PATIENCE
    ) -> None:
        self._servers = [Server(server) for server in redis_servers(url)[0]]
        self._prefix = prefix
        self._heartbeat = heartbeat
        self._patience = patience
        self._wishes: dict[bytes, Wish] = {}
        self._nodes: dict[Address, Node] = {}

    async def open(self, listener: Listener) -> None:
        """As Bus.open."""
        self._begin(listener)

    async def close(self) -> None:
        """As Bus.close."""
        await asyncio.gather(*(node.close() for node in self._nodes.values()))
        self._nodes.clear()
        self._wishes.clear()

    def publish(self, channel: str, message: bytes) -> None:
        """As Bus.publish."""
        name = self._name(channel)
        node = self._node(name)
        if node is None:
            BUS_DROPS.labels("away").inc()
        else:
            node.publisher.publish(name, message)

    async def subscribe(self, channel: str) -> bool:
        """As Bus.subscribe."""
        name = self._name(channel)
        wish = self._wishes.get(name)
        if wish is None:
            wish = self._wishes[name] = Wish(channel)
            if (node := self._node(name)) is not None:
                node.subscriber.want(name, wish)
        if await wish.holds(0 if self._is_hopeless(name) else self._patience):
            return True
        BUS_UNCONFIRMED.inc()
        if self._wishes.get(name) is wish:
            wish.is_owed = True
            if (node := self._node(name)) is not None:
                node.subscriber.owe(name)
        return False

    async def unsubscribe(self, channel: str) -> None:
        """As Bus.unsubscribe."""
        name = self._name(channel)
        if self._wishes.pop(name, None) is not None and (node := self._node(name)) is not None:
            node.subscriber.drop(name)

    @property
    def is_connected(self) -> bool:
        """As Bus.is_connected."""
        return bool(self._nodes) and all(node.is_connected for node in self._nodes.values())

    @property
    def is_working(self) -> bool:
        """As Bus.is_working."""
        return bool(self._nodes) and all(node.is_working for node in self._nodes.values())

    def _begin(self, listener: Listener) -> None:
        self._add(self._servers[0], listener)

    def _add(self, server: Server, listener: Listener) -> None:
        node = self._nodes[server.address] = Node(server, self.verbs, listener, self._heartbeat, self._broken)
        node.open()

    def _broken(self) -> None:
        """A node was not reached, or would not do what was asked."""

    def _name(self, channel: str) -> bytes:
        return f"{self._prefix}{channel}".encode()

    def _node(self, _name: bytes) -> Node | None:
        return next(iter(self._nodes.values()), None)

    def _is_hopeless(self, name: bytes) -> bool:
        node = self._node(name)
        return node is None or node.subscriber.is_away or not node.subscriber.is_working
