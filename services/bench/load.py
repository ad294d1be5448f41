"""A client that costs next to nothing, so that the server is what is measured: requests are bytes made
beforehand, one at a time on a connection that stays open."""

import asyncio
from collections.abc import Iterator, Sequence
from time import perf_counter

from msgspec import Struct


class Prepared(Struct, frozen=True):
    """One request as it is sent."""

    head_and_body: bytes


class Load(Struct):
    """What came back. `latencies` in seconds."""

    answered: int = 0
    seconds: float = 0.0
    latencies: list[float] = []

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answered / self.seconds

    def percentile(self, share: float) -> float:
        """The latency that this share of the requests stayed within."""
        return percentile(self.latencies, share)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of them stays within."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


class UnexpectedAnswer(Exception):
    """A request of the measurement was not answered with 200."""


def request(path: str, token: str, key: str, body: bytes) -> Prepared:
    """A POST with all that a command needs."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nIdempotency-Key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return Prepared(head.encode() + body)


def question(path: str, token: str) -> bytes:
    """A GET."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


async def asked(port: int, path: str, token: str) -> bytes:
    """The answer to one question. UnexpectedAnswer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(question(path, token))
        return await answered(reader)
    finally:
        writer.close()
        await writer.wait_closed()


async def put_load(port: int, clients: list[Iterator[Prepared]], seconds: float) -> Load:
    """Every client sends its requests one after the other, until the time is up or it has none left."""
    load = Load()
    begin = perf_counter()
    await asyncio.gather(*(_client(port, requests, begin + seconds, load) for requests in clients))
    load.seconds = perf_counter() - begin
    return load


async def _client(port: int, requests: Iterator[Prepared], until: float, load: Load) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while (begin := perf_counter()) < until:
            prepared = next(requests, None)
            if prepared is None:
                return
            writer.write(prepared.head_and_body)
            await answered(reader)
            load.answered += 1
            load.latencies.append(perf_counter() - begin)
    finally:
        writer.close()
        await writer.wait_closed()


async def answered(reader: asyncio.StreamReader) -> bytes:
    """The body of the next answer on a connection. UnexpectedAnswer."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    begin = head.index(b"content-length:") + len(b"content-length:")
    body = await reader.readexactly(int(head[begin : head.index(b"\r\n", begin)]))
    if not head.startswith(b"http/1.1 200"):
        raise UnexpectedAnswer(body.decode())
    return body
