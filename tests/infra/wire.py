"""A wire to a server on this machine that can be cut, be slow, or fall silent without breaking, as a network does."""

import asyncio
from contextlib import suppress
from typing import Self


class Wire:
    """Passes everything on to `port` until it is told to be silent: then nothing passes on the connections that there
    are, and nothing ends. New ones pass. `delay` is how many seconds each piece takes."""

    def __init__(self, port: int) -> None:
        self._upstream = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._silence = 0
        self.connections = 0
        self.delay = 0.0

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def fall_silent(self) -> None:
        self._silence = self.connections

    def cut(self) -> None:
        """Every connection breaks; new ones pass."""
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        number = self.connections
        self._writers.add(writer)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._upstream)
            self._writers.add(far_writer)
            try:
                await asyncio.gather(self._pass(number, reader, far_writer), self._pass(number, far_reader, writer))
            finally:
                self._writers.discard(far_writer)
                far_writer.transport.abort()
        except OSError:
            pass  # there is nobody at the other end
        finally:
            self._writers.discard(writer)
            writer.transport.abort()
            self._tasks.discard(task)

    async def _pass(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if number > self._silence:
                    writer.write(data)
                    await writer.drain()
        if number > self._silence:
            writer.transport.abort()
