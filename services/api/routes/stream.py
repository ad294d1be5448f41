"""Following a game as server-sent events (WHATWG HTML, section 9.2)."""

import asyncio
import re
from typing import Final

from litestar import get
from litestar.params import FromPath
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from msgspec import UNSET

from services.api.address import game_id, query
from services.api.connection import Stalled, deliver
from services.api.parts import Parts, parts_of
from services.api.problems import ApiError
from services.api.reference import live as reference
from services.api.requests import ApiRequest, header, wants_head_only
from services.api.shapes import FollowQuery
from services.api.watching import watch
from services.live.watcher import Watcher

HEARTBEAT_SECONDS: Final = 15.0
"""A comment at least so often: whatever stands between us and the client keeps the connection."""

_PARTING_SECONDS: Final = 1.0
_COMMENT: Final = b":\n\n"
_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # Otherwise nginx would collect frames before it passes them on.
    (b"x-accel-buffering", b"no"),
]
_VERSION: Final = re.compile(r"[0-9]{1,10}")


class EventStream:
    """The answer: frames until the client goes or the server does."""

    def __init__(self, parts: Parts, game: str, player: str, after: int | None) -> None:
        self._parts = parts
        self._game = game
        self._player = player
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A refusal comes before the answer has begun, as with every other route."""
        watcher = await watch(self._parts, self._game, self._player, self._after)
        leaving: asyncio.Task[None] | None = None
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            if not wants_head_only(scope):
                leaving = asyncio.create_task(_until_he_leaves(receive, watcher))
                await _frames(watcher, scope, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except Stalled:
            # Counted, and the connection is gone. The server below hears of it in a moment; before that it would log
            # that the answer has no end.
            if leaving is not None:
                await asyncio.wait([leaving], timeout=_PARTING_SECONDS)
        finally:
            self._parts.live.leave(watcher)
            if leaving is not None:
                leaving.cancel()


@get("/games/{game:str}/stream", opt=reference.STREAM_EVENTS.opt())
async def stream_events(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """What happens in a game, as it happens and as far as the caller may see it."""
    asked = query(request.scope, FollowQuery).after
    after = _last_event_id(request.scope)
    if after is None and asked is not UNSET:
        after = asked
    return EventStream(parts_of(request), game_id(game), request.user, after)


def _last_event_id(scope: HTTPScope) -> int | None:
    """Where a client stands that comes back. It knows better than the address, which it was made with."""
    text = header(scope, b"last-event-id")
    if not text:
        return None
    if _VERSION.fullmatch(text) is None:
        raise ApiError(code="malformed", detail="Last-Event-ID is the `id` of an event of this stream.")
    return int(text)


async def _frames(watcher: Watcher, scope: Scope, send: Send) -> None:
    # Something at once, so that the client knows that it is connected also where nothing happens.
    body = _COMMENT
    while not watcher.has_left:
        await deliver(scope, send({"type": "http.response.body", "body": body, "more_body": True}))
        if watcher.is_over:
            return
        frame = await watcher.next(HEARTBEAT_SECONDS)
        body = _COMMENT if frame is None else frame.sse


async def _until_he_leaves(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.leave()
