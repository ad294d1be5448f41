"""The served API over a real Postgres: whole requests over sockets, and processes that end and begin."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest

from infra.postgres.migrate import upgrade
from services.api.protocol import HEAD_SECONDS
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.api.server import ApiProcess

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def api(postgres_server: DatabaseServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiProcess]:
    name = f"api_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    process = ApiProcess(url, tmp_path_factory.mktemp("api"))
    try:
        process.start()
        yield process
    finally:
        process.close()
        run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
async def http(api: ApiProcess) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(api.url) as session:
        yield session


class Client:
    """A guest with a session of his own requests."""

    def __init__(self, http: aiohttp.ClientSession, pair: dict[str, Any]) -> None:
        self.http = http
        self.pair = pair
        self.headers = {"Authorization": f"Bearer {pair['access_token']}"}

    @classmethod
    async def sign_in(cls, http: aiohttp.ClientSession) -> "Client":
        async with http.post("/v1/players", json={"name": "Ada"}) as answer:
            assert answer.status == 201
            return cls(http, await answer.json())

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        async with self.http.request(method, path, json=body, headers={**self.headers, **headers}) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def command(self, game: str, command: Any, key: str) -> tuple[int, Any]:
        return await self.call("POST", f"/v1/games/{game}/commands", command, **{"Idempotency-Key": key})


async def started(http: aiohttp.ClientSession) -> tuple[str, list[Client]]:
    clients = [await Client.sign_in(http) for _ in range(3)]
    _, created = await clients[0].call("POST", "/v1/games", {"ruleset": "classic", "seats": 3})
    game: str = created["game"]
    for client in clients[1:]:
        assert (await client.call("POST", f"/v1/games/{game}/seats", {}))[0] == 201
    assert (await clients[0].call("POST", f"/v1/games/{game}/start"))[0] == 200
    return game, clients


async def plant(game: str, clients: list[Client]) -> tuple[Client, dict[str, Any]]:
    _, view = await clients[0].call("GET", f"/v1/games/{game}")
    active = clients[view["active"]]
    _, listed = await active.call("GET", f"/v1/games/{game}/actions")
    return active, next(row["command"] for row in listed["actions"] if row["command"]["type"] == "plant")


async def raw(port: int, *parts: bytes) -> bytes:
    """Bytes straight into a socket; what comes back until the server is done."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = bytearray()

    async def listen() -> None:
        while chunk := await reader.read(65_536):
            answer.extend(chunk)

    # Whoever sends on after the server has hung up is reset, and loses what he has not read by then.
    listening = asyncio.create_task(listen())
    with suppress(OSError):
        for part in parts:
            writer.write(part)
            await writer.drain()
        writer.write_eof()
    with suppress(OSError):
        await asyncio.wait_for(listening, 10)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return bytes(answer)


def split(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, body


async def test_the_served_process_is_ready(http: aiohttp.ClientSession) -> None:
    async with http.get("/health/ready") as answer:
        assert answer.status == 200
        checks = {row["name"]: (row["ok"], row["detail"]) for row in (await answer.json())["checks"]}
    assert checks == {
        "database": (True, "reachable"),
        "schema": (True, "current"),
        "redis": (True, "not used"),
        "live": (True, "working"),
    }


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_tokens_games_and_answers_outlive_the_process(
    api: ApiProcess, http: aiohttp.ClientSession, how: signal.Signals
) -> None:
    game, clients = await started(http)
    active, command = await plant(game, clients)
    status, first = await active.command(game, command, "before")
    assert (status, first["replayed"]) == (200, False)
    _, seen = await active.call("GET", f"/v1/games/{game}")
    await asyncio.to_thread(api.restart, how)
    async with aiohttp.ClientSession(api.url) as again:
        active.http = again
        assert await active.call("GET", f"/v1/games/{game}") == (200, seen)
        assert await active.command(game, command, "before") == (200, {**first, "replayed": True})
        status, problem = await active.command(game, {"type": "harvest", "field": 0}, "before")
        assert (status, problem["code"]) == (422, "key_reused")
        _, pair = await active.call("POST", "/v1/tokens", {"refresh_token": active.pair["refresh_token"]})
        assert pair["player"] == active.pair["player"]
        status, _ = await active.call("POST", "/v1/tokens", {"refresh_token": active.pair["refresh_token"]})
        assert status == 401
        status, _ = await active.call("POST", "/v1/tokens", {"refresh_token": pair["refresh_token"]})
        assert status == 401


async def test_a_process_ends_cleanly_when_it_is_asked_to(empty_url: str, tmp_path: Path) -> None:
    await asyncio.to_thread(upgrade, empty_url)
    process = ApiProcess(empty_url, tmp_path)
    try:
        await asyncio.to_thread(process.start)
        async with aiohttp.ClientSession(process.url) as http:
            await started(http)
        assert await asyncio.to_thread(process.stop) in (0, -signal.SIGTERM)
        assert process.log == ""
    finally:
        process.close()


async def test_a_database_without_tables_makes_it_unready_and_a_migration_ready(empty_url: str, tmp_path: Path) -> None:
    process = ApiProcess(empty_url, tmp_path, redis_url="redis://127.0.0.1:1/0")
    try:
        await asyncio.to_thread(process.start)
        async with aiohttp.ClientSession(process.url) as http:
            async with http.get("/health/ready") as answer:
                assert (answer.status, answer.content_type) == (503, PROBLEM)
                told = {row["path"]: row["message"] for row in (await answer.json())["errors"]}
            assert "bohnanza migrate" in told["schema"]
            await asyncio.to_thread(upgrade, empty_url)
            async with http.get("/health/ready") as answer:
                assert answer.status == 200
                rows = {row["name"]: row["ok"] for row in (await answer.json())["checks"]}
            assert rows == {"database": True, "schema": True, "redis": False, "live": True}
    finally:
        process.close()


async def test_a_database_that_cannot_be_reached_is_503_and_never_500(tmp_path: Path) -> None:
    process = ApiProcess("postgresql://nobody:topsecret@127.0.0.1:1/none", tmp_path)
    try:
        await asyncio.to_thread(process.start)
        async with aiohttp.ClientSession(process.url) as http:
            async with http.post("/v1/players", json={"name": "Ada"}) as answer:
                assert (answer.status, answer.content_type) == (503, PROBLEM)
                assert answer.headers["Retry-After"] == "1"
                assert (await answer.json())["code"] == "store_unavailable"
            async with http.get("/health/ready") as answer:
                assert answer.status == 503
                assert "topsecret" not in await answer.text()
            async with http.get("/health/live") as answer:
                assert answer.status == 200
        assert "topsecret" not in process.log
    finally:
        process.close()


async def test_a_body_without_an_end_is_cut_off(http: aiohttp.ClientSession) -> None:
    ada = await Client.sign_in(http)

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(1_000):
            yield b" " * 1_000

    async with http.post(
        "/v1/games", data=endless(), headers={**ada.headers, "Content-Type": "application/json"}
    ) as answer:
        assert (answer.status, answer.content_type) == (413, PROBLEM)


@pytest.mark.parametrize("length", [b"5", b"0", b"20000", b"999999999999999999999"])
async def test_a_length_that_is_not_true_harms_nobody(api: ApiProcess, length: bytes) -> None:
    request = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    request += b"Content-Type: application/json\r\nContent-Length: "
    status, headers, body = split(await raw(api.port, request + length + b"\r\n\r\n", b'{"name":"Ada"}'))
    assert status in (400, 413)
    assert headers["content-type"] == PROBLEM
    assert b"Ada" not in body


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET /v1/games/%ff%fe HTTP/1.1",
        b"GET /v1/games?cursor=%ff&limit=%00 HTTP/1.1",
        b"GET /v1/games?" + b"a=1&" * 5_000 + b" HTTP/1.1",
        b"GET //v1//games HTTP/1.1",
        b"GET http://elsewhere/v1/games HTTP/1.1",
        b"OPTIONS * HTTP/1.1",
        b"GET /v1/games#x HTTP/1.1",
        b"GET /..;/v1/games HTTP/1.0",
    ],
)
async def test_strange_addresses_get_a_problem(api: ApiProcess, request_line: bytes) -> None:
    status, headers, _ = split(await raw(api.port, request_line + b"\r\nHost: x\r\nConnection: close\r\n\r\n"))
    assert 400 <= status < 500
    assert headers["content-type"] == PROBLEM


