"""A connection to one server that is kept up: made again after every break, forever, with growing pauses that chance
stretches, so that processes which lost it together do not come back together."""

import asyncio
import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import SystemRandom
from typing import ClassVar, Final

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from infra.redis.server import BREAKS, Server, close
from infra.telemetry import BUS_RECONNECTS

FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 1.0
STEADY_SECONDS: Final = 2.0
"""After that long a connection counts as good, and the pauses begin anew."""

TICKS: Final = 4
"""A heartbeat is cut into that many, and each must pass in silence: a process that was held up itself for long sees
one go by, not all."""

READ_AT_ONCE: Final = 64
"""Answers after which others get their turn, though more have arrived."""

CLOSING_SECONDS: Final = 2.0

logger = logging.getLogger("bohnanza.bus")
_chance = SystemRandom()


class Link(ABC):
    """One side of the bus at one server: a task reads, another writes and asks whether the other side is still there.

    It has gone when it is silent for `heartbeat` seconds though it was asked. `on_break` is told of every break and
    every attempt that failed.
    """

    side: ClassVar[str]

    def __init__(self, server: Server, heartbeat: float, on_break: Callable[[], None]) -> None:
        self._server = server
        self._heartbeat = heartbeat
        self._on_break = on_break
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._breaks = 0
        self._is_up = False
        self._has_heard = False
        self.is_away = False
        """Whether the last attempt to reach the other side failed. A break alone is none yet."""

    def open(self) -> None:
        """Begin to connect."""
        self._task = asyncio.create_task(self._keep(), name=f"bus {self.side}")
        self._task.add_done_callback(tell_of_fault)

    async def close(self) -> None:
        """End it, in bounded time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CLOSING_SECONDS)

    @property
    def is_connected(self) -> bool:
        """Whether the other side is there, as far as is known."""
        return self._is_up and self.is_working

    @property
    def is_working(self) -> bool:
        """Whether it runs, connected or not."""
        return self._task is not None and not self._task.done()

    @abstractmethod
    def _begin(self) -> None:
        """The connection is new: everything that should hold is to be said on it."""

    @abstractmethod
    def _commands(self) -> list[tuple[bytes, ...]]:
        """What is to be sent now, not too much at once; nothing when all is said. `_wake` asks again."""

    @abstractmethod
    def _take(self, answer: object) -> None:
        """What the other side says: a message, or an answer to a command or a PING. May raise one of BREAKS."""

    @abstractmethod
    def _lost(self) -> None:
        """The connection has broken; the next attempt follows at once."""

    @abstractmethod
    def _missed(self) -> None:
        """An attempt to connect has failed."""

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        failures = 0
        while True:
            started = loop.time()
            try:
                connection = await self._server.connect()
                try:
                    self._joined()
                    await self._serve(connection)
                finally:
                    await close(connection)
            except* BREAKS as group:
                self._parted(group.exceptions[0])
            failures = 1 if loop.time() - started > STEADY_SECONDS else failures + 1
            # Exponents are capped too: this may go on for days.
            await asyncio.sleep(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(failures - 1, 10)) * _chance.uniform(0.5, 1))

    async def _serve(self, connection: AbstractConnection) -> None:
        self._has_heard = True
        self._begin()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(connection))
            tasks.create_task(self._write(connection))

    async def _read(self, connection: AbstractConnection) -> None:
        while True:
            for _ in range(READ_AT_ONCE):
                try:
                    answer: object = await connection.read_response(timeout=math.inf, disconnect_on_error=False)
                except ResponseError as error:
                    answer = error
                self._has_heard = True
                self._take(answer)
            await asyncio.sleep(0)

    async def _write(self, connection: AbstractConnection) -> None:
        loop = asyncio.get_running_loop()
        tick = self._heartbeat / TICKS
        next_tick = loop.time() + tick
        silent = 0
        while True:
            self._wake.clear()
            while commands := self._commands():
                await self._send(connection, commands)
            try:
                async with asyncio.timeout_at(next_tick):
                    await self._wake.wait()
            except TimeoutError:
                next_tick = loop.time() + tick
                silent = 0 if self._has_heard else silent + 1
                self._has_heard = False
                if silent >= TICKS:
                    message = "no answer"
                    raise RedisTimeoutError(message) from None
                if silent:
                    await self._send(connection, [(b"PING",)])

    async def _send(self, connection: AbstractConnection, commands: list[tuple[bytes, ...]]) -> None:
        async with asyncio.timeout(self._heartbeat):
            await connection.send_packed_command(connection.pack_commands(commands), check_health=False)

    def _joined(self) -> None:
        if self._breaks:
            BUS_RECONNECTS.labels(self.side).inc()
            logger.info("The %s is connected to Redis again.", self.side)
        self._is_up = True
        self.is_away = False

    def _parted(self, error: BaseException) -> None:
        # The kind only: a message may hold an address or what was sent.
        kind = type(error).__name__
        if self._is_up:
            self._is_up = False
            self._breaks += 1
            logger.warning("The %s has lost its connection to Redis (%s).", self.side, kind)
            self._lost()
        else:
            if not self.is_away:
                logger.warning("The %s cannot reach Redis (%s); it goes on trying.", self.side, kind)
            self.is_away = True
            self._missed()
        self._on_break()


def tell_of_fault(task: asyncio.Task[None]) -> None:
    """A task that ends by itself does so by a fault of the program. Its kind only: the text may hold a message."""
    if not task.cancelled() and (error := task.exception()) is not None:
        kinds = error.exceptions if isinstance(error, BaseExceptionGroup) else [error]
        names = ", ".join(type(kind).__name__ for kind in kinds)
        logger.critical("The task %r has ended by a fault of the program (%s).", task.get_name(), names)
