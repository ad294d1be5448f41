"""Tickets over HTTP: asked for with a token, taken only where a route says so, and seen by nobody behind the door."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from litestar import get
from litestar.types import ASGIApp

from services.api.answers import answer
from services.api.authentication import TICKETED
from services.api.protocol import HttpProtocol
from services.api.requests import ApiRequest
from tests.services.api.application import World, running, told


@get("/doors", opt=TICKETED, include_in_schema=False, sync_to_thread=False)
def door(request: ApiRequest) -> ASGIApp:
    """Says who came in and with what query."""
    return answer({"user": request.user, "query": request.scope["query_string"].decode()})


@get("/walls", include_in_schema=False, sync_to_thread=False)
def wall() -> ASGIApp:
    """Takes no tickets."""
    return answer({})


@get("/ruins", opt=TICKETED, include_in_schema=False, sync_to_thread=False)
def ruin() -> ASGIApp:
    """Breaks down behind the door."""
    raise RuntimeError("broken")


@pytest.fixture
async def doors() -> AsyncIterator[World]:
    async with running(extra_handlers=[door, wall, ruin]) as world:
        yield world


async def ticket_of(caller: Any) -> str:
    issued = await caller.post("/v1/tickets")
    assert issued.status_code == 201, issued.text
    ticket: str = issued.json()["ticket"]
    return ticket


async def test_a_ticket_is_issued_for_a_token(doors: World) -> None:
    ada = await doors.guest()
    issued = await ada.post("/v1/tickets")
    assert issued.status_code == 201
    assert set(issued.json()) == {"ticket", "expires_in"}
    assert issued.json()["expires_in"] == 30
    assert issued.headers["cache-control"] == "no-store"
    told(await doors.http.post("/v1/tickets"), 401, "token_missing")


async def test_a_ticket_opens_a_door_once(doors: World) -> None:
    ada, ben = await doors.guest(), await doors.guest("Ben")
    hers, his = await ticket_of(ada), await ticket_of(ben)
    first = await doors.http.get(f"/v1/doors?after=7&ticket={hers}&limit=2")
    assert first.json() == {"user": ada.player, "query": "after=7&limit=2"}
    again = await doors.http.get(f"/v1/doors?ticket={hers}")
    told(again, 401, "ticket_invalid")
    assert again.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert (await doors.http.get(f"/v1/doors?ticket={his}")).json() == {"user": ben.player, "query": ""}


async def test_a_ticket_comes_too_late(doors: World) -> None:
    ticket = await ticket_of(await doors.guest())
    doors.clock.advance(30)
    told(await doors.http.get(f"/v1/doors?ticket={ticket}"), 401, "ticket_invalid")


@pytest.mark.parametrize(
    "query", ["ticket=", "ticket", "ticket=nonsense", "ticket=%ff", "ticket=%C3%A9", "ticket=" + "A" * 64]
)
async def test_what_is_no_ticket_is_refused(doors: World, query: str) -> None:
    told(await doors.http.get(f"/v1/doors?{query}"), 401, "ticket_invalid")


async def test_a_door_opens_with_a_header_too_and_with_nothing_stays_shut(doors: World) -> None:
    ada = await doors.guest()
    assert (await ada.get("/v1/doors?after=7")).json() == {"user": ada.player, "query": "after=7"}
    told(await doors.http.get("/v1/doors?after=7"), 401, "token_missing")


async def test_a_header_and_a_ticket_or_two_tickets_are_malformed_and_use_nothing_up(doors: World) -> None:
    ada = await doors.guest()
    ticket, other = await ticket_of(ada), await ticket_of(ada)
    told(await ada.get(f"/v1/doors?ticket={ticket}"), 400, "malformed")
    told(await doors.http.get(f"/v1/doors?ticket={ticket}", headers={"Authorization": "Bearer x"}), 400, "malformed")
    told(await doors.http.get(f"/v1/doors?ticket={ticket}&ticket={other}"), 400, "malformed")
    for good in (ticket, other):
        assert (await doors.http.get(f"/v1/doors?ticket={good}")).status_code == 200


async def test_a_route_that_does_not_say_so_takes_no_ticket(doors: World) -> None:
    ticket = await ticket_of(await doors.guest())
    for path in ("/v1/walls", "/v1/players/me", "/v1/games"):
        told(await doors.http.get(f"{path}?ticket={ticket}"), 401, "token_missing")
    told(await doors.http.post(f"/v1/tickets?ticket={ticket}"), 401, "token_missing")
    assert (await doors.http.get(f"/v1/doors?ticket={ticket}")).status_code == 200


async def test_no_ticket_reaches_a_log_also_when_everything_is_logged(
    doors: World, caplog: pytest.LogCaptureFixture
) -> None:
    """Served as it really is, but with the access log on and every logger at its most talkative."""
    caplog.set_level(logging.DEBUG)
    good, used, refused, broken = [await ticket_of(await doors.guest()) for _ in range(4)]
    async with served(doors) as url, httpx.AsyncClient(base_url=url) as http:
        answers = [
            await http.get(f"/v1/doors?after=7&ticket={good}"),
            await http.get(f"/v1/doors?ticket={used}"),
            await http.get(f"/v1/doors?ticket={used}"),
            await http.get(f"/v1/doors?ticket={refused}", headers={"Authorization": "Bearer x"}),
            await http.get(f"/v1/ruins?ticket={broken}"),
        ]
    assert [one.status_code for one in answers] == [200, 200, 401, 400, 500]
    logged = "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith(("uvicorn", "bohnanza"))
    )
    assert "GET /v1/doors?after=7 HTTP/1.1" in logged
    assert "An unexpected error" in logged
    for ticket in (good, used, refused, broken):
        assert ticket not in logged
        assert all(ticket not in str(record.exc_info) + str(record.exc_text) for record in caplog.records)
        assert all(ticket not in one.text for one in answers)


@asynccontextmanager
async def served(world: World) -> AsyncIterator[str]:
    """The address of the running application in uvicorn, which logs all that it can."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            world.app, http=HttpProtocol, lifespan="off", log_config=None, log_level="debug", access_log=True
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving
