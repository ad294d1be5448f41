"""A WebSocket that has ended is not kept for a client who reads nothing more, whoever ended it."""

import asyncio
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from services.api import protocol
from services.api.protocol import SocketProtocol


class Unread(asyncio.Transport):
    """A transport to somebody who does not read: what is written stays, and `close` waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_aborted = False
        self._closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        pass

    def close(self) -> None:
        self._closing = True

    def is_closing(self) -> bool:
        return self._closing

    def abort(self) -> None:
        self.is_aborted = True

    def get_write_buffer_size(self) -> int:
        return 21_000

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


HANDSHAKE = (
    b"GET /v1/games/x/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def opened(monkeypatch: pytest.MonkeyPatch) -> tuple[SocketProtocol, Unread]:
    """A socket that is open."""
    monkeypatch.setattr(protocol, "LAST_SECONDS", 0.05)

    async def application(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    config = Config(application, log_level="critical", ws_ping_interval=None)
    config.load()
    socket, transport = SocketProtocol(config, ServerState(), {}), Unread()
    socket.connection_made(transport)
    socket.data_received(HANDSHAKE)
    await asyncio.sleep(0.02)
    assert socket.handshake_complete
    return socket, transport


@pytest.mark.parametrize(
    "last",
    [
        b"\x88\x82\x00\x00\x00\x00\x03\xe8",  # a close, with the code 1000
        b"\x83\x80\x00\x00\x00\x00",  # an opcode that there is none of
        b"\x81\x81\x00\x00\x00\x00\xff",  # text that is no UTF-8
    ],
)
async def test_what_he_sends_last_is_the_end_for_the_server_too(monkeypatch: pytest.MonkeyPatch, last: bytes) -> None:
    socket, transport = await opened(monkeypatch)
    socket.data_received(last)
    assert transport.is_closing()
    await asyncio.sleep(0.1)
    assert transport.is_aborted


async def test_who_was_cut_off_after_he_had_closed_is_not_kept_either(monkeypatch: pytest.MonkeyPatch) -> None:
    socket, transport = await opened(monkeypatch)
    socket.data_received(b"\x88\x82\x00\x00\x00\x00\x03\xe8")
    socket._give_up()
    await asyncio.sleep(0.1)
    assert transport.is_aborted


async def test_what_comes_too_late_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server below has ended the socket, and the application has not heard of it yet."""
    socket, _ = await opened(monkeypatch)
    socket.data_received(b"\x81\x81\x00\x00\x00\x00\xff")
    with pytest.raises(OSError):  # noqa: PT011 - it has no text
        await socket.send({"type": "websocket.send", "text": "late"})
