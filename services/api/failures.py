"""From an error to the answer that tells it. What an error says to the caller is decided here,
so nothing that goes wrong inside can tell more than this file lets through."""

import logging
from http import HTTPStatus
from typing import Final

import msgspec
from litestar.exceptions import HTTPException
from litestar.response import Response
from litestar.response.base import ASGIResponse
from msgspec import UNSET

from infra.event_store import StoreUnavailable
from infra.telemetry import PROBLEMS
from services.api.problems import MEDIA_TYPE, ApiError, Problem, problem
from services.games.errors import GameError, HistoryUnreadable
from services.identity.access import TokenExpired, TokenInvalid
from services.identity.sessions import RefreshRefused
from services.identity.tickets import TicketInvalid

logger = logging.getLogger("bohnanza.api")

_BY_STATUS: Final[dict[int, str]] = {
    400: "malformed",
    401: "token_invalid",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "body_too_large",
    415: "unsupported_media_type",
    503: "busy",
}

_encode = msgspec.json.Encoder().encode


def problem_of(error: Exception) -> tuple[Problem, dict[str, str]]:
    """What to tell the caller about an error, and the headers that go with it.

    An error that nobody expected is logged with its traceback and told as `internal` only. To be
    asked once for each answer: this counts them.
    """
    headers: dict[str, str] = {}
    match error:
        case ApiError():
            told = problem(error.code, error.detail, errors=error.errors)
            headers.update(error.headers or {})
        case HistoryUnreadable():
            logger.error("A history cannot be read: %s", error)
            told = problem(error.code)
        case GameError():
            version = error.version if error.version is not None else UNSET
            told = problem(error.code, error.detail, version=version)
        case TokenExpired():
            told = problem("token_expired")
        case TokenInvalid():
            told = problem("token_invalid")
        case RefreshRefused():
            told = problem("refresh_token_invalid")
        case TicketInvalid():
            told = problem("ticket_invalid")
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
    if told.status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        headers.setdefault("Retry-After", "1")
    PROBLEMS.labels(told.code).inc()
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
