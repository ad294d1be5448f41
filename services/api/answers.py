"""Successful answers, written by one encoder."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import ASGIApp

JSON: Final = "application/json"

encode = msgspec.json.Encoder().encode


def answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> ASGIApp:
    """`value` as JSON."""
    return ready_made(encode(value), headers, status)


def ready_made(body: bytes, headers: Mapping[str, str] | None = None, status: int = 200) -> ASGIApp:
    """Bytes that are JSON already."""
    return ASGIResponse(
        body=body,
        status_code=status,
        media_type=JSON,
        headers=dict(headers) if headers else None,
    )


def not_modified(headers: Mapping[str, str]) -> ASGIApp:
    """The client has it already."""
    return ASGIResponse(status_code=304, headers=dict(headers))
