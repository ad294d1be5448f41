"""The record of a game comes over a connection: packed or not, whole or not at all, and never without an end."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec
import pytest
from aiohttp import web

from domain.evolve import initial
from domain.views import view
from services.client.client import Client
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience
from tests.services.client.faulty import GAME, PLAYER, serving
from tests.services.demo.tables import QUICK

CONTENT: Final = b'{"format":"bohnanza-log"}\n' * 1000


class Exporting:
    """A server that has one game over."""

    def __init__(self, content: bytes = CONTENT, *, packed: bool = False, problem: str | None = None) -> None:
        self.content = content
        self.packed = packed
        self.problem = problem
        self.lost = 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.table = view(initial(GAME), None)
        self.asked: list[dict[str, str]] = []

    async def export(self, request: web.Request) -> web.StreamResponse:
        """As wished."""
        self.asked.append(dict(request.headers))
        if self.lost:
            self.lost -= 1
            answer = web.StreamResponse(headers={"Content-Length": str(len(self.content))})
            await answer.prepare(request)
            await answer.write(self.content[:100])
            assert request.transport is not None
            request.transport.abort()
            return answer
        if not self.goes_on.is_set():
            answer = web.StreamResponse(headers={"Content-Length": str(len(self.content))})
            await answer.prepare(request)
            await answer.write(self.content[:100])
            await self.goes_on.wait()
            return answer
        if self.problem is not None:
            return web.json_response({"code": self.problem, "detail": "d", "version": 7}, status=409)
        headers = {"Content-Encoding": "gzip"} if self.packed else {}
        body = gzip.compress(self.content) if self.packed else self.content
        return web.Response(body=body, headers=headers)

    async def view(self, _: web.Request) -> web.Response:
        """The table at the end."""
        return web.Response(body=msgspec.json.encode(self.table))

    async def players(self, _: web.Request) -> web.Response:
        """A guest."""
        pair = {"player": PLAYER, "access_token": "guest", "refresh_token": "r", "expires_in": 900}
        return web.json_response(pair, status=201)

    async def alive(self, _: web.Request) -> web.Response:
        """It is."""
        return web.json_response({"status": "alive"})


@asynccontextmanager
async def exporting(server: Exporting) -> AsyncIterator[str]:
    """Its address."""

    def routes(app: web.Application) -> None:
        app.router.add_get("/health/live", server.alive)
        app.router.add_post("/v1/players", server.players)
        app.router.add_get(f"/v1/games/{GAME}/export", server.export)
        app.router.add_get(f"/v1/games/{GAME}", server.view)

    async with serving(routes) as url:
        yield url


@pytest.mark.parametrize("packed", [False, True])
async def test_the_bytes_of_the_file_come_packed_or_not(packed: bool) -> None:
    server = Exporting(packed=packed)
    async with exporting(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        assert await client.export(GAME, 100_000) == CONTENT
    assert "gzip" in server.asked[0]["Accept-Encoding"]
    assert server.asked[0]["Authorization"] == "Bearer guest"


@pytest.mark.parametrize("packed", [False, True])
async def test_more_than_the_bound_is_not_taken_in(packed: bool) -> None:
    async with exporting(Exporting(bytes(3_000_000), packed=packed)) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        with pytest.raises(Unreadable, match="more than 1000000 bytes"):
            await client.export(GAME, 1_000_000)


async def test_an_answer_that_breaks_off_is_asked_for_again() -> None:
    server = Exporting()
    server.lost = 2
    async with exporting(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        assert await client.export(GAME, 100_000) == CONTENT
        assert client.retried == 2


async def test_a_server_that_stalls_amid_an_answer_is_given_up_and_not_asked_again() -> None:
    server = Exporting()
    server.goes_on.clear()
    patience = Patience(total=60.0, call=60.0, silence=0.1)
    async with exporting(server) as url, Client(url, patience) as client:
        await client.sign_up("Ada")
        with pytest.raises(GaveUp, match=r"nothing came for 0\.1 s"):
            await client.export(GAME, 100_000)
        server.goes_on.set()
    assert len(server.asked) == 1


async def test_a_game_that_goes_on_is_a_problem_at_once() -> None:
    server = Exporting(problem="game_running")
    async with exporting(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        with pytest.raises(Problem) as caught:
            await client.export(GAME, 100_000)
    assert (caught.value.code, caught.value.version, len(server.asked)) == ("game_running", 7, 1)


async def test_a_given_token_is_used_and_is_not_renewed() -> None:
    server = Exporting(problem="token_expired")
    async with exporting(server) as url, Client(url, QUICK) as client:
        client.sign_in("given")
        with pytest.raises(Problem, match="token_expired"):
            await client.export(GAME, 100_000)
    assert [headers["Authorization"] for headers in server.asked] == ["Bearer given"]
    assert "given" not in repr(client)
