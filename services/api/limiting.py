"""Who asks for too much is told to wait. Which routes count, and as what, the routes say themselves by `limit`."""

import math
from typing import Literal

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from services.api.parts import Parts
from services.api.problems import ApiError

Limit = Literal["commands", "requests"]


class Limiting:
    """Middleware behind Authentication. What it refuses has not been looked at: no key is used up. A ticket is,
    since only then it is known whose it was."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request, if it is not too much; else ApiError."""
        if scope["type"] == ScopeType.HTTP:
            limit: Limit | None = scope["route_handler"].opt.get("limit")
            if limit is not None:
                wait = _wait(scope, limit)
                if wait is not None:
                    raise rate_limited(wait)
        await self._app(scope, receive, send)


def rate_limited(wait: float) -> ApiError:
    """The problem of somebody who has to wait so many seconds."""
    return ApiError(code="rate_limited", headers={"Retry-After": str(max(1, math.ceil(wait)))})


def _wait(scope: HTTPScope, limit: Limit) -> float | None:
    parts: Parts = scope["litestar_app"].state["parts"]
    if scope["route_handler"].opt.get("public"):
        client = scope["client"]
        return parts.limits.request_from(None if client is None else client[0])
    player: str = scope["user"]
    return parts.limits.command(player) if limit == "commands" else parts.limits.request(player)
