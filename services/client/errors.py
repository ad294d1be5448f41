"""What a call can end in, other than an answer."""

from http import HTTPStatus

import msgspec
from msgspec import Struct


class Problem(Exception):
    """The server understood and said no (RFC 9457). Programs go by `code`; `version` is that of the game."""

    def __init__(self, status: int, code: str, detail: str, version: int | None = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.version = version


class GaveUp(Exception):
    """Nobody answered well in time. What was asked for may have happened all the same."""


class Unreadable(Exception):
    """An answer that is not what the API promises."""


class _Body(Struct):
    code: str
    detail: str = ""
    version: int | None = None


_decode = msgspec.json.Decoder(_Body).decode


def problem_of(status: int, body: bytes) -> Problem:
    """The problem in an answer, also in one that did not come from the API but from something in between."""
    try:
        told = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Problem(status, "unexpected_answer", _phrase(status))
    return Problem(status, told.code, told.detail, told.version)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "not a status of HTTP"
