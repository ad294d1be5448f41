"""Whatever happens to an answer on its way: one command, one key, one effect."""

import asyncio
import time
from datetime import UTC, datetime

import pytest
from aiohttp import web

from domain.commands import Reveal
from services.client.client import Client
from services.client.connection import Connection, Request
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience, retry_after
from tests.services.client.faulty import GAME, Fault, Faulty, faulty, serving

QUICK = Patience(total=5.0, call=0.3, connect=0.3, first_pause=0.01, longest_pause=0.05)


@pytest.mark.parametrize("fault", ["drop", "drop_before", "slow", "cut_short", "busy", "too_many", "crash"])
async def test_a_lost_answer_is_asked_for_again_with_the_same_key_and_the_command_has_one_effect(fault: Fault) -> None:
    server = Faulty([fault, fault])
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        answer = await client.send(GAME, Reveal())
    assert answer.version == 7
    assert len(server.keys) == 3
    assert len(set(server.keys)) == 1
    assert set(server.bodies) == {b'{"type":"reveal"}'}
    assert server.effects == [server.keys[0]]
    assert answer.replayed is (fault != "drop_before")
    assert (client.retried, client.replayed) == (2, int(answer.replayed))


async def test_every_command_has_a_key_of_its_own() -> None:
    server = Faulty(["drop"])
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await client.send(GAME, Reveal())
        await client.send(GAME, Reveal())
    assert len(server.effects) == 2


async def test_the_wish_of_a_busy_server_is_honoured() -> None:
    server = Faulty(["busy"], retry_after="1")
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        began = time.monotonic()
        await client.send(GAME, Reveal())
    assert time.monotonic() - began >= 1


async def test_a_wish_beyond_the_deadline_ends_the_call_at_once() -> None:
    server = Faulty(["busy"], retry_after="600")
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        with pytest.raises(GaveUp, match="503 busy"):
            await client.send(GAME, Reveal())


async def test_at_the_deadline_it_gives_up_and_says_what_happened_last() -> None:
    server = Faulty(["drop"] * 1000)
    patience = Patience(total=0.5, first_pause=0.01, longest_pause=0.05)
    async with faulty(server) as url, Client(url, patience) as client:
        await client.sign_up("Ada")
        began = time.monotonic()
        with pytest.raises(GaveUp, match=r"POST /v1/games/.* was tried \d+ times"):
            await client.send(GAME, Reveal())
    assert time.monotonic() - began < 1


async def test_nobody_there_is_told_within_the_deadline() -> None:
    async with faulty(Faulty()) as url:
        pass
    async with Client(url, Patience(total=0.3, first_pause=0.01)) as client:
        with pytest.raises(GaveUp):
            await client.alive()


async def test_no_attempt_is_made_that_does_not_count() -> None:
    """The library under the client would send a DELETE again on its own when a used connection is lost."""
    seen: list[str] = []

    async def greet(_: web.Request) -> web.Response:
        return web.json_response({"status": "alive"})

    async def hang_up(request: web.Request) -> web.Response:
        seen.append(request.method)
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    def routes(app: web.Application) -> None:
        app.router.add_get("/health/live", greet)
        app.router.add_delete("/v1/seat", hang_up)

    async with serving(routes) as url, Connection(url, Patience(total=0.5, first_pause=0.1)) as connection:
        await connection.ask(Request("GET", "/health/live"), connection.call())
        call = connection.call()
        with pytest.raises(GaveUp):
            await connection.ask(Request("DELETE", "/v1/seat"), call)
        assert len(seen) == connection.calls - 1 == call.unanswered + 1


@pytest.mark.parametrize("stranger", [(403, "not_your_seat"), (404, "game_not_found")], ids=["public", "private"])
async def test_a_seat_is_left_once_even_if_the_answer_is_lost(stranger: tuple[int, str]) -> None:
    server = Faulty(departures=["drop"], stranger=stranger)
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await client.leave(GAME)
        assert server.left == [GAME]
        with pytest.raises(Problem) as caught:
            await client.leave(GAME)
    assert caught.value.code == stranger[1]


