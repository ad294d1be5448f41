"""A request as the handlers see it, its headers, and how a wrong place in it is named."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from litestar.connection import Request
from litestar.datastructures import State
from litestar.types import HTTPScope, WebSocketScope
from msgspec.inspect import is_struct_type
from msgspec.structs import fields

from services.api.problems import ApiError, FieldError

ApiRequest = Request[str, None, State]
"""The user is the caller's player id."""

_AT: Final = re.compile(r"(.*?)(?: - at `(.*)`)?", re.DOTALL)
_UNKNOWN: Final = "unknown field"


Headed = HTTPScope | WebSocketScope

HEAD_ONLY: Final = "bohnanza.head_only"
"""In a scope: a HEAD that was made a GET. Whoever would answer without end answers with the head alone."""


def wants_head_only(scope: Mapping[str, Any]) -> bool:
    """Whether only the head of the answer goes out."""
    return HEAD_ONLY in scope


def header_values(scope: Headed, name: bytes) -> list[bytes]:
    """All values of a header, in order. `name` in lower case."""
    return [value for key, value in scope["headers"] if key == name]


def header(scope: HTTPScope, name: bytes) -> str | None:
    """The value of a header that may be there once; ApiError if it is there more often."""
    values = header_values(scope, name)
    if not values:
        return None
    if len(values) > 1:
        title = name.decode().title()
        raise ApiError(code="malformed", detail=f"Send the header `{title}` once, not {len(values)} times.")
    return values[0].decode("latin-1").strip(" \t")


def misshapen(error: msgspec.ValidationError, shape: object) -> ApiError:
    """The problem with what does not have that shape; names the first place that is wrong."""
    found = _AT.fullmatch(str(error))
    if found is None:
        return ApiError(code="malformed", detail=str(error))
    text, path = found.groups()
    names = _field_names(shape, path or "$") if _UNKNOWN in text else _choices(shape, path or "$")
    if names:
        text = f"{text} (there are {', '.join(names)})"
    return misplaced(path or "$", text)


def misplaced(path: str, text: str) -> ApiError:
    """The problem with what stands at that place; `text` without a full stop."""
    return ApiError(code="malformed", detail=f"{text} at `{path}`.", errors=[FieldError(path, text)])


def _choices(shape: object, path: str) -> list[str]:
    """The texts that may stand in that place; none where anything may."""
    *above, last = path.split(".")
    for name in above[1:]:
        shape = _field_type(shape, name)
    if last == "type":
        tags = [getattr(kind, "__struct_config__", None) for kind in get_args(shape)]
        return [str(config.tag) for config in tags if config is not None]
    kinds = [_field_type(shape, last)]
    texts: list[str] = []
    while kinds:
        kind = kinds.pop()
        if get_origin(kind) is Literal:
            texts += [str(text) for text in get_args(kind)]
        else:
            kinds += get_args(kind)
    return texts


def _field_type(shape: object, name: str) -> object:
    if not is_struct_type(shape):
        return None
    return next((field.type for field in fields(shape) if field.encode_name == name), None)


def _field_names(shape: object, path: str) -> list[str]:
    """The fields that there are in that place; none where it depends on what else was sent."""
    for name in path.split(".")[1:]:
        shape = _field_type(shape, name)
    return [field.encode_name for field in fields(shape)] if is_struct_type(shape) else []
