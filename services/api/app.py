"""The application: which routes there are, and what every one of them has in common."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from litestar import Litestar, Router
from litestar.config.cors import CORSConfig
from litestar.exceptions import HTTPException
from litestar.types import ControllerRouterHandler

from services.api.authentication import Authentication
from services.api.docs import documentation
from services.api.envelope import Envelope
from services.api.failures import problem_response
from services.api.limiting import Limiting
from services.api.openapi import openapi_document
from services.api.parts import Parts
from services.api.routes.audit import audit_game, export_game, list_anchors, list_keys
from services.api.routes.games import (
    create_game,
    join_game,
    leave_game,
    list_games,
    read_game,
    start_game,
)
from services.api.routes.health import read_liveness, read_readiness
from services.api.routes.play import list_actions, list_events, send_command
from services.api.routes.players import (
    change_me,
    create_player,
    create_ticket,
    create_tokens,
    erase_me,
    read_me,
    read_player,
)
from services.api.routes.replay import read_replay
from services.api.routes.rulesets import list_rulesets
from services.api.routes.stream import stream_events
from services.api.sockets import Sockets
from services.api.verifier import NO_KEYS, verifier

_VERSIONED: tuple[ControllerRouterHandler, ...] = (
    create_player,
    create_tokens,
    create_ticket,
    read_me,
    change_me,
    erase_me,
    read_player,
    list_rulesets,
    create_game,
    list_games,
    read_game,
    join_game,
    leave_game,
    start_game,
    list_actions,
    send_command,
    list_events,
    read_replay,
    stream_events,
    export_game,
    audit_game,
    list_keys,
    list_anchors,
)


def create_app(
    open_parts: Callable[[], AbstractAsyncContextManager[Parts]],
    *,
    body_limit: int,
    cors_origins: Sequence[str] = (),
    extra_handlers: Sequence[ControllerRouterHandler] = (),
    known_keys: bytes = NO_KEYS,
) -> Envelope:
    """An ASGI application over parts that live from its start to its shutdown.

    `body_limit` in bytes. `cors_origins` may call from a browser; nobody else may. A measurement
    puts `extra_handlers` beside the others under /v1, behind the same authentication; they say
    `include_in_schema=False`. `known_keys` is the JWKS that the page at /verify holds a file against.
    """

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with open_parts() as parts:
            app.state["parts"] = parts
            yield

    cors = _cors(cors_origins)
    application = Litestar(
        route_handlers=[
            Router(
                "/v1",
                route_handlers=[*_VERSIONED, *extra_handlers],
                middleware=[Authentication, Limiting],
            ),
            read_liveness,
            read_readiness,
            verifier(known_keys),
        ],
        exception_handlers={HTTPException: problem_response, Exception: problem_response},
        lifespan=[lifespan],
        cors_config=cors,
        # The document is made by services.api.openapi, from the types that really decode.
        openapi_config=None,
        logging_config=None,
        request_max_body_size=body_limit,
        debug=False,
    )
    for handler in documentation(openapi_document(application.routes)):
        application.register(handler)
    return Envelope(application, Sockets(lambda: application.state["parts"]), body_limit, cors)


def _cors(origins: Sequence[str]) -> CORSConfig | None:
    if not origins:
        return None
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=[
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
        ],
        expose_headers=["ETag", "Location", "Retry-After"],
        allow_credentials=False,
        max_age=600,
    )
