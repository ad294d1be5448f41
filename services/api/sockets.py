"""Following and playing a game over a WebSocket (RFC 6455): the frames of the stream downwards, commands upwards.

There is one kind of socket, so no router is asked. A handshake that is refused gets the same problem document that a
request would get.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import msgspec
from litestar.types import Receive, Send, WebSocketScope
from msgspec import UNSET, Struct

from infra.telemetry import LIVE_COMMANDS
from services.api.address import game_id, query
from services.api.authentication import caller
from services.api.connection import WRITE, Stalled, deliver
from services.api.failures import problem_answer, problem_of
from services.api.limiting import rate_limited
from services.api.messages import CommandMessage, Key, ProblemMessage, ResultMessage
from services.api.parts import Parts
from services.api.problems import ApiError, Problem
from services.api.requests import misshapen
from services.api.shapes import FollowQuery
from services.api.watching import watch
from services.live.watcher import Watcher

ANSWER_SECONDS: Final = 5.0
"""For the answer to the last message, when the socket is to end."""

RESTARTING: Final = 1012
NOT_ALLOWED: Final = 1008

_PATH: Final = re.compile(r"/v1/games/([^/]+)/ws")


class _Keyed(Struct, frozen=True):
    """As much of a wrong message as tells which it was."""

    key: Key


_message: Final = msgspec.json.Decoder(CommandMessage)
_keyed: Final = msgspec.json.Decoder(_Keyed)
_encode: Final = msgspec.json.Encoder().encode


class Sockets:
    """The WebSockets of an application, whose parts are there once it has started."""

    def __init__(self, parts: Callable[[], Parts]) -> None:
        self._parts = parts

    async def __call__(self, scope: WebSocketScope, receive: Receive, send: Send) -> None:
        """One socket, from its handshake to its end."""
        await receive()
        parts = self._parts()
        try:
            game, player, after = await _asked(scope, parts)
            watcher = await watch(parts, game, player, after)
        except Exception as error:  # noqa: BLE001 - told as a problem, whatever it is
            await _refuse(scope, send, error)
            return
        try:
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await _Socket(parts, game, player, watcher, scope, receive, send).serve()
        finally:
            parts.live.leave(watcher)


class _Socket:
    def __init__(
        self,
        parts: Parts,
        game: str,
        player: str,
        watcher: Watcher,
        scope: WebSocketScope,
        receive: Receive,
        send: Send,
    ) -> None:
        self._parts = parts
        self._game = game
        self._player = player
        self._watcher = watcher
        self._scope = scope
        self._receive = receive
        self._send = send
        self._write: Callable[[bytes], bool] = cast("Mapping[str, Any]", scope).get(WRITE, _cannot_write)
        self._answering = asyncio.Lock()

    async def serve(self) -> None:
        """Until one side ends it."""
        hearing = asyncio.create_task(self._hear())
        try:
            await self._tell(hearing)
        except (Stalled, OSError):
            pass  # counted where it was found out: the connection is gone
        finally:
            await self._stop(hearing)

    async def _tell(self, hearing: asyncio.Task[None]) -> None:
        watcher = self._watcher
        while True:
            # The server below sends the pings: there is no reason to be woken when nothing happens.
            frame = await watcher.next(None)
            if watcher.has_left:
                return
            if watcher.is_over:
                await self._stop(hearing)
            if frame is not None:
                await self._deliver(frame.body)
            if watcher.is_over:
                code = NOT_ALLOWED if watcher.retry_ms is None else RESTARTING
                await deliver(self._scope, self._send({"type": "websocket.close", "code": code, "reason": ""}))
                return

    async def _hear(self) -> None:
        """One message after the other, in the order in which they were sent; what is not read yet waits outside."""
        try:
            while (message := await self._receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.receive":
                    async with self._answering:
                        await self._answer(message.get("text"))
        except (Stalled, OSError):
            pass  # counted where it was found out: the connection is gone
        finally:
            # However this ends: nobody is there any more who could be served.
            if not self._watcher.is_over:
                self._watcher.leave()

    async def _stop(self, hearing: asyncio.Task[None]) -> None:
        """Take no more messages. The one that is being answered is answered first."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS), self._answering:
                hearing.cancel()
        except TimeoutError:
            hearing.cancel()
        await asyncio.wait([hearing])

    async def _answer(self, text: str | None) -> None:
        LIVE_COMMANDS.inc()
        key: str | None = None
        answer: ResultMessage | ProblemMessage
        try:
            self._parts.access.check(self._player)
            # Before it is read: nonsense is not for nothing either.
            _within(self._parts.limits.command(self._player))
            wanted = _read(text)
            key = wanted.key
            done = await self._parts.games.command(self._game, self._player, key, wanted.command, wanted.if_version)
            answer = ResultMessage(key, done.version, done.replayed, done.events)
        except Exception as error:  # noqa: BLE001 - told as a problem, whatever it is
            answer = _problem_message(key or _key_in(text), *problem_of(error))
        await self._deliver(_encode(answer))

    async def _deliver(self, body: bytes) -> None:
        if not self._write(body):
            await deliver(self._scope, self._send({"type": "websocket.send", "text": body.decode(), "bytes": None}))


def _cannot_write(_text: bytes) -> bool:
    """Under a server that knows no such thing."""
    return False


async def _asked(scope: WebSocketScope, parts: Parts) -> tuple[str, str, int | None]:
    found = _PATH.fullmatch(scope["path"])
    if found is None:
        raise ApiError(code="not_found")
    player = await caller(scope, parts, takes_ticket=True)
    _within(parts.limits.request(player))
    # Afterwards: who asks takes the ticket out of the query.
    after = query(scope, FollowQuery).after
    return game_id(found[1]), player, None if after is UNSET else after


def _within(wait: float | None) -> None:
    if wait is not None:
        raise rate_limited(wait)


def _read(text: str | None) -> CommandMessage:
    if text is None:
        raise ApiError(code="malformed", detail="Send text, not bytes.")
    try:
        return _message.decode(text)
    except msgspec.ValidationError as error:
        raise misshapen(error, CommandMessage) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise ApiError(code="malformed", detail=f"The message is not JSON: {error}.") from None


def _key_in(text: str | None) -> str | None:
    try:
        return _keyed.decode(text or "").key
    except (msgspec.DecodeError, RecursionError):
        return None


def _problem_message(key: str | None, told: Problem, headers: dict[str, str]) -> ProblemMessage:
    return ProblemMessage(
        key=key,
        title=told.title,
        status=told.status,
        detail=told.detail,
        code=told.code,
        version=told.version if isinstance(told.version, int) else None,
        errors=told.errors if isinstance(told.errors, list) else None,
        retry_after=int(headers["Retry-After"]) if "Retry-After" in headers else None,
    )


async def _refuse(scope: WebSocketScope, send: Send, error: Exception) -> None:
    response = problem_answer(error)
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": NOT_ALLOWED, "reason": ""})
        return
    await send(
        {
            "type": "websocket.http.response.start",
            "status": response.status_code,
            "headers": response.encode_headers(),
        }
    )
    await send({"type": "websocket.http.response.body", "body": response.body, "more_body": False})