async def test_an_erasure_whose_answer_is_lost_is_done_and_a_second_one_is_refused() -> None:
    server = Faulty(departures=["drop"])
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        await client.erase()
        assert server.erasures == ["Bearer access-0"]
        with pytest.raises(Problem, match="token_invalid"):
            await client.erase()


async def test_the_retry_of_another_call_does_not_hide_that_there_was_no_seat_to_leave() -> None:
    server = Faulty(["slow"], stranger=(404, "game_not_found"))
    async with faulty(server) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        server.left.append(GAME)
        leaving_late = asyncio.Event()
        ask = client._connection._attempt

        async def late(request: Request, seconds: float, largest: int) -> tuple[int, dict[str, str], bytes]:
            if request.method == "DELETE":
                await leaving_late.wait()
            return await ask(request, seconds, largest)

        client._connection._attempt = late  # type: ignore[method-assign]  # to hold one of two calls back
        leaving = asyncio.create_task(client.leave(GAME))
        await asyncio.sleep(0)
        await client.send(GAME, Reveal())
        assert client.retried == 1
        leaving_late.set()
        with pytest.raises(Problem, match="game_not_found"):
            await leaving


async def test_a_server_that_comes_back_is_found_again() -> None:
    server = Faulty()
    connection = Connection("http://127.0.0.1:1", QUICK)
    async with connection:
        asking = asyncio.create_task(connection.ask(Request("POST", "/v1/players"), connection.call()))
        await asyncio.sleep(0.1)
        async with faulty(server) as url:
            connection.url = url
            assert b"access-0" in await asking
    assert connection.retried


async def test_a_refusal_is_a_problem_and_is_not_repeated() -> None:
    async with faulty(Faulty()) as url, Client(url, QUICK) as client:
        await client.sign_up("Ada")
        with pytest.raises(Problem) as caught:
            await client.view("no-such-game")
    assert (caught.value.status, caught.value.code, caught.value.version) == (404, "unexpected_answer", None)
    assert client.retried == 0


async def test_an_answer_that_is_not_what_the_api_promises_is_told_as_such() -> None:
    async def nonsense(_: web.Request) -> web.Response:
        return web.json_response({"status": 7})

    async with serving(lambda app: app.router.add_get("/health/live", nonsense)) as url, Client(url, QUICK) as client:
        with pytest.raises(Unreadable, match="not what the API promises"):
            await client.alive()


async def test_a_redirection_is_not_followed_since_it_would_carry_the_token_away() -> None:
    async def elsewhere(_: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("http://127.0.0.1:1/")

    async with serving(lambda app: app.router.add_get("/health/live", elsewhere)) as url, Client(url, QUICK) as client:
        with pytest.raises(Problem) as caught:
            await client.alive()
    assert caught.value.status == 307


def test_pauses_grow_up_to_a_limit_and_are_never_all_alike() -> None:
    patience = Patience(first_pause=0.1, longest_pause=1.0)
    for attempt, longest in ((1, 0.1), (2, 0.2), (4, 0.8), (5, 1.0), (1000, 1.0)):
        pauses = {patience.pause(attempt) for _ in range(50)}
        assert all(longest / 2 <= pause <= longest for pause in pauses)
        assert len(pauses) > 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 0.0),
        ("3", 3.0),
        (" 3 ", 3.0),
        ("-1", 0.0),
        ("soon", 0.0),
        ("²", 0.0),
        ("Mon, 30 Nov 2026 05:11:45 GMT", 10.0),
        ("Mon, 30 Nov 2026 05:11:25 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(text: str, seconds: float) -> None:
    assert retry_after({"Retry-After": text}, datetime(2026, 11, 30, 5, 11, 35, tzinfo=UTC)) == seconds
