"""Everything that is not a success answers with one shape (RFC 9457), and a code that stays."""

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from services.api.catalogue import KINDS

MEDIA_TYPE: Final = "application/problem+json"


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
