"""Who is calling. Closed by default: a route under /v1 is open only if it says `public`."""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.problems import ApiError
from services.api.requests import header_values
from services.identity.access import AccessTokens

PUBLIC: Final = {"public": True}
"""`opt` of a route that anybody may call."""


class Authentication:
    """Middleware that puts the caller's player id into the scope as `user`, or refuses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request with its caller; ApiError, TokenInvalid or TokenExpired without one."""
        if scope["type"] == ScopeType.HTTP:
            route = scope["route_handler"]
            if not route.opt.get("public"):
                values = header_values(scope, b"authorization")
                access: AccessTokens = scope["litestar_app"].state["parts"].access
                scope["user"] = access.player(bearer_token(values))
        await self._app(scope, receive, send)


def bearer_token(values: list[bytes]) -> str:
    """The token in the Authorization headers of a request (RFC 6750, section 2.1)."""
    if not values:
        raise ApiError(code="token_missing")
    scheme, _, token = values[0].decode("latin-1").partition(" ")
    token = token.strip(" ")
    if len(values) > 1 or scheme.lower() != "bearer" or not token:
        raise ApiError(code="token_missing", detail="Send one header `Authorization: Bearer <access_token>`.")
    return token
