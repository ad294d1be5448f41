"""The sending side at one server: a bounded queue and one task that passes on all that waits in one go. Nobody waits
for it, and whatever it cannot pass on is counted."""

from collections import deque
from collections.abc import Callable
from typing import Final

from redis.exceptions import ResponseError

from infra.redis.link import Link
from infra.redis.server import Server
from infra.telemetry import BUS_DROPS, BUS_PUBLISHED

MOST_WAITING: Final = 4096
MOST_BYTES: Final = 16 * 1024 * 1024
BATCH: Final = 128
BATCH_BYTES: Final = 1024 * 1024
TRIES: Final = 2
"""What was sent and not answered when the connection broke is sent once more: it may be heard twice, which it may. Not
more often, since it may be what broke it."""

PONG: Final = b"PONG"


class Publisher(Link):
    """Passes messages on to one server."""

    side = "publisher"

    def __init__(self, server: Server, verb: bytes, heartbeat: float, on_break: Callable[[], None]) -> None:
        super().__init__(server, heartbeat, on_break)
        self._verb = verb
        self._queue: deque[tuple[bytes, bytes]] = deque()
        self._bytes = 0
        self._sent: deque[tuple[bytes, bytes]] = deque()
        self._tries = 0
        self._is_due_again = False

    def publish(self, name: bytes, message: bytes) -> None:
        """Take the message or drop it, at once."""
        if self.is_away or not self.is_working:
            BUS_DROPS.labels("away").inc()
        elif len(self._queue) >= MOST_WAITING or self._bytes + len(message) > MOST_BYTES:
            BUS_DROPS.labels("full").inc()
        else:
            self._queue.append((name, message))
            self._bytes += len(message)
            self._wake.set()

    def _begin(self) -> None:
        self._is_due_again = bool(self._sent)

    def _commands(self) -> list[tuple[bytes, ...]]:
        if self._is_due_again:
            self._is_due_again = False
            self._tries += 1
        elif self._sent:
            return []
        else:
            self._fill()
            self._tries = 1
        return [(self._verb, *message) for message in self._sent]

    def _fill(self) -> None:
        size = 0
        while self._queue and len(self._sent) < BATCH and size < BATCH_BYTES:
            message = self._queue.popleft()
            size += len(message[1])
            self._sent.append(message)
        self._bytes -= size

    def _take(self, answer: object) -> None:
        # An error while nothing is due was the answer to a PING.
        if answer == PONG or not self._sent:
            return
        self._sent.popleft()
        if isinstance(answer, ResponseError):
            # This message only: the connection is as good as before.
            BUS_DROPS.labels("refused").inc()
            self._on_break()
        else:
            BUS_PUBLISHED.inc()
        if not self._sent:
            self._wake.set()

    def _lost(self) -> None:
        if self._tries >= TRIES:
            self._drop(self._sent, "broken")

    def _missed(self) -> None:
        self._drop(self._sent, "away")
        self._drop(self._queue, "away")
        self._bytes = 0

    @staticmethod
    def _drop(messages: deque[tuple[bytes, bytes]], reason: str) -> None:
        BUS_DROPS.labels(reason).inc(len(messages))
        messages.clear()
