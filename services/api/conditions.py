"""The headers that make a request conditional or repeatable: If-Match, If-None-Match, Idempotency-Key."""

import re
from typing import Final

from litestar.types import HTTPScope

from services.api.problems import ApiError
from services.api.requests import header, header_values

KEY_LENGTH: Final = 128

_KEY: Final = re.compile(rf"[\x21-\x7e]{{1,{KEY_LENGTH}}}")
_VERSION: Final = re.compile(r'(?:W/)?"([0-9]{1,10})"|([0-9]{1,10})')
_CODING: Final = re.compile(r"([a-z*][a-z0-9-]*)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?))?")
_TAG: Final = re.compile(r'(?:W/)?"([\x21\x23-\x7e]*)"')


def idempotency_key(scope: HTTPScope) -> str:
    """The key under which a command has one effect, however often it arrives."""
    key = header(scope, b"idempotency-key")
    if key is None:
        raise ApiError(code="idempotency_key_required")
    if _KEY.fullmatch(key) is None:
        raise ApiError(code="malformed", detail=f"An Idempotency-Key has 1 to {KEY_LENGTH} visible ASCII characters.")
    return key


def if_version(scope: HTTPScope) -> int | None:
    """The version that the caller decided on; None if any will do."""
    text = header(scope, b"if-match")
    if text is None or text == "*":
        return None
    found = _VERSION.fullmatch(text)
    if found is None:
        raise ApiError(code="malformed", detail='If-Match names one version: 57, "57", W/"57", or *.')
    return int(found[1] or found[2])


def etag(version: int) -> str:
    """The entity tag of a game at that version."""
    return f'"{version}"'


def names_tag(scope: HTTPScope, tag: str) -> bool:
    """Whether the caller says in If-None-Match that he has what has that entity tag. `*` as in `names_version`."""
    return any(
        found[1] == tag
        for value in header_values(scope, b"if-none-match")
        for found in _TAG.finditer(value.decode("latin-1"))
    )


def takes_gzip(scope: HTTPScope) -> bool:
    """Whether the caller would rather have the answer compressed (RFC 9110, section 12.5.3)."""
    weights: dict[str, float] = {}
    for value in header_values(scope, b"accept-encoding"):
        for found in _CODING.finditer(value.decode("latin-1").lower()):
            weights[found[1]] = float(found[2] or 1)
    gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return gzip > 0 and gzip >= weights.get("identity", 0.0)


def names_version(scope: HTTPScope, version: int) -> bool:
    """Whether the caller says in If-None-Match that he has that version already.

    `*` is not that: it says that he has some version, which may be any.
    """
    return names_tag(scope, str(version))
