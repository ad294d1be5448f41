"""What holds for every exchange, whatever happens inside: limits, headers, HEAD, and that a failure
is a problem document, also one that the framework made before any route was found."""

from typing import Final, cast

from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.enums import ScopeType
from litestar.types import (
    HTTPScope,
    LifeSpanReceive,
    LifeSpanScope,
    LifeSpanSend,
    Message,
    Receive,
    Scope,
    Send,
)

from services.api.body import too_large
from services.api.failures import code_for_status, problem_answer
from services.api.parts import Parts
from services.api.problems import MEDIA_TYPE, ApiError
from services.api.requests import HEAD_ONLY, header_values
from services.api.sockets import Sockets

_PROBLEM: Final = (b"content-type", MEDIA_TYPE.encode())
_ALWAYS: Final = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
_ALLOWED_ORIGIN: Final = b"access-control-allow-origin"
_NO_STORE: Final = (b"cache-control", b"no-store")

# More digits than any length that we would read; `int` need not be asked.
_LENGTH_DIGITS: Final = 12


class Envelope:
    """The outermost layer around the application."""

    def __init__(self, app: Litestar, sockets: Sockets, body_limit: int, cors: CORSConfig | None = None) -> None:
        self.app = app
        self._sockets = sockets
        self._body_limit = body_limit
        self._cors = cors

    async def __call__(
        self,
        scope: Scope | LifeSpanScope,
        receive: Receive | LifeSpanReceive,
        send: Send | LifeSpanSend,
    ) -> None:
        """One exchange; anything that fails before an answer began is answered with a problem."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP:
            await self._http(scope, cast("Receive", receive), cast("Send", send))
        else:
            await self._sockets(scope, cast("Receive", receive), cast("Send", send))

    async def say_bye(self, seconds: float) -> None:
        """End every stream in an orderly way, within that time. Before the application is shut down."""
        parts: Parts | None = self.app.state.get("parts")
        if parts is not None:
            await parts.live.say_bye(seconds)

    async def _http(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        head = scope["method"] == "HEAD"
        options = scope["method"] == "OPTIONS"
        started = replaced = False

        async def deliver(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = list(message.get("headers", ()))
                if not any(name == _ALLOWED_ORIGIN for name, _ in headers):
                    # The application knows what a page may read; what this layer answers itself has to be told.
                    headers += self._readable(scope)
                message["headers"] = _stamped(headers)
            elif head and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        async def answer(message: Message) -> None:
            nonlocal replaced
            if message["type"] != "http.response.start":
                if not replaced:
                    await deliver(message)
            elif options and message["status"] == 405:
                replaced = True
                headers = [(name, value) for name, value in message["headers"] if name == b"allow"]
                await deliver({"type": "http.response.start", "status": 204, "headers": headers})
                await deliver({"type": "http.response.body", "body": b"", "more_body": False})
            elif message["status"] >= 400 and _PROBLEM not in message["headers"]:
                replaced = True
                error = ApiError(code=code_for_status(message["status"]))
                await problem_answer(error)(scope, receive, deliver)
            else:
                await deliver(message)

        try:
            self._refuse_too_much(scope)
            await self.app(_as_routed(scope), receive, answer)
        except Exception as error:
            if started:
                # Half an answer cannot be taken back; the server logs and cuts the connection.
                raise
            await problem_answer(error)(scope, receive, deliver)

    def _readable(self, scope: HTTPScope) -> list[tuple[bytes, bytes]]:
        """The headers without which a browser keeps an answer from a page that may have it."""
        origins = header_values(scope, b"origin")
        if self._cors is None or len(origins) != 1 or not self._cors.is_origin_allowed(origins[0].decode("latin-1")):
            return []
        simple = {_ALLOWED_ORIGIN: origins[0], b"vary": b"Origin"}
        simple.update({name.lower().encode(): text.encode() for name, text in self._cors.simple_headers.items()})
        return list(simple.items())

    def _refuse_too_much(self, scope: HTTPScope) -> None:
        """What is announced as too long need not be read. What is longer than announced, or not
        announced at all, is cut off where the body is read."""
        for name, value in scope["headers"]:
            if name == b"content-length" and (len(value) > _LENGTH_DIGITS or int(value) > self._body_limit):
                raise too_large(self._body_limit)


def _as_routed(scope: HTTPScope) -> HTTPScope:
    """The request as the routes are asked for it. A copy: the server goes by the method in its own.

    HEAD is GET, of whose answer the head goes out alone. OPTIONS becomes a method that nothing
    answers, so that the router itself says what it allows; only a browser that asks beforehand
    whether it may (CORS) goes on as it is.
    """
    method = scope["method"]
    if method == "HEAD":
        return cast("HTTPScope", {**scope, "method": "GET", HEAD_ONLY: True})
    if method == "OPTIONS" and not header_values(scope, b"origin"):
        return {**scope, "method": "TRACE"}
    return scope


def _stamped(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    stamped = headers + _ALWAYS
    cached = False
    for position, (name, value) in enumerate(headers):
        if name == b"cache-control":
            cached = True
        elif name == b"allow" and b"GET" in value and b"HEAD" not in value:
            stamped[position] = (name, value + b", HEAD")
    if not cached:
        stamped.append(_NO_STORE)
    return stamped
