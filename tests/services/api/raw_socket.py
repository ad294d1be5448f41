"""A WebSocket by hand (RFC 6455), for what no library would send, and a stream that nobody reads."""

import asyncio
import socket
import struct
from typing import Self
from urllib.parse import urlsplit

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """As a client sends it: masked, here with zeros."""
    head = bytes([(0x80 if fin else 0) | opcode])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65536:
        head += b"\xfe" + struct.pack("!H", len(payload))
    else:
        head += b"\xff" + struct.pack("!Q", len(payload))
    return head + bytes(4) + payload


class RawSocket:
    """A connection with a small buffer, so that the other side notices soon when nobody reads."""

    def __init__(self, url: str, path: str, headers: dict[str, str], *, small: bool = False) -> None:
        self._url = url
        self._request = [f"GET {path} HTTP/1.1", f"Host: {urlsplit(url).netloc}"]
        self._request += [f"{name}: {value}" for name, value in headers.items()]
        self._small = small

    async def __aenter__(self) -> Self:
        parts = urlsplit(self._url)
        plain = socket.socket()
        if self._small:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, (parts.hostname, parts.port))
        self.reader, self.writer = await asyncio.open_connection(sock=plain, limit=4096 if self._small else 2**20)
        self.writer.write("\r\n".join([*self._request, "", ""]).encode())
        self.head = await self.reader.readuntil(b"\r\n\r\n")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def frame(self) -> tuple[int, bytes]:
        """The next frame from the server, which never cuts one in pieces."""
        first, size = await self.reader.readexactly(2)
        assert first & 0x80
        assert not size & 0x80
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 0x0F, await self.reader.readexactly(size)

    async def of(self, opcode: int) -> bytes:
        """The payload of the next frame of that kind."""
        async with asyncio.timeout(10):
            while True:
                kind, payload = await self.frame()
                if kind == opcode:
                    return payload

    async def is_ended(self, seconds: float) -> bool:
        """Whether the other side ends it in that time, whatever comes before."""
        try:
            async with asyncio.timeout(seconds):
                while await self.reader.read(65536):
                    pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True


HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


def web_socket(url: str, game: str, headers: dict[str, str], query: str = "", *, small: bool = False) -> RawSocket:
    """To that game."""
    return RawSocket(url, f"/v1/games/{game}/ws{query}", {**HANDSHAKE, **headers}, small=small)


def event_stream(url: str, game: str, headers: dict[str, str], query: str = "", *, small: bool = False) -> RawSocket:
    """The same as server-sent events."""
    return RawSocket(url, f"/v1/games/{game}/stream{query}", headers, small=small)
