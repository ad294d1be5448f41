"""Clients who send nonsense on a stream, too much of it, or do not read what they are sent: they are told or cut off,
and nobody else notices (pitfalls G9, G10, T54, T58)."""

import asyncio
import json
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import psutil
import pytest

from infra.postgres.migrate import upgrade
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.api.raw_socket import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PONG,
    TEXT,
    HANDSHAKE,
    RawSocket,
    event_stream,
    frame,
    web_socket,
)
from tests.services.api.server import ApiProcess
from tests.services.api.test_live import first_move, following, frames, socket_message
from tests.services.api.test_server import Client, started

SEND_SECONDS = 1.5
MEGABYTE = 2**20


class Impatient(ApiProcess):
    """Waits for nobody for long, and has small buffers below, so that a test need not fill large ones."""

    def _command(self) -> list[str]:
        shorter = f"from services.api import connection; connection.SEND_SECONDS = {SEND_SECONDS}"
        return [sys.executable, "-P", "-c", f"{shorter}; from services.cli.main import main; main()", "api", "--socket"]


@pytest.fixture(scope="module")
def api(postgres_server: DatabaseServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiProcess]:
    name = f"abuse_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    process = Impatient(
        url, tmp_path_factory.mktemp("abuse"), requests_per_second="0", address_requests_per_second="0"
    )
    # What is accepted on it has the same.
    process._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
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


def memory(api: ApiProcess) -> int:
    """Bytes of the process."""
    assert api._process is not None
    size: int = psutil.Process(api._process.pid).memory_info().rss
    return size


def connections(api: ApiProcess) -> int:
    """That the process has with clients."""
    assert api._process is not None
    open_ones = psutil.Process(api._process.pid).net_connections("tcp")
    return sum(one.status == psutil.CONN_ESTABLISHED and one.laddr.port == api.port for one in open_ones)


def code(payload: bytes) -> int:
    """Why the other side closes."""
    return int.from_bytes(payload[:2], "big")


NONSENSE: list[tuple[str, list[bytes], int]] = [
    ("bytes that are no text", [frame(TEXT, b'{"type":"command","key":"\xff"}')], 1007),
    ("too long in one piece", [frame(TEXT, b"x" * 20_000)], 1009),
    ("too long in pieces", [frame(TEXT, b"x" * 9_000, fin=False), frame(CONTINUATION, b"x" * 9_000, fin=False)], 1009),
    ("announced as huge", [b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(4)], 1009),
    ("more pieces than any message needs", [frame(TEXT, b"x", fin=False), frame(CONTINUATION, fin=False) * 5_000], 1008),
    ("a piece of nothing", [frame(CONTINUATION, b"x")], 1002),
    ("a new message within one", [frame(TEXT, b"x", fin=False), frame(TEXT, b"y")], 1002),
    ("an opcode that there is none of", [frame(3, b"x")], 1002),
    ("a ping in pieces", [frame(PING, b"x", fin=False)], 1002),
    ("a ping that is too long", [frame(PING, b"x" * 126)], 1002),
    ("not masked", [b"\x81\x01x"], 1002),
]


@pytest.mark.parametrize(("what", "sent", "reason"), NONSENSE, ids=lambda value: value if isinstance(value, str) else "")
async def test_what_is_no_websocket_ends_it_with_a_code(
    api: ApiProcess, http: aiohttp.ClientSession, what: str, sent: list[bytes], reason: int
) -> None:
    game, clients = await started(http)
    async with web_socket(api.url, game, clients[0].headers) as socket:
        for data in sent:
            await socket.send(data)
        assert code(await socket.of(CLOSE)) == reason, what
        assert await socket.is_ended(5)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (b"", None),
        (b"[]", None),
        (b"null", None),
        (b'{"type":"command"', None),
        (b"[" * 10_000, None),
        (b'{"type":"command","key":"k"}', "k"),
        (b'{"type":"command","key":"k","command":{"type":"fly"}}', "k"),
        (b'{"type":"bye","key":"k"}', "k"),
        (b'{"type":"command","key":"k","if_version":-1,"command":{"type":"reveal"}}', "k"),
        (b'{"type":"command","key":"k","if_version":1e400,"command":{"type":"reveal"}}', None),
    ],
)
async def test_a_message_that_makes_no_sense_is_answered_and_the_socket_goes_on(
    api: ApiProcess, http: aiohttp.ClientSession, text: bytes, key: str | None
) -> None:
    game, clients = await started(http)
    async with web_socket(api.url, game, clients[0].headers) as socket:
        for opcode, told in ((TEXT, key), (BINARY, None)):
            await socket.send(frame(opcode, text))
            answer = await problem(socket)
            assert (answer["status"], answer["code"], answer["key"]) == (400, "malformed", told)
        pieces = [text[:3], *(text[at : at + 50] for at in range(3, len(text), 50))]
        for number, piece in enumerate(pieces):
            opcode = CONTINUATION if number else TEXT
            await socket.send(frame(opcode, piece, fin=number == len(pieces) - 1) + frame(PING, b"between"))
        assert (await problem(socket))["key"] == key


