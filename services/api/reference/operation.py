"""The description of one operation: everything that its code does not say already."""

from typing import Any, Final

from msgspec import Struct

from services.api.catalogue import KINDS
from services.api.limiting import Limit

TOKEN_PROBLEMS: Final = ("token_missing", "token_invalid", "token_expired")
TICKET_PROBLEMS: Final = ("ticket_invalid", "malformed", "store_unavailable")
BODY_PROBLEMS: Final = ("malformed", "request_timeout", "body_too_large", "unsupported_media_type")


class Example(Struct, frozen=True):
    """A value as it travels, and what it shows."""

    summary: str
    value: Any


class Parameter(Struct, frozen=True):
    """A header of a request, or a part of a path."""

    name: str
    place: str
    description: str
    schema: dict[str, Any]
    example: Any
    required: bool = False


class ResponseHeader(Struct, frozen=True):
    """A header of a successful answer."""

    description: str
    example: str


class Operation(Struct, frozen=True, kw_only=True):
    """One method on one path.

    `request`, `query` and `response` are the types that the route decodes and encodes, so the
    document cannot promise another shape. `ticket`: in place of the access token a `?ticket=` opens
    it too, which the route does not see in its query. `limit`: what it counts against of all that one
    client may ask for. `problems` are the codes that this operation has beyond those that follow from
    its being closed, taking tickets, being limited, having a body or reading a query. `messages` are
    what a client sends over a socket.
    """

    id: str
    tag: str
    summary: str
    description: str
    status: int = 200
    public: bool = False
    ticket: bool = False
    limit: Limit | None = None
    request: Any = None
    request_optional: bool = False
    request_examples: dict[str, Example] = {}
    query: Any = None
    parameters: tuple[Parameter, ...] = ()
    response: Any = None
    response_type: str = "application/json"
    messages: Any = None
    response_description: str = "As asked."
    response_example: Any = None
    response_headers: dict[str, ResponseHeader] = {}
    not_modified: bool = False
    problems: tuple[str, ...] = ()

    def all_problems(self) -> list[str]:
        """Every code that this operation may answer with, by status and then as listed."""
        codes = ["internal", *self.problems]
        if not self.public:
            codes.extend(TOKEN_PROBLEMS)
        if self.ticket:
            codes.extend(TICKET_PROBLEMS)
        if self.limit is not None:
            codes.append("rate_limited")
        if self.request is not None:
            codes.extend(BODY_PROBLEMS)
        if self.query is not None:
            codes.append("malformed")
        return sorted(dict.fromkeys(codes), key=lambda code: KINDS[code].status)

    def opt(self) -> dict[str, Any]:
        """The options that a route of this operation carries."""
        return {"operation": self, "public": self.public, "ticket": self.ticket, "limit": self.limit}


GAME_PARAMETER: Final = Parameter(
    name="game",
    place="path",
    description="The id of a game.",
    schema={"type": "string", "format": "uuid"},
    example="4f7c0d2a-91b3-4e0c-8a55-0c1d2e3f4a5b",
    required=True,
)
PLAYER_PARAMETER: Final = Parameter(
    name="player",
    place="path",
    description="The id of a player.",
    schema={"type": "string", "format": "uuid"},
    example="0b9e6c1e-2f43-4d56-9a7b-8c9d0e1f2a3b",
    required=True,
)
