"""Following and playing live over real connections: server-sent events and WebSockets
(pitfalls A1, A10, B2, B4, T54, T58)."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest

from infra.postgres.migrate import upgrade
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.api.server import ApiProcess
from tests.services.api.test_server import Client, started

PROBLEM = "application/problem+json"
HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@pytest.fixture
def api(postgres_server: DatabaseServer, tmp_path: Path) -> Iterator[ApiProcess]:
    name = f"live_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    process = ApiProcess(url, tmp_path, requests_per_second="0")
    try:
        process.start()
        yield process
        assert process.log == ""
    finally:
        process.close()
        run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
async def http(api: ApiProcess) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(api.url, timeout=aiohttp.ClientTimeout(total=30)) as session:
        yield session


async def frames(answer: aiohttp.ClientResponse) -> AsyncIterator[dict[str, Any]]:
    """As an EventSource reads them: `event`, `id` and the decoded `data`."""
    frame: dict[str, Any] = {}
    while line := (await answer.content.readline()).decode():
        name, _, value = line.rstrip("\n").partition(": ")
        if not line.strip():
            if "data" in frame:
                yield frame
            frame = {}
        elif name:
            frame[name] = json.loads(value) if name == "data" else value


async def following(
    frames: AsyncIterator[dict[str, Any]], kind: str = "events", *, seconds: float = 10
) -> dict[str, Any]:
    """The next frame of that type."""
    async with asyncio.timeout(seconds):
        async for frame in frames:
            if frame["event"] == kind:
                return frame
    raise AssertionError(kind)


async def first_move(game: str, clients: list[Client]) -> tuple[Client, dict[str, Any]]:
    """Who is active, and a command that he may send."""
    _, view = await clients[0].call("GET", f"/v1/games/{game}")
    active = clients[view["active"]]
    _, listed = await active.call("GET", f"/v1/games/{game}/actions")
    return active, listed["actions"][0]["command"]


async def test_a_stream_begins_with_the_table_and_goes_on_with_the_events(http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    async with http.get(f"/v1/games/{game}/stream", headers=clients[1].headers) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-store"
        told = frames(answer)
        view = await following(told, "view")
        _, seen = await clients[1].call("GET", f"/v1/games/{game}")
        assert view["data"] == {"type": "view", "view": seen}
        assert view["id"] == str(seen["version"])
        status, done = await active.command(game, command, "first")
        assert status == 200
        events = await following(told)
        assert events["id"] == str(done["version"])
        assert events["data"]["to"] == done["version"]
        assert events["data"]["from"] == seen["version"] + 1
        _, page = await clients[1].call("GET", f"/v1/games/{game}/events?after={seen['version']}")
        assert events["data"]["events"] == page["events"]


async def test_a_stream_is_resumed_where_it_was_cut(http: aiohttp.ClientSession) -> None:
    """Pitfall A1. `Last-Event-ID` wins over the address, which a browser keeps as it was."""
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    _, seen = await clients[1].call("GET", f"/v1/games/{game}")
    _, done = await active.command(game, command, "first")
    version = seen["version"]
    for headers, query in (({"Last-Event-ID": str(version)}, "?after=0"), ({}, f"?after={version}")):
        async with http.get(f"/v1/games/{game}/stream{query}", headers={**clients[1].headers, **headers}) as answer:
            events = await following(frames(answer))
            assert (events["data"]["from"], events["data"]["to"]) == (version + 1, done["version"])


@pytest.mark.parametrize("path", ["stream", "ws"])
async def test_who_may_not_watch_is_told_so_before_the_stream_begins(http: aiohttp.ClientSession, path: str) -> None:
    ada, bob = [await Client.sign_in(http) for _ in range(2)]
    _, created = await ada.call("POST", "/v1/games", {"ruleset": "classic", "seats": 3, "visibility": "private"})
    for game, headers, query, status, code in (
        (created["game"], bob.headers, "", 404, "game_not_found"),
        (str(uuid4()), ada.headers, "", 404, "game_not_found"),
        ("no-id", ada.headers, "", 404, "game_not_found"),
        (created["game"], {}, "", 401, "token_missing"),
        (created["game"], {"Authorization": "Bearer x"}, "", 401, "token_invalid"),
        (created["game"], ada.headers, "?after=-1", 400, "malformed"),
        (created["game"], ada.headers, "?after=x", 400, "malformed"),
        (created["game"], ada.headers, "?before=1", 400, "malformed"),
    ):
        sent = headers | (HANDSHAKE if path == "ws" else {})
        async with http.get(f"/v1/games/{game}/{path}{query}", headers=sent) as answer:
            assert (answer.status, answer.content_type) == (status, PROBLEM), (game, query)
            assert (await answer.json())["code"] == code


async def test_the_head_of_a_stream_has_an_end(http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    async with http.head(f"/v1/games/{game}/stream", headers=clients[0].headers) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/event-stream"


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "99999999999"])
async def test_a_last_event_id_that_is_none(http: aiohttp.ClientSession, value: str) -> None:
    game, clients = await started(http)
    async with http.get(f"/v1/games/{game}/stream", headers={**clients[0].headers, "Last-Event-ID": value}) as answer:
        assert answer.status == 400
        assert (await answer.json())["code"] == "malformed"


async def socket_message(socket: aiohttp.ClientWebSocketResponse, kind: str) -> dict[str, Any]:
    """The next message of that type."""
    while True:
        message: dict[str, Any] = await socket.receive_json(timeout=10)
        if message["type"] == kind:
            return message


async def test_a_game_is_played_over_a_socket(http: aiohttp.ClientSession) -> None:
    """The same promise as over HTTP: a command has one effect and one answer, whichever way it comes again."""
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    async with (
        http.ws_connect(f"/v1/games/{game}/ws", headers=active.headers) as socket,
        http.ws_connect(f"/v1/games/{game}/ws?after=0", headers=clients[0].headers) as other,
    ):
        seen = (await socket_message(socket, "view"))["view"]
        sent = {"type": "command", "key": "first", "if_version": seen["version"], "command": command}
        await socket.send_json(sent)
        result = await socket_message(socket, "result")
        assert (result["key"], result["replayed"]) == ("first", False)
        assert result["version"] == seen["version"] + len(result["events"])
        await socket.send_json(sent)
        again = await socket_message(socket, "result")
        assert again == {**result, "replayed": True}
        _, over_http = await active.command(game, command, "first")
        assert over_http == {key: value for key, value in again.items() if key not in ("type", "key")}
        history: list[int] = []
        while not history or history[-1] < result["version"]:
            history += [item["version"] for item in (await socket_message(other, "events"))["events"]]
        assert history == list(range(1, result["version"] + 1))


async def test_what_is_wrong_with_a_message_is_told_with_its_key_and_changes_nothing(
    http: aiohttp.ClientSession,
) -> None:
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=active.headers) as socket:
        view = (await socket_message(socket, "view"))["view"]
        for message, key, code in (
            ("no json", None, "malformed"),
            ('{"x":' + "[" * 7_000 + "]" * 7_000 + "}", None, "malformed"),
            ('{"type":"command","key":"a","x":' + "[" * 7_000 + "]" * 7_000 + "}", None, "malformed"),
            ("{}", None, "malformed"),
            ("[]", None, "malformed"),
            (json.dumps({"type": "dance", "key": "a"}), "a", "malformed"),
            (json.dumps({"type": "command", "key": "b"}), "b", "malformed"),
            (json.dumps({"type": "command", "key": "c", "command": {"type": "steal"}}), "c", "malformed"),
            (json.dumps({"type": "command", "key": "d", "command": command, "more": 1}), "d", "malformed"),
            (json.dumps({"type": "command", "key": "", "command": command}), None, "malformed"),
            (json.dumps({"type": "command", "key": "x" * 129, "command": command}), None, "malformed"),
            (
                json.dumps({"type": "command", "key": "e", "if_version": view["version"] + 1, "command": command}),
                "e",
                "stale_version",
            ),
            (
                json.dumps({"type": "command", "key": "f", "command": {"type": "harvest", "field": 0}}),
                "f",
                "field_empty",
            ),
        ):
            await socket.send_str(message)
            problem = await socket_message(socket, "problem")
            assert (problem["key"], problem["code"]) == (key, code), message
            assert problem["status"] in (400, 409, 412)
            assert ("version" in problem) == (problem["status"] != 400)
        await socket.send_bytes(b"{}")
        assert (await socket_message(socket, "problem"))["code"] == "malformed"
        _, now = await active.call("GET", f"/v1/games/{game}")
        assert now["version"] == view["version"]


async def test_who_looks_on_cannot_play(http: aiohttp.ClientSession) -> None:
    game, _ = await started(http)
    guest = await Client.sign_in(http)
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=guest.headers) as socket:
        assert (await socket_message(socket, "view"))["view"]["viewer"] is None
        await socket.send_json({"type": "command", "key": "k", "command": {"type": "reveal"}})
        problem = await socket_message(socket, "problem")
        assert (problem["status"], problem["code"]) == (403, "not_your_seat")


async def test_a_message_that_is_too_large_ends_the_socket(http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=clients[0].headers) as socket:
        await socket_message(socket, "view")
        await socket.send_str("x" * 20_000)
        while (await socket.receive(timeout=10)).type is aiohttp.WSMsgType.TEXT:
            pass
        assert socket.close_code == 1009


async def test_presence_names_the_seats_that_are_watched(http: aiohttp.ClientSession) -> None:
    """Pitfall A13: the right ones."""
    game, clients = await started(http)
    guest = await Client.sign_in(http)
    async with http.get(f"/v1/games/{game}/stream", headers=clients[2].headers) as answer:
        told = frames(answer)

        async def until(seats: list[int], spectators: int) -> None:
            wanted = {"type": "presence", "seats": seats, "spectators": spectators}
            while (await following(told, "presence"))["data"] != wanted:
                pass

        await until([2], 0)
        async with http.ws_connect(f"/v1/games/{game}/ws", headers=clients[0].headers):
            await until([0, 2], 0)
            async with http.ws_connect(f"/v1/games/{game}/ws", headers=guest.headers):
                await until([0, 2], 1)
        await until([2], 0)


async def test_at_the_end_of_the_server_every_stream_is_told_to_come_again(
    api: ApiProcess, http: aiohttp.ClientSession
) -> None:
    """Pitfall T58: inside its time, with a close code, and nothing in the log."""
    game, clients = await started(http)
    async with (
        http.get(f"/v1/games/{game}/stream", headers=clients[0].headers) as answer,
        http.ws_connect(f"/v1/games/{game}/ws", headers=clients[1].headers) as socket,
    ):
        told = frames(answer)
        await following(told, "view")
        await socket_message(socket, "view")
        stopping = asyncio.create_task(asyncio.to_thread(api.stop))
        bye = await following(told, "bye")
        assert 0 < bye["data"]["retry_ms"] < 10_000
        assert (await socket_message(socket, "bye"))["retry_ms"] > 0
        assert (await socket.receive(timeout=10)).type is aiohttp.WSMsgType.CLOSE
        assert socket.close_code == 1012
        assert await stopping in (0, -signal.SIGTERM)


async def test_clients_that_vanish_are_soon_not_there_any_more(http: aiohttp.ClientSession) -> None:
    """Pitfall T54."""
    game, clients = await started(http)
    for number in range(30):
        async with http.get(f"/v1/games/{game}/stream", headers=clients[number % 3].headers) as answer:
            await following(frames(answer), "view")
    async with http.get(f"/v1/games/{game}/stream", headers=clients[2].headers) as answer:
        told = frames(answer)
        while (await following(told, "presence"))["data"] != {"type": "presence", "seats": [2], "spectators": 0}:
            pass


async def ticket(client: Client) -> str:
    _, told = await client.call("POST", "/v1/tickets")
    taken: str = told["ticket"]
    return taken


async def test_a_ticket_opens_a_stream_once_for_who_cannot_set_headers(
    api: ApiProcess, http: aiohttp.ClientSession
) -> None:
    game, clients = await started(http)
    used = await ticket(clients[1])
    async with http.get(f"/v1/games/{game}/stream?after=0&ticket={used}") as answer:
        events = await following(frames(answer))
    hands = [item["event"] for item in events["data"]["events"] if item["event"]["type"] == "cards_dealt"]
    assert {hand["seat"] for hand in hands if hand["cards"][0]["bean"] is not None} == {1}
    async with http.ws_connect(f"/v1/games/{game}/ws?ticket={await ticket(clients[2])}") as socket:
        assert (await socket_message(socket, "view"))["view"]["viewer"] == 2
    for path, headers in (("stream", {}), ("ws", HANDSHAKE)):
        async with http.get(f"/v1/games/{game}/{path}?ticket={used}", headers=headers) as answer:
            assert (answer.status, (await answer.json())["code"]) == (401, "ticket_invalid")
    assert used not in api.log


async def test_who_sends_a_move_and_is_gone_is_not_kept(http: aiohttp.ClientSession) -> None:
    """Neither as present nor as one of his streams, though the answer comes when nobody is there to take it."""
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    for number in range(25):
        async with http.ws_connect(f"/v1/games/{game}/ws", headers=active.headers) as socket:
            await socket_message(socket, "view")
            for copy in range(3):
                await socket.send_json({"type": "command", "key": f"{number}-{copy}", "command": command})
            assert socket._response.connection is not None
            transport = socket._response.connection.transport
            assert isinstance(transport, asyncio.Transport)
            transport.abort()
    async with http.get(f"/v1/games/{game}/stream", headers=clients[0].headers) as answer:
        told = frames(answer)
        alone = {"type": "presence", "seats": [0], "spectators": 0}
        while (await following(told, "presence"))["data"] != alone:
            pass


async def test_nonsense_over_a_socket_is_limited_like_commands(http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=clients[0].headers) as socket:
        await socket_message(socket, "view")
        for _ in range(300):
            await socket.send_str("no json")
        codes = [(await socket_message(socket, "problem"))["code"] for _ in range(300)]
    assert codes[:100] == ["malformed"] * 100
    assert "rate_limited" in codes
