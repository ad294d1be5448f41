"""A server that carries every command out once and then, as scripted, fails to say so."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from aiohttp import web

Fault = Literal["drop", "drop_before", "slow", "cut_short", "busy", "too_many", "crash", "expired", "none"]

GAME = "5f0c2f8e-7b0a-4d56-9c43-0f8a3a1f2b11"
PLAYER = "0b4f7c52-1d7e-4a53-8a6e-3f9d3c0f8a77"
EVENT = {"type": "cards_revealed", "seat": 0, "cards": []}


@dataclass
class Faulty:
    """`script` holds the faults of the coming requests to /v1/games; then all goes well."""

    script: list[Fault] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)
    renewals: list[str] = field(default_factory=list)
    lifetime: int = 900
    retry_after: str = "0"
    renewal_pause: float = 0.0
    left: list[str] = field(default_factory=list)
    departures: list[Fault] = field(default_factory=list)
    stranger: tuple[int, str] = (403, "not_your_seat")
    erasures: list[str] = field(default_factory=list)

    async def players(self, _: web.Request) -> web.Response:
        return web.json_response(self._pair(), status=201)

    async def new_tokens(self, request: web.Request) -> web.Response:
        self.renewals.append((await request.json())["refresh_token"])
        await asyncio.sleep(self.renewal_pause)
        return web.json_response(self._pair(), status=201)

    async def commands(self, request: web.Request) -> web.StreamResponse:
        key = request.headers["Idempotency-Key"]
        self.keys.append(key)
        self.bodies.append(await request.read())
        self.tokens.append(request.headers["Authorization"].removeprefix("Bearer "))
        fault = self.script.pop(0) if self.script else "none"
        if fault == "expired":
            return _problem(401, "token_expired")
        if fault == "drop_before":
            return _hung_up(request)
        replayed = key in self.effects
        if not replayed:
            self.effects.append(key)
        match fault:
            case "drop":
                return _hung_up(request)
            case "slow":
                await asyncio.sleep(5)
            case "cut_short":
                answer = web.StreamResponse(headers={"Content-Length": "100"})
                await answer.prepare(request)
                await answer.write(b'{"version":')
                return _hung_up(request, answer)
            case "busy":
                return _problem(503, "busy", {"Retry-After": self.retry_after})
            case "too_many":
                return _problem(429, "too_many_requests", {"Retry-After": self.retry_after})
            case "crash":
                return web.Response(status=500, text="<h1>no JSON at all</h1>")
            case "none":
                pass
        item = {"version": 7, "at": "2026-11-30T05:11:35.123456Z", "event": EVENT}
        return web.json_response({"version": 7, "replayed": replayed, "events": [item]})

    async def leave(self, request: web.Request) -> web.StreamResponse:
        """The first time it frees the seat; then the caller is a stranger. `departures` holds the faults."""
        game = request.match_info["game"]
        fault = self.departures.pop(0) if self.departures else "none"
        if fault == "busy":
            return _problem(503, "busy", {"Retry-After": self.retry_after})
        if game in self.left:
            return _problem(*self.stranger)
        self.left.append(game)
        return _hung_up(request) if fault == "drop" else web.Response(status=204)

    async def erase(self, request: web.Request) -> web.StreamResponse:
        """The first time it is done; then nobody has that token. `departures` holds the faults."""
        fault = self.departures.pop(0) if self.departures else "none"
        if fault == "busy":
            return _problem(503, "busy", {"Retry-After": self.retry_after})
        if self.erasures:
            return _problem(401, "token_invalid")
        self.erasures.append(request.headers["Authorization"])
        return _hung_up(request) if fault == "drop" else web.Response(status=204)

    def _pair(self) -> dict[str, str | int]:
        number = len(self.renewals)
        return {
            "player": PLAYER,
            "access_token": f"access-{number}",
            "refresh_token": f"refresh-{number}",
            "expires_in": self.lifetime,
        }


def _problem(status: int, code: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"type": f"urn:bohnanza:problem:{code}", "title": "t", "status": status, "detail": "d", "code": code}
    return web.json_response(body, status=status, headers=headers)


def _hung_up(request: web.Request, answer: web.StreamResponse | None = None) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return answer or web.Response()


@asynccontextmanager
async def serving(routes: Callable[[web.Application], object]) -> AsyncIterator[str]:
    """The address of a server with those routes."""
    app = web.Application()
    routes(app)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def faulty(server: Faulty) -> AsyncIterator[str]:
    """Its address."""

    def routes(app: web.Application) -> None:
        app.router.add_post("/v1/players", server.players)
        app.router.add_post("/v1/tokens", server.new_tokens)
        app.router.add_post(f"/v1/games/{GAME}/commands", server.commands)
        app.router.add_delete("/v1/games/{game}/seats/me", server.leave)
        app.router.add_delete("/v1/players/me", server.erase)

    async with serving(routes) as url:
        yield url