async def problem(socket: RawSocket) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await socket.of(TEXT))
        if message["type"] == "problem":
            return message


async def test_a_thousand_messages_at_once_are_answered_in_their_order(http: aiohttp.ClientSession) -> None:
    """Too many are refused as such, with the time to wait; none is left out."""
    game, clients = await started(http)
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=clients[0].headers) as socket:
        for number in range(1000):
            await socket.send_json({"type": "command", "key": f"k{number}", "command": {"type": "end_trading"}})
        told = []
        while len(told) < 1000:
            message = await socket.receive_json(timeout=10)
            if message["type"] in ("problem", "result"):
                told.append(message)
        assert [message["key"] for message in told] == [f"k{number}" for number in range(1000)]
        limited = [message for message in told if message["code"] == "rate_limited"]
        assert len(limited) > 500
        assert all(message["status"] == 429 and message["retry_after"] >= 1 for message in limited)


@pytest.mark.parametrize(
    "query",
    ["?after=", "?after=1&after=2", "?after=1.0", "?after=%00", "?after=" + "9" * 5000, "?after=\xb2", "?ticket=",
     "?ticket=a&ticket=b", "?&&&after=x", "?after=١"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["stream", "ws"])
async def test_an_address_that_makes_no_sense_is_refused_with_a_problem(
    api: ApiProcess, http: aiohttp.ClientSession, path: str, query: str
) -> None:
    game, clients = await started(http)
    headers = clients[0].headers | (HANDSHAKE if path == "ws" else {})
    request = f"/v1/games/{game}/{path}{query}".encode("utf-8").decode("latin-1")
    async with RawSocket(api.url, request, headers) as answer:
        assert int(answer.head.split()[1]) in (400, 401)
        assert b"application/problem+json" in answer.head


@pytest.mark.parametrize("value", ["9" * 5000, "1, 2", "0x1", " ", "\xb2", "1\t2"])
async def test_an_absurd_last_event_id(api: ApiProcess, http: aiohttp.ClientSession, value: str) -> None:
    game, clients = await started(http)
    async with event_stream(api.url, game, {**clients[0].headers, "Last-Event-ID": value}) as answer:
        status = int(answer.head.split()[1])
        assert status == (200 if not value.strip() else 400)


async def test_a_version_that_nobody_has_seen_begins_with_the_table(http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    headers = {**clients[0].headers, "Last-Event-ID": "9999999999"}
    async with http.get(f"/v1/games/{game}/stream", headers=headers) as answer:
        assert (await following(frames(answer), "view"))["data"]["view"]["viewer"] == 0


async def test_a_page_of_another_site_gets_nothing_by_its_origin(http: aiohttp.ClientSession) -> None:
    """There are no cookies that a browser would send along: whoever has a token or a ticket may connect from anywhere,
    and nobody else. Answers over HTTP are kept from the page by the browser, since no origin is allowed."""
    game, clients = await started(http)
    foreign = {"Origin": "https://elsewhere.example"}
    async with http.get(f"/v1/games/{game}/ws", headers=foreign | HANDSHAKE) as answer:
        assert answer.status == 401
    async with http.get(f"/v1/games/{game}/stream", headers=foreign | clients[0].headers) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers
    async with http.ws_connect(f"/v1/games/{game}/ws", headers=foreign | clients[0].headers) as socket:
        assert (await socket_message(socket, "view"))["view"]["viewer"] == 0


async def long_history(game: str, clients: list[Client]) -> None:
    """Many events, by offers that are taken back."""
    active, command = await first_move(game, clients)
    assert (await active.command(game, command, "plant"))[0] == 200
    assert (await active.command(game, {"type": "reveal"}, "reveal"))[0] == 200


async def talk(game: str, active: Client, count: int) -> int:
    """So many offers, each in place of the one before; the version afterwards."""
    version = 0
    for _ in range(count):
        status, done = await active.command(game, {"type": "offer", "want": {"red": 1}}, str(uuid4()))
        assert status == 200, done
        version = done["version"]
        offer = done["events"][-1]["event"]["offer"]
        status, done = await active.command(game, {"type": "withdraw_offer", "offer": offer}, str(uuid4()))
        assert status == 200, done
        version = done["version"]
    return version
