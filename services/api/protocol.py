"""HTTP and WebSockets as uvicorn speaks them, with bounds below what the application sees: how long a client may take
for the head of a request, how large that may be, in how many pieces a message may come, and what piles up for who does
not read. Bytes that are no HTTP are answered with a problem too."""

from asyncio import AbstractEventLoop, BaseTransport, TimerHandle, Transport
from http import HTTPStatus
from struct import Struct
from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from services.api.connection import ABORT, WRITE
from services.api.failures import problem_answer
from services.api.problems import ApiError

MOST_HEAD_BYTES: Final = 32_768
"""Of the request line and all headers together. The parser itself knows no bound, and slows down as it fills."""

HEAD_SECONDS: Final = 10.0
"""From the beginning of a connection, or of a later request on it, until the head is complete."""

LAGGING: Final = 1013
"""Try again later: the close code for a client who does not read."""

LAST_SECONDS: Final = 10.0
"""For such a client to find that out."""

PARTING_SECONDS: Final = 2.0
"""For reading what was written before the server ends. Who does not read would otherwise hold it up."""

MOST_FRAGMENTS: Final = 1_024
"""Of one WebSocket message. Empty ones add nothing to its length, for which there is a bound below."""

_TEXT: Final = 0x81
_MEDIUM: Final = Struct("!BBH")
_LARGE: Final = Struct("!BBQ")

_PIECE: Final = 8_192
_CLOSE: Final = b"connection: close"


def _cut_off_later(loop: AbstractEventLoop, transport: Transport) -> None:
    def cut_off() -> None:
        if transport.get_write_buffer_size():
            transport.abort()

    loop.call_later(PARTING_SECONDS, cut_off)


class SocketProtocol(WebSocketsSansIOProtocol):
    """To be given to uvicorn as `ws`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._unsent: list[bytes] = []

    def handle_connect(self, event: Request) -> None:
        """The application can send without waiting, and cut off a client who does not read."""
        super().handle_connect(event)
        if self.initial_response is None and hasattr(self, "scope"):
            scope = cast("dict[str, Any]", self.scope)
            scope[WRITE], scope[ABORT] = self._write, self._give_up

    def shutdown(self) -> None:
        """The server ends. The last word comes after the others."""
        self._flush()
        super().shutdown()
        _cut_off_later(self.loop, self.transport)

    def pause_writing(self) -> None:
        """Who does not read is not listened to either: the answers to his pings would pile up."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """He reads again."""
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    async def receive(self) -> Any:
        """As ASGI has it. The server below listens again when all is taken, whether or not the client reads."""
        message = await super().receive()
        if not self.writable.is_set():
            self.transport.pause_reading()
        return message

    def handle_cont(self, event: Frame) -> None:
        """A message has an end."""
        if len(self.frames) >= MOST_FRAGMENTS:
            self._fail(CloseCode.POLICY_VIOLATION)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Text is UTF-8. The server below would log a traceback for every client that sends something else."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._fail(CloseCode.INVALID_DATA)
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Who does not answer is gone. What he has not read is not kept until he has."""
        super().keepalive_timeout()
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def handle_close(self, event: Frame) -> None:
        """He ends it. If he does not read either what still waits for him, it does not wait for ever."""
        super().handle_close(event)
        self._abort_later()

    def handle_parser_exception(self) -> None:
        """The same for who sends what is no WebSocket."""
        super().handle_parser_exception()
        self._abort_later()

    def _abort_later(self) -> None:
        self.loop.call_later(LAST_SECONDS, self.transport.abort)

    def _fail(self, code: CloseCode) -> None:
        self.frames = []
        if not self.close_sent:
            self.conn.fail(code)
            self.handle_parser_exception()

    async def send(self, message: Any) -> None:
        """A handshake that was refused in HTTP is complete, too; uvicorn would log it as forgotten."""
        self._flush()
        if self.close_sent and message["type"] in ("websocket.send", "websocket.close"):
            # The server below has ended it, and nobody has told the application yet.
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.close":
            self.loop.call_later(self.close_timeout + LAST_SECONDS, self.transport.abort)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def _write(self, text: bytes) -> bool:
        """As WRITE. What is written in one turn of the loop goes out together: an answer with the events it tells of,
        and the events with those that came right behind them."""
        if not self.writable.is_set() or not self._is_open():
            return False
        if not self._unsent:
            self.loop.call_soon(self._flush)
        self._unsent += (text_head(len(text)), text)
        return True

    def _flush(self) -> None:
        if self._unsent:
            if self._is_open():
                self.transport.write(b"".join(self._unsent))
            self._unsent.clear()

    def _is_open(self) -> bool:
        # After the closing handshake has begun nothing may follow.
        return self.conn.state is State.OPEN and not self.close_sent and not self.transport.is_closing()

    def _give_up(self) -> None:
        """Behind all that waits for him the client finds the reason, if he begins to read soon after all."""
        self._flush()
        if self._is_open():
            self.conn.send_close(LAGGING, "lagging")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()
        self._abort_later()


def text_head(length: int) -> bytes:
    """What goes before a message of text so long, when a server sends it in one frame (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((_TEXT, length))
    return _MEDIUM.pack(_TEXT, 126, length) if length < 65_536 else _LARGE.pack(_TEXT, 127, length)


class HttpProtocol(HttpToolsProtocol):
    """To be given to uvicorn as `http`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._awaits_head = True
        self._head_bytes = 0
        self._patience: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """A client that never says anything is not kept."""
        super().connection_made(transport)  # type: ignore[arg-type]  # as uvicorn narrows it
        self._be_patient()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._lose_patience()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server ends."""
        super().shutdown()
        _cut_off_later(self.loop, self.transport)

    def data_received(self, data: bytes) -> None:
        """In small pieces until the head is complete, so that no more than the bound is ever parsed."""
        if self._awaits_head and self._patience is None:
            self._be_patient()
        while data and self._awaits_head:
            if self.transport.is_closing():
                return
            piece, data = data[:_PIECE], data[_PIECE:]
            self._head_bytes += len(piece)
            super().data_received(piece)
            if self._head_is_too_large():
                self._hang_up(ApiError(code="head_too_large"))
        if data and not self.transport.is_closing():
            super().data_received(data)

    def on_headers_complete(self) -> None:
        """The request is one."""
        self._awaits_head = False
        self._lose_patience()
        cast("dict[str, Any]", self.scope)[ABORT] = self.transport.abort
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Another request may follow."""
        self._awaits_head = True
        self._head_bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Says what is wrong and hangs up: after such bytes nothing on this connection makes sense."""
        self._hang_up(ApiError(code="malformed", detail=msg))

    def _head_is_too_large(self) -> bool:
        return self._awaits_head and self._head_bytes > MOST_HEAD_BYTES

    def _be_patient(self) -> None:
        self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _lose_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if self._head_bytes:
            self._hang_up(ApiError(code="request_timeout"))
        else:
            self.transport.close()

    def _hang_up(self, error: ApiError) -> None:
        self._lose_patience()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            answer = problem_answer(error)
            status = HTTPStatus(answer.status_code)
            start = f"HTTP/1.1 {status.value} {status.phrase}".encode()
            headers = [b": ".join(header) for header in answer.encode_headers() if header[0].lower() != b"connection"]
            self.transport.write(b"\r\n".join([start, *headers, _CLOSE]) + b"\r\n\r\n" + answer.body)
        # Else half an answer is under way, and more bytes would be taken for the rest of it.
        self.transport.close()
