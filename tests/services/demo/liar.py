"""The real application over real HTTP, with somebody on the way who changes what it says."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web

from tests.services.client.faulty import serving

Lie = Callable[[str, Any], Any]
"""Gets the path and the body of an answer or of a frame, decoded, and gives the body that goes out in its place."""

PASSED_ON = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match")


def honest(_path: str, body: Any) -> Any:
    """No lie at all."""
    return body


class Liar:
    """A proxy. `twice`: the first command of that type is carried out a second time, under a key of its own."""

    def __init__(self, server: str, http: aiohttp.ClientSession, lie: Lie, twice: str | None) -> None:
        self._server = server
        self._http = http
        self._lie = lie
        self._twice = twice

    async def pass_on(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith("/stream"):
            return await self._stream(request)
        body = await request.read()
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        status, told = await self._ask(request, headers, body)
        if self._twice is not None and status == 200 and f'"type":"{self._twice}"'.encode() in body:
            self._twice = None
            again, _ = await self._ask(request, {**headers, "Idempotency-Key": "again"}, body)
            assert again == 200
        if status < 300:
            told = self._lie(request.path, told)
        return web.json_response(told, status=status)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """Frame by frame."""
        headers = {name: request.headers[name] for name in PASSED_ON if name in request.headers}
        told = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await told.prepare(request)
        async with self._http.get(self._server + request.path_qs, headers=headers) as answer:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    body = self._lie(request.path, json.loads(line.removeprefix(b"data: ")))
                    await told.write(b"data: " + json.dumps(body).encode() + b"\n")
                else:
                    await told.write(line)
        return told

    async def _ask(self, request: web.Request, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        url = self._server + request.path_qs
        async with self._http.request(request.method, url, headers=headers, data=body or None) as answer:
            return answer.status, await answer.json(content_type=None)


@asynccontextmanager
async def lying(server: str, lie: Lie = honest, *, twice: str | None = None) -> AsyncIterator[str]:
    """The address of somebody who speaks for that server."""
    async with aiohttp.ClientSession() as http:
        liar = Liar(server, http, lie, twice)
        async with serving(lambda app: app.router.add_route("*", "/{path:.*}", liar.pass_on)) as url:
            yield url
