"""A stream that breaks is taken up again where it was, for as long as a server is there."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from services.client.client import Client
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience
from services.live.frames import EventsFrame
from tests.services.client.faulty import GAME, Faulty, serving

QUICK = Patience(total=0.5, call=0.3, connect=0.3, first_pause=0.01, longest_pause=0.05)

Part = Callable[[web.Request], Awaitable[web.StreamResponse]]


def events(first: int, last: int) -> bytes:
    """As the API sends them."""
    item = '{"version":%d,"at":"2026-11-30T05:11:35.123456Z","event":{"type":"cards_revealed","seat":0,"cards":[]}}'
    items = ",".join(item % version for version in range(first, last + 1))
    data = f'{{"type":"events","from":{first},"to":{last},"events":[{items}]}}'
    return f"event: events\nid: {last}\ndata: {data}\n\n".encode()


def telling(*pieces: bytes, seconds: float = 0.0) -> Part:
    """Those pieces, then silence for so long, then the connection breaks."""

    async def answer(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        for piece in pieces:
            await stream.write(piece)
        await asyncio.sleep(seconds)
        assert request.transport is not None
        request.transport.abort()
        return stream

    return answer


async def refused(_: web.Request) -> web.StreamResponse:
    """By something that stands in between."""
    return web.Response(status=503)


async def followed(parts: list[Part], *, until: int) -> tuple[list[int], list[str]]:
    """The versions that a client was told who begins at 0, and the queries of his connections. `parts` are what the
    server does for each, and then it is away."""
    queries: list[str] = []

    async def stream(request: web.Request) -> web.StreamResponse:
        queries.append(request.query_string)
        return await (parts.pop(0) if parts else refused)(request)

    def routes(app: web.Application) -> None:
        app.router.add_post("/v1/players", Faulty().players)
        app.router.add_get(f"/v1/games/{GAME}/stream", stream)

    told: list[int] = []
    async with serving(routes) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        async for frame in client.follow(GAME, after=0):
            assert isinstance(frame, EventsFrame)
            told += [item.version for item in frame.events]
            if frame.last >= until:
                break
    return told, queries


async def test_it_goes_on_after_the_last_whole_frame() -> None:
    """However the bytes were cut: half a frame counts as none."""
    half = events(3, 4)[:-20]
    told, queries = await followed(
        [telling(events(1, 2)[:30], events(1, 2)[30:], half), refused, telling(b":\n\n", events(3, 5))], until=5
    )
    assert told == [1, 2, 3, 4, 5]
    assert queries == ["after=0", "after=2", "after=2"]


async def test_a_stream_on_which_nothing_happened_for_longer_than_a_call_may_take_is_taken_up_again() -> None:
    told, queries = await followed([telling(b":\n\n", seconds=0.8), refused, telling(events(1, 1))], until=1)
    assert told == [1]
    assert queries == ["after=0"] * 3


async def test_a_server_that_stays_away_is_given_up() -> None:
    with pytest.raises(GaveUp, match="did not come back"):
        await followed([telling(events(1, 1))], until=2)


@pytest.mark.parametrize("then", [events(3, 3), events(1, 1), events(2, 3).replace(b'"version":3', b'"version":4')])
async def test_what_is_left_out_or_comes_again_is_no_history(then: bytes) -> None:
    with pytest.raises(Unreadable):
        await followed([telling(events(1, 1), then)], until=9)


async def test_a_problem_that_will_not_change_ends_it() -> None:
    async def gone(_: web.Request) -> web.StreamResponse:
        body = {"title": "t", "status": 404, "detail": "d", "code": "game_not_found"}
        return web.json_response(body, status=404)

    with pytest.raises(Problem, match="game_not_found"):
        await followed([telling(events(1, 1)), gone], until=2)
