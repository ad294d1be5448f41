"""Reading a request: every way in which it can be wrong becomes a problem that names the place.

Decoding is strict. A number in quotes is no number, an unknown field is an error and not ignored,
and a field that is there twice has no meaning that both sides would agree on.
"""

import json
import re
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from litestar.connection import Request
from litestar.datastructures import State
from litestar.types import HTTPScope
from msgspec.inspect import is_struct_type
from msgspec.json import Decoder
from msgspec.structs import fields

from services.api.problems import ApiError, FieldError
from services.identity.access import PLAYER_ID

ApiRequest = Request[str, None, State]
"""A request as the handlers see it: the user is the caller's player id."""

T = TypeVar("T")
Q = TypeVar("Q")

_AT: Final = re.compile(r"(.*?)(?: - at `(.*)`)?", re.DOTALL)
_UNKNOWN: Final = "unknown field"
_MOST_PARAMETERS: Final = 16


def header_values(scope: HTTPScope, name: bytes) -> list[bytes]:
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


def too_large(limit: int) -> ApiError:
    """The problem with a body of more than `limit` bytes."""
    return ApiError(code="body_too_large", detail=f"At most {limit} bytes are read.")


async def body_of(request: ApiRequest, limit: int) -> bytes:
    """The whole body, of at most `limit` bytes, however it is sent."""
    message = await request.receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        body = message["body"]
        if len(body) > limit:
            raise too_large(limit)
        return body
    chunks: list[bytes] = []
    length = 0
    while True:
        if message["type"] != "http.request":
            # The client hung up. Nobody is there to read this answer.
            raise ApiError(code="malformed", detail="The body ended before it was complete.")
        chunk = message["body"]
        length += len(chunk)
        if length > limit:
            raise too_large(limit)
        chunks.append(chunk)
        if not message.get("more_body"):
            return b"".join(chunks)
        message = await request.receive()


def require_json(scope: HTTPScope) -> None:
    """ApiError unless the body is announced as plain JSON in UTF-8."""
    types = header_values(scope, b"content-type")
    if len(types) == 1:
        if types[0] == b"application/json":
            accepted = True
        else:
            media_type, *parameters = types[0].decode("latin-1").lower().split(";")
            accepted = media_type.strip() == "application/json" and all(
                parameter.strip().replace('"', "") in ("charset=utf-8", "charset=utf8", "") for parameter in parameters
            )
    else:
        accepted = False
    if not accepted or header_values(scope, b"content-encoding") not in ([], [b"identity"]):
        raise ApiError(code="unsupported_media_type")


async def json_body(request: ApiRequest, decoder: Decoder[T], limit: int) -> T:
    """The body as that decoder reads it."""
    require_json(request.scope)
    return decoded(decoder, await body_of(request, limit))


async def optional_json_body(request: ApiRequest, decoder: Decoder[T], limit: int) -> T:
    """The same where every field has a default: no body at all means all the defaults."""
    body = await body_of(request, limit)
    if not body:
        return decoded(decoder, b"{}")
    require_json(request.scope)
    return decoded(decoder, body)


def decoded(decoder: Decoder[T], body: bytes) -> T:
    """What is in those bytes; ApiError names the first place that is wrong."""
    try:
        value = decoder.decode(body)
        # The decoder takes the last of two equal names; another reader may take the first.
        _repetition_finder.decode(body.decode())
    except msgspec.ValidationError as error:
        raise _malformed(str(error), decoder.type) from None
    except RecursionError:
        raise ApiError(code="malformed", detail="The JSON is nested too deeply.") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise ApiError(code="malformed", detail=f"The body is not valid JSON: {error}.") from None
    return value


def query(scope: HTTPScope, shape: type[Q]) -> Q:
    """The query parameters as that struct; ApiError for unknown, repeated or wrong ones."""
    text = scope["query_string"]
    if not text:
        return msgspec.convert({}, shape)
    try:
        pairs = parse_qsl(
            text.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
        values = dict(pairs)
        if len(values) != len(pairs):
            raise ApiError(code="malformed", detail="A query parameter is there more than once.")
        return msgspec.convert(values, shape, strict=False)
    except msgspec.ValidationError as error:
        raise _malformed(str(error), shape) from None
    except ValueError:
        raise ApiError(code="malformed", detail="The query string cannot be read.") from None


def game_id(text: str) -> str:
    """A game id from a path. What is no id belongs to no game, and gets the same answer."""
    return _id(text, "game_not_found")


def player_id(text: str) -> str:
    """A player id from a path."""
    return _id(text, "player_not_found")


def _id(text: str, code: str) -> str:
    identifier = text.lower()
    if PLAYER_ID.fullmatch(identifier) is None:
        raise ApiError(code=code)
    return identifier


def _without_repetition(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        msg = "an object has the same name twice"
        raise ValueError(msg)


_repetition_finder: Final = json.JSONDecoder(object_pairs_hook=_without_repetition)


def _malformed(message: str, shape: object) -> ApiError:
    found = _AT.fullmatch(message)
    if found is None:
        return ApiError(code="malformed", detail=message)
    text, path = found.groups()
    if _UNKNOWN in text and (names := _field_names(shape, path or "$")):
        text = f"{text} (there are {', '.join(names)})"
    place = FieldError(path or "$", text)
    return ApiError(code="malformed", detail=f"{text} at `{place.path}`.", errors=[place])


def _field_names(shape: object, path: str) -> list[str]:
    """The fields that there are in that place; none where it depends on what else was sent."""
    for name in path.split(".")[1:]:
        if not is_struct_type(shape):
            return []
        shape = next((field.type for field in fields(shape) if field.encode_name == name), None)
    return [field.encode_name for field in fields(shape)] if is_struct_type(shape) else []