async def test_an_upgrade_where_there_is_no_socket_is_refused(api: ApiProcess) -> None:
    request = (
        b"GET /v1/games HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", api.port)
    writer.write(request)
    line = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    await writer.wait_closed()
    assert 400 <= int(line.split()[1]) < 500


async def test_no_log_holds_a_token(empty_url: str, tmp_path: Path) -> None:
    """Whatever the level. Only a query may hold one, and it is logged at levels that the program does not have."""
    await asyncio.to_thread(upgrade, empty_url)
    process = ApiProcess(empty_url, tmp_path, talkative=True)
    try:
        await asyncio.to_thread(process.start)
        async with aiohttp.ClientSession(process.url) as http:
            ada = await Client.sign_in(http)
            await ada.call("GET", "/v1/players/me")
            await ada.call("POST", "/v1/tokens", {"refresh_token": ada.pair["refresh_token"]})
    finally:
        process.close()
    assert "POST /v1/tokens" in process.log
    assert ada.pair["access_token"] not in process.log
    assert ada.pair["refresh_token"] not in process.log
    assert "Traceback" not in process.log


@pytest.mark.parametrize(
    "garbage",
    [b"\x16\x03\x01\x02\x00\x01\x00", b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100],
)
async def test_bytes_that_are_no_http_get_a_problem(api: ApiProcess, garbage: bytes) -> None:
    status, headers, body = split(await raw(api.port, garbage))
    assert (status, headers["content-type"]) == (400, PROBLEM)
    assert headers["connection"] == "close"
    assert int(headers["content-length"]) == len(body)
    assert json.loads(body)["code"] == "malformed"


@pytest.mark.parametrize("filling", [b"GET /" + b"a" * 100_000, b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000])
async def test_a_head_without_an_end_is_cut_off(api: ApiProcess, filling: bytes) -> None:
    status, headers, body = split(await raw(api.port, filling))
    assert (status, headers["content-type"], headers["connection"]) == (431, PROBLEM, "close")
    assert json.loads(body)["code"] == "head_too_large"


async def test_a_large_head_and_a_body_behind_it_are_read(http: aiohttp.ClientSession) -> None:
    for _ in range(3):
        async with http.post("/v1/players", json={"name": "Ada"}, headers={"X": "a" * 30_000}) as answer:
            assert answer.status == 201


async def test_who_does_not_finish_his_head_is_not_kept(api: ApiProcess) -> None:
    silent, half = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", api.port) for _ in range(2)))
    half[1].write(b"GET /v1/games HTTP/1.1\r\nX: y")
    answers = await asyncio.wait_for(asyncio.gather(silent[0].read(), half[0].read()), HEAD_SECONDS + 10)
    assert answers[0] == b""
    assert split(answers[1])[0] == 408
    for _, writer in (silent, half):
        writer.close()
        await writer.wait_closed()
