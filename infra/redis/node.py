"""Both sides of the bus at one server, each with a connection of its own."""

import asyncio
from collections.abc import Callable

from infra.bus import Listener
from infra.redis.publisher import Publisher
from infra.redis.server import Server
from infra.redis.subscriber import Subscriber
from infra.redis.verbs import Verbs


class Node:
    """One server of the bus."""

    def __init__(
        self, server: Server, verbs: Verbs, listener: Listener, heartbeat: float, on_break: Callable[[], None]
    ) -> None:
        self.publisher = Publisher(server, verbs.publish, heartbeat, on_break)
        self.subscriber = Subscriber(server, verbs, listener, heartbeat, on_break)

    def open(self) -> None:
        """Begin to connect."""
        self.publisher.open()
        self.subscriber.open()

    async def close(self) -> None:
        """End both, in bounded time."""
        await asyncio.gather(self.publisher.close(), self.subscriber.close())

    @property
    def is_connected(self) -> bool:
        """Whether both are."""
        return self.publisher.is_connected and self.subscriber.is_connected

    @property
    def is_working(self) -> bool:
        """Whether both are."""
        return self.publisher.is_working and self.subscriber.is_working
