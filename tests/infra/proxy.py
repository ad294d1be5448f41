"""A wire between the program and its database that a test can cut, hold back or count on."""

import asyncio
from contextlib import suppress
from typing import Self
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit


class Proxy:
    """Listens on the loopback address and passes everything on to the server of `url`.

    `round_trips` counts the changes of direction from the client to the server. While `holds_answers` is set what the
    server says is read and thrown away.
    """

    def __init__(self, url: str) -> None:
        self._upstream = url
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._client_spoke_last = False
        self.round_trips = 0
        self.holds_answers = False
        self.request_seen = asyncio.Event()

    @property
    def url(self) -> str:
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        parts = urlsplit(self._upstream)
        login = f"{quote(parts.username or '', safe='')}:{quote(parts.password or '', safe='')}"
        return urlunsplit(("postgresql", f"{login}@127.0.0.1:{port}", parts.path, "", ""))

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Every connection breaks off, in both directions; new ones are served."""
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        server_reader, server_writer = await self._connect()
        self._writers |= {writer, server_writer}
        try:
            await asyncio.gather(self._requests(reader, server_writer), self._answers(server_reader, writer))
        finally:
            for end in (writer, server_writer):
                self._writers.discard(end)
                end.transport.abort()
            self._tasks.discard(task)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self._upstream)
        query = parse_qs(parts.query)
        port = parts.port or int(query.get("port", ["5432"])[0])
        host = parts.hostname or query["host"][0]
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if not self._client_spoke_last:
                    self.round_trips += 1
                self._client_spoke_last = True
                writer.write(data)
                await writer.drain()
                self.request_seen.set()
        writer.transport.abort()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                self._client_spoke_last = False
                if not self.holds_answers:
                    writer.write(data)
                    await writer.drain()
        writer.transport.abort()
