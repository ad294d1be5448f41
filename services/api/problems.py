"""Everything that is not a success answers with one shape (RFC 9457), and a code that stays.

The one place where a code gets its status. What an error says to the caller is decided here too,
so nothing that goes wrong inside can tell more than this file lets through.
"""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, get_args

import msgspec
from litestar.exceptions import HTTPException
from litestar.response import Response
from litestar.response.base import ASGIResponse
from msgspec import UNSET, Struct, UnsetType

from domain.refusal import RefusalCode, Refused
from infra.event_store import StoreUnavailable
from services.games.errors import GameError
from services.identity.access import TokenExpired, TokenInvalid
from services.identity.sessions import RefreshRefused

MEDIA_TYPE: Final = "application/problem+json"

logger = logging.getLogger("bohnanza.api")


class FieldError(Struct, frozen=True):
    """One wrong place in a request: `path` as in `$.give[0]`, or the name of a parameter."""

    path: str
    message: str


class Problem(Struct, frozen=True):
    """What went wrong and what to do next. Programs go by `code`, people read `detail`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    version: int | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET


class Kind(Struct, frozen=True):
    """What every problem of one code has in common. `detail` is what to do when nobody knows better."""

    status: int
    title: str
    detail: str


_REFUSALS: Final[dict[RefusalCode, str]] = {
    "not_your_turn": "It is another player's turn",
    "wrong_phase": "Not in this phase",
    "not_front_card": "Not the front card",
    "must_plant_first": "The front card must be planted first",
    "already_planted_two": "Two cards are planted already",
    "unknown_card": "No such card here",
    "no_such_field": "No such field",
    "field_occupied": "Another bean grows in that field",
    "bean_protected": "A single bean is protected",
    "field_empty": "The field is empty",
    "not_enough_coins": "Not enough coins",
    "field_not_for_sale": "No field is for sale",
    "empty_offer": "An offer of nothing for nothing",
    "not_a_party": "Not a party to this deal",
    "offer_not_found": "No such open offer",
    "offer_mismatch": "The cards do not match the offer",
    "game_not_running": "The game is not running",
    "game_full": "Every seat is taken",
    "seats_open": "Seats are still open",
    "already_started": "The game has started already",
}
_REFUSED = "Read the game again and choose among `GET /v1/games/{id}/actions`."

KINDS: Final[dict[str, Kind]] = {
    "malformed": Kind(400, "The request is malformed", "Compare it with the OpenAPI document at /schema."),
    "idempotency_key_required": Kind(
        400,
        "An Idempotency-Key is required",
        "Send the header `Idempotency-Key` with a new random value for every new command, "
        "and the same value when you repeat one.",
    ),
    "token_missing": Kind(
        401,
        "An access token is required",
        "Send `Authorization: Bearer <access_token>`; `POST /v1/players` gives you one.",
    ),
    "token_invalid": Kind(
        401,
        "The access token is not valid",
        "Get a new pair with `POST /v1/tokens`, or a new guest with `POST /v1/players`.",
    ),
    "token_expired": Kind(401, "The access token has expired", "Get a new pair with `POST /v1/tokens`."),
    "refresh_token_invalid": Kind(
        401,
        "The refresh token is not valid",
        "It is wrong, expired or was used before. Sign in again with `POST /v1/players`.",
    ),
    "forbidden": Kind(403, "Not allowed", "Another player may do this, you may not."),
    "not_your_seat": Kind(403, "You have no seat in this game", "Join it first, or play from a seat of your own."),
    "not_host": Kind(403, "Only the host may do this", "Ask the player on seat 0."),
    "not_found": Kind(404, "There is nothing here", "The routes are listed at /schema."),
    "game_not_found": Kind(
        404,
        "No such game",
        "Check the id. A private game is known only to those who sit in it or hold its invite.",
    ),
    "player_not_found": Kind(404, "No such player", "Check the id."),
    "method_not_allowed": Kind(405, "The method is not allowed here", "The header `Allow` lists those that are."),
    "stale_version": Kind(
        412,
        "The game has moved on",
        "Read the game again, decide anew and send the new version in `If-Match`.",
    ),
    "body_too_large": Kind(413, "The body is too large", "Send less."),
    "unsupported_media_type": Kind(
        415,
        "The body is not JSON",
        "Send `Content-Type: application/json` and an unencoded body in UTF-8.",
    ),
    "key_reused": Kind(
        422,
        "The Idempotency-Key was used for another command",
        "Use a new random key for every new command.",
    ),
    "too_many_requests": Kind(429, "Too many requests", "Wait as long as `Retry-After` says."),
    "internal": Kind(
        500,
        "Something is broken on this side",
        "Try again later with the same Idempotency-Key; nothing happens twice.",
    ),
    "busy": Kind(
        503,
        "Too much is going on in this game",
        "Send the same request with the same Idempotency-Key again after `Retry-After` seconds.",
    ),
    "store_unavailable": Kind(
        503,
        "The database cannot be reached",
        "Send the same request with the same Idempotency-Key again after `Retry-After` seconds.",
    ),
    "not_ready": Kind(503, "Not ready", "Ask again after `Retry-After` seconds."),
    **{code: Kind(409, title, _REFUSED) for code, title in _REFUSALS.items()},
}
"""Every code with its status, its title and its standing advice."""

REFUSALS: Final[tuple[RefusalCode, ...]] = get_args(RefusalCode)

_BY_STATUS: Final[dict[int, str]] = {
    400: "malformed",
    401: "token_invalid",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    503: "busy",
}

_encode = msgspec.json.Encoder().encode


class ApiError(Exception):
    """A problem found at the edge, before any use case is asked."""

    def __init__(
        self,
        *,
        code: str,
        detail: str | None = None,
        errors: list[FieldError] | UnsetType = UNSET,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers


def problem(
    code: str,
    detail: str | None = None,
    *,
    version: int | UnsetType = UNSET,
    errors: list[FieldError] | UnsetType = UNSET,
) -> Problem:
    """The problem with that code; `detail` replaces the standing advice."""
    kind = KINDS[code]
    return Problem(
        type=f"urn:bohnanza:problem:{code}",
        title=kind.title,
        status=kind.status,
        detail=detail or kind.detail,
        code=code,
        version=version,
        errors=errors,
    )


def problem_of(error: Exception) -> tuple[Problem, dict[str, str]]:
    """What to tell the caller about an error, and the headers that go with it.

    An error that nobody expected is logged with its traceback and told as `internal` only.
    """
    headers: dict[str, str] = {}
    match error:
        case ApiError():
            told = problem(error.code, error.detail, errors=error.errors)
            headers.update(error.headers or {})
        case GameError():
            version = error.version if error.version is not None else UNSET
            told = problem(error.code, error.detail, version=version)
        case Refused():
            told = problem(error.code, error.detail)
        case TokenExpired():
            told = problem("token_expired")
        case TokenInvalid():
            told = problem("token_invalid")
        case RefreshRefused():
            told = problem("refresh_token_invalid")
        case StoreUnavailable():
            logger.warning("The event store is unavailable: %s", error)
            told = problem("store_unavailable")
        case HTTPException() if error.status_code in _BY_STATUS:
            told = problem(_BY_STATUS[error.status_code])
            headers.update({k: v for k, v in (error.headers or {}).items() if k.lower() == "allow"})
        case _:
            logger.error("An unexpected error", exc_info=error)
            told = problem("internal")
    if told.status == HTTPStatus.UNAUTHORIZED:
        headers.setdefault("WWW-Authenticate", _challenge(told.code))
    if told.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", "1")
    return told, headers


def problem_response(_: object, error: Exception) -> Response[bytes]:
    """The answer to a request that failed with that error; an exception handler for Litestar."""
    told, headers = problem_of(error)
    return Response(_encode(told), status_code=told.status, media_type=MEDIA_TYPE, headers=headers)


def problem_answer(error: Exception) -> ASGIResponse:
    """The same where there is no application around, ready to be sent."""
    told, headers = problem_of(error)
    return ASGIResponse(body=_encode(told), status_code=told.status, media_type=MEDIA_TYPE, headers=headers)


def code_for_status(status: int) -> str:
    """The code of a problem of which only the status is known."""
    return _BY_STATUS.get(status, "internal" if status >= 500 else "malformed")


def _challenge(code: str) -> str:
    """RFC 6750, section 3: no error code when the request had no token at all."""
    return "Bearer" if code == "token_missing" else 'Bearer error="invalid_token"'
