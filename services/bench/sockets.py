"""The client side of a WebSocket (RFC 6455), with as little work for each frame as there can be: what is sent are bytes
made beforehand, and of what comes only the text of each message is cut out."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from time import monotonic_ns
from typing import cast

TEXT = 0x1
_PING = 0x9
_PONG = 0xA

_MASKED = 0x80
_NO_MASK = bytes(4)
"""A client must mask what it sends; zeros leave it as it is."""

Hear = Callable[[bytes, int], None]
"""Called with the text of a message and when it came, in nanoseconds of the monotonic clock."""


class SocketRefused(Exception):
    """The handshake was answered with something else than a WebSocket, or the server has closed it."""


def frame(opcode: int, payload: bytes) -> bytes:
    """One whole message as a client sends it."""
    if len(payload) < 126:
        return bytes((0x80 | opcode, _MASKED | len(payload))) + _NO_MASK + payload
    return bytes((0x80 | opcode, _MASKED | 126)) + len(payload).to_bytes(2) + _NO_MASK + payload


PING = frame(_PING, b"")


class Socket(asyncio.Protocol):
    """One connection. `hear` gets every text, and an empty one for every pong."""

    def __init__(self, path: str, token: str, hear: Hear) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.hear = hear
        self._head = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}\r\n\r\n"
        ).encode()
        self._transport: asyncio.Transport | None = None
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever still waits for it to open waits in vain."""
        if not self.opened.done():
            self.opened.set_exception(SocketRefused(str(exc or self._rest)))

    def send(self, prepared: bytes) -> None:
        """A whole frame."""
        if self._transport is None or self._transport.is_closing():
            raise SocketRefused("The server has closed it.")
        self._transport.write(prepared)

    def close(self) -> None:
        """Without a word."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Cut into messages. This server sends each in one frame."""
        now = monotonic_ns()
        if self._rest:
            data = self._rest + data
        position = 0 if self.opened.done() else self._after_handshake(data)
        size = len(data)
        while size - position >= 2:
            length, begin = data[position + 1], position + 2
            if length == 126:
                length, begin = int.from_bytes(data[begin : begin + 2]), begin + 2
            elif length == 127:
                length, begin = int.from_bytes(data[begin : begin + 8]), begin + 8
            if begin + length > size:
                break
            self._take(data[position] & 0xF, data[begin : begin + length], now)
            position = begin + length
        self._rest = data[position:]

    def _after_handshake(self, data: bytes) -> int:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if data.startswith(b"HTTP/1.1 101"):
            self.opened.set_result(None)
            return end + 4
        self.opened.set_exception(SocketRefused(data.decode()))
        self.close()
        return len(data)

    def _take(self, opcode: int, payload: bytes, now: int) -> None:
        if opcode == TEXT:
            self.hear(payload, now)
        elif opcode == _PONG:
            self.hear(b"", now)
        elif opcode == _PING:
            self.send(frame(_PONG, payload))


async def opened(port: int, path: str, token: str, hear: Hear) -> Socket:
    """A new one, once the handshake is over. SocketRefused."""
    loop = asyncio.get_running_loop()
    _, connected = await loop.create_connection(lambda: Socket(path, token, hear), "127.0.0.1", port)
    await connected.opened
    return connected
