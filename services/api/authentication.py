"""Who is calling. Closed by default: a route under /v1 is open only if it says `public`, and takes a ticket in place
of an access token only if it says `ticket`."""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.parts import Parts
from services.api.problems import ApiError
from services.api.requests import Headed, header_values

PUBLIC: Final = {"public": True}
"""`opt` of a route that anybody may call."""

TICKETED: Final = {"ticket": True}
"""`opt` of a route that may be called with `?ticket=`. It does not find the ticket in its query."""


class Authentication:
    """Middleware that puts the caller's player id into the scope as `user`, or refuses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The request with its caller; ApiError, TokenInvalid, TokenExpired or TicketInvalid without one."""
        if scope["type"] == ScopeType.HTTP:
            options = scope["route_handler"].opt
            if not options.get("public"):
                parts: Parts = scope["litestar_app"].state["parts"]
                scope["user"] = await caller(scope, parts, takes_ticket=bool(options.get("ticket")))
        await self._app(scope, receive, send)


async def caller(scope: Headed, parts: Parts, *, takes_ticket: bool) -> str:
    """The player who sent an access token or, where it is taken, a ticket. ApiError, TokenInvalid, TokenExpired,
    TicketInvalid."""
    values = header_values(scope, b"authorization")
    tickets = _taken_out(scope) if takes_ticket else []
    if not tickets:
        return parts.access.player(bearer_token(values))
    if values or len(tickets) > 1:
        raise ApiError(code="malformed", detail="Send one access token or one ticket, not both or several.")
    player = await parts.tickets.redeem(tickets[0])
    parts.access.check(player)
    return player


def _taken_out(scope: Headed) -> list[str]:
    """The tickets of the query, which has none afterwards: nobody who looks at the request from here on can log one.

    The scope is changed in place, since the server goes by it when it logs what it has answered.
    """
    tickets: list[str] = []
    others: list[bytes] = []
    for parameter in scope["query_string"].split(b"&"):
        name, _, value = parameter.partition(b"=")
        if name == b"ticket":
            # The characters of a ticket are written in an address as they are.
            tickets.append(value.decode("latin-1"))
        else:
            others.append(parameter)
    if tickets:
        scope["query_string"] = b"&".join(others)
    return tickets


def bearer_token(values: list[bytes]) -> str:
    """The token in the Authorization headers of a request (RFC 6750, section 2.1)."""
    if not values:
        raise ApiError(code="token_missing")
    scheme, _, token = values[0].decode("latin-1").partition(" ")
    token = token.strip(" ")
    if len(values) > 1 or scheme.lower() != "bearer" or not token:
        raise ApiError(code="token_missing", detail="Send one header `Authorization: Bearer <access_token>`.")
    return token
