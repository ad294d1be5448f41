"""How processes tell each other that something has happened in a game. Hints, not truth: the bus may lose, repeat,
reorder or delay any of them, and be away altogether. Whoever needs certainty asks the event store."""

from typing import Protocol


class Listener(Protocol):
    """Who hears what is published. Called by the one reader of a connection, so neither method may wait or raise."""

    def heard(self, channel: str, message: bytes) -> None:
        """Somebody has published that, perhaps this very process."""

    def renewed(self) -> None:
        """The subscriptions hold again after a break; what was published meanwhile is lost."""


class Bus(Protocol):
    """Channels are named by games. One instance per process, with one listener."""

    async def open(self, listener: Listener) -> None:
        """Begin. Does not wait for the other side, which may be away."""

    async def close(self) -> None:
        """End in bounded time; nothing is heard afterwards. What was published and not sent yet may be lost."""

    def publish(self, channel: str, message: bytes) -> None:
        """Fire and forget: never waits, never raises. What cannot be sent is dropped, and the drop is counted."""

    async def subscribe(self, channel: str) -> bool:
        """Hear that channel from now on, until `unsubscribe`. True: the other side has confirmed it, so that what is
        published from here on is heard. False: it did not within bounded time; it is asked again as soon as it can be
        reached, and `renewed` tells when."""

    async def unsubscribe(self, channel: str) -> None:
        """Hear it no more."""

    @property
    def is_connected(self) -> bool:
        """Whether the other side is there, as far as is known."""

    @property
    def is_working(self) -> bool:
        """Whether the readers and senders of this process run, connected or not. False only by a fault of the
        program."""
