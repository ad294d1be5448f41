"""Reading a body: bounded in bytes and in time, and every way in which it can be wrong becomes a problem.

Decoding is strict. A number in quotes is no number, an unknown field is an error and not ignored,
and a field that is there twice has no meaning that both sides would agree on.
"""

import asyncio
import json
from typing import Any, Final, TypeVar

import msgspec
from litestar.types import HTTPScope
from msgspec.json import Decoder

from services.api.problems import ApiError
from services.api.requests import ApiRequest, header_values, misshapen

T = TypeVar("T")

BODY_SECONDS: Final = 10.0
"""For the whole body, however many pieces it comes in."""


def too_large(limit: int) -> ApiError:
    """The problem with a body of more than `limit` bytes."""
    return ApiError(code="body_too_large", detail=f"At most {limit} bytes are read.")


async def body_of(request: ApiRequest, limit: int) -> bytes:
    """The whole body, of at most `limit` bytes, within BODY_SECONDS, however it is sent."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _received(request, limit)
    except TimeoutError:
        # Whoever is so slow may go on sending for ever; the connection ends with the answer (RFC 9110, 15.5.9).
        raise ApiError(code="request_timeout", headers={"Connection": "close"}) from None


async def _received(request: ApiRequest, limit: int) -> bytes:
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
        raise misshapen(error, decoder.type) from None
    except RecursionError:
        raise ApiError(code="malformed", detail="The JSON is nested too deeply.") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise ApiError(code="malformed", detail=f"The body is not valid JSON: {error}.") from None
    return value


def _without_repetition(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        msg = "an object has the same name twice"
        raise ValueError(msg)


_repetition_finder: Final = json.JSONDecoder(object_pairs_hook=_without_repetition)
