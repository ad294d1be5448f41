"""For whoever trusts nobody: finished games as files, their checks, and the keys that have signed them."""

import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Final

from litestar import get
from litestar.params import FromPath
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.address import game_id, query
from services.api.answers import answer, not_modified
from services.api.conditions import names_tag, takes_gzip
from services.api.connection import Stalled, deliver
from services.api.parts import parts_of
from services.api.reference import audit as reference
from services.api.requests import ApiRequest, misplaced, wants_head_only
from services.api.shapes import AnchorsQuery
from services.audit.exports import Export
from services.audit.jwks import jwks

_GZIP_WINDOW: Final = 31
"""A gzip header and trailer around the data (RFC 1952); without a time in it, so that the bytes are always the same."""


@get("/games/{game:str}/export", opt=reference.EXPORT_GAME.opt())
async def export_game(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """The whole history of a finished game as one file."""
    game = game_id(game)
    export = await parts_of(request).exports.export(game, request.user)
    gzip = takes_gzip(request.scope)
    tag = f"{export.tag}-gzip" if gzip else export.tag
    headers = {
        "ETag": f'"{tag}"',
        # It never changes. A private game is for those who may know of it, and no cache on the way can tell who does.
        "Cache-Control": f"{'public' if export.is_public else 'private'}, max-age=31536000, immutable",
        "Vary": "Accept-Encoding, Authorization",
    }
    if names_tag(request.scope, tag):
        return not_modified(headers)
    headers["Content-Disposition"] = f'attachment; filename="bohnanza-{game}.jsonl"'
    if gzip:
        headers["Content-Encoding"] = "gzip"
    return _File(export, headers, gzip=gzip)


@get("/games/{game:str}/audit", opt=reference.AUDIT_GAME.opt())
async def audit_game(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """All checks of a finished game, made anew."""
    return answer(await parts_of(request).audits.audit(game_id(game), request.user))


@get("/keys", opt=reference.LIST_KEYS.opt(), sync_to_thread=False)
def list_keys(request: ApiRequest) -> ASGIApp:
    """The keys whose signatures are those of this server."""
    return answer(jwks(parts_of(request).signing.public), headers={"Cache-Control": "public, max-age=300"})


@get("/anchors", opt=reference.LIST_ANCHORS.opt())
async def list_anchors(request: ApiRequest) -> ASGIApp:
    """A page of the anchors, newest first."""
    wanted = query(request.scope, AnchorsQuery)
    try:
        page = await parts_of(request).anchors.anchors(wanted.cursor or None, wanted.limit)
    except ValueError:
        raise misplaced("$.cursor", "The cursor is none of this list; leave it out to begin anew") from None
    return answer(page, headers={"Cache-Control": "public, max-age=60"})


class _File:
    """The answer: the parts of an export as they are read."""

    def __init__(self, export: Export, headers: dict[str, str], *, gzip: bool) -> None:
        self._parts = _gzipped(export.parts) if gzip else export.parts
        self._headers = headers

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """The first part is read before the answer begins, so that a database that is away is told as everywhere."""
        async with aclosing(self._parts) as parts:
            body = b"" if wants_head_only(scope) else await anext(parts)
            headers = [(b"content-type", b"application/jsonl"), *_encoded(self._headers)]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            # Whoever stops reading is cut off, which is counted, and there is nobody left to tell.
            with suppress(Stalled):
                if body:
                    await deliver(scope, send({"type": "http.response.body", "body": body, "more_body": True}))
                    async for part in parts:
                        await deliver(scope, send({"type": "http.response.body", "body": part, "more_body": True}))
                await send({"type": "http.response.body", "body": b"", "more_body": False})


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


async def _gzipped(parts: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    compressor = zlib.compressobj(wbits=_GZIP_WINDOW)
    async with aclosing(parts):
        async for part in parts:
            packed = compressor.compress(part)
            if packed:
                yield packed
    yield compressor.flush()
