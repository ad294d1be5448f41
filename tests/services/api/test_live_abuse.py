"""Clients who send nonsense on a stream, too much of it, or do not read what they are sent: they are told or cut off,
and nobody else notices (pitfalls G9, G10, T54, T58)."""

import asyncio
import json
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import psutil
import pytest

from infra.memory.clock import ManualClock
from infra.postgres.migrate import upgrade
from services.identity.access import LEEWAY, AccessTokens
from services.identity.keys import kept_keys
from tests.infra.listening import until
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.api.raw_socket import (
    BINARY,
    CLOSE,
    CONTINUATION,
    HANDSHAKE,
    PING,
    TEXT,
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
    """Waits for nobody for long."""

    shorter = f"connection.SEND_SECONDS = {SEND_SECONDS}"

    def _command(self) -> list[str]:
        program = (
            f"from services.api import connection, server; {self.shorter}; from services.cli.main import main; main()"
        )
        return [sys.executable, "-P", "-c", program, "api", "--socket"]


class Pinging(Impatient):
    """Asks often whether the other side is still there."""

    shorter = "server.PING_SECONDS = 1"


@contextmanager
def served(kind: type[ApiProcess], postgres_server: DatabaseServer, folder: Path) -> Iterator[ApiProcess]:
    """A process of that kind over a database of its own."""
    name = f"abuse_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    process = kind(url, folder, requests_per_second="0", address_requests_per_second="0", commands_per_second="100")
    # Whatever is accepted on it has buffers as small, so that a test need not fill large ones.
    process._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    try:
        process.start()
        yield process
        assert set(process.log.splitlines()) <= {"WARNING:  Invalid HTTP request received."}
    finally:
        process.close()
        run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture(scope="module")
def api(postgres_server: DatabaseServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiProcess]:
    with served(Impatient, postgres_server, tmp_path_factory.mktemp("abuse")) as process:
        yield process


@pytest.fixture
def patient(postgres_server: DatabaseServer, tmp_path: Path) -> Iterator[ApiProcess]:
    with served(ApiProcess, postgres_server, tmp_path) as process:
        yield process


@pytest.fixture
def pinging(postgres_server: DatabaseServer, tmp_path: Path) -> Iterator[ApiProcess]:
    with served(Pinging, postgres_server, tmp_path) as process:
        yield process


@pytest.fixture
async def http(api: ApiProcess) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(api.url, timeout=aiohttp.ClientTimeout(total=30)) as session:
        yield session


def memory(api: ApiProcess) -> int:
    """Bytes of the process."""
    assert api._process is not None
    size: int = psutil.Process(api._process.pid).memory_info().rss
    return size


def code(payload: bytes) -> int:
    """Why the other side closes."""
    return int.from_bytes(payload[:2], "big")


NONSENSE: list[tuple[str, list[bytes], int]] = [
    ("bytes that are no text", [frame(TEXT, b'{"type":"command","key":"\xff"}')], 1007),
    ("too long in one piece", [frame(TEXT, b"x" * 20_000)], 1009),
    ("too long in pieces", [frame(TEXT, b"x" * 9_000, fin=False), frame(CONTINUATION, b"x" * 9_000, fin=False)], 1009),
    ("announced as huge", [b"\x81\xff" + (2**40).to_bytes(8, "big") + bytes(4)], 1009),
    (
        "more pieces than any message needs",
        [frame(TEXT, b"x", fin=False), frame(CONTINUATION, fin=False) * 5_000],
        1008,
    ),
    ("a piece of nothing", [frame(CONTINUATION, b"x")], 1002),
    ("a new message within one", [frame(TEXT, b"x", fin=False), frame(TEXT, b"y")], 1002),
    ("an opcode that there is none of", [frame(3, b"x")], 1002),
    ("a ping in pieces", [frame(PING, b"x", fin=False)], 1002),
    ("a ping that is too long", [frame(PING, b"x" * 126)], 1002),
    ("not masked", [b"\x81\x01x"], 1002),
]


@pytest.mark.parametrize(
    ("what", "sent", "reason"), NONSENSE, ids=lambda value: value if isinstance(value, str) else ""
)
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
        (b'{"type":"command","key":"k","if_version":1e400,"command":{"type":"reveal"}}', "k"),
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
        told: list[dict[str, Any]] = []
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
    ["?after=", "?after=1&after=2", "?after=%00", "?after=" + "9" * 5000, "?after=\xb2", "?ticket=",
     "?ticket=a&ticket=b", "?&&&after=x", "?after=\u0661"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["stream", "ws"])
async def test_an_address_that_makes_no_sense_is_refused_with_a_problem(
    api: ApiProcess, http: aiohttp.ClientSession, path: str, query: str
) -> None:
    game, clients = await started(http)
    headers = clients[0].headers | (HANDSHAKE if path == "ws" else {})
    request = f"/v1/games/{game}/{path}{query}".encode().decode("latin-1")
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


async def trading(game: str, clients: list[Client]) -> Client:
    """The active player, who may make offers now."""
    active, command = await first_move(game, clients)
    assert (await active.command(game, command, "plant"))[0] == 200
    assert (await active.command(game, {"type": "reveal"}, "reveal"))[0] == 200
    return active


async def talk(game: str, player: Client, count: int, to: int | None = None) -> int:
    """So many offers to that seat, each taken back; the version afterwards."""
    version = 0
    for _ in range(count):
        offer = await done(game, player, {"type": "offer", "to": to, "want": {"red": 1}})
        taken_back = await done(game, player, {"type": "withdraw", "offer": offer["events"][-1]["event"]["offer"]})
        version = taken_back["version"]
    return version


async def all_talk(game: str, clients: list[Client], count: int) -> Client:
    """So many offers by each; who is active."""
    active = await trading(game, clients)
    seat = clients.index(active)
    await asyncio.gather(*(talk(game, one, count, None if one is active else seat) for one in clients))
    return active


async def done(game: str, active: Client, command: dict[str, Any]) -> dict[str, Any]:
    """The answer to that command, as soon as it is not too much any more."""
    key = str(uuid4())
    while True:
        status, answer = await active.command(game, command, key)
        if status == 200:
            found: dict[str, Any] = answer
            return found
        assert status == 429, answer
        await asyncio.sleep(0.05)


async def test_who_does_not_read_is_cut_off_and_nobody_else_notices(
    api: ApiProcess, http: aiohttp.ClientSession
) -> None:
    """A stream on which nothing is read for some time ends; what was to be sent there is not kept."""
    game, clients = await started(http)
    active = await all_talk(game, clients, 150)
    size = memory(api)
    async with AsyncExitStack() as closing:
        answer = await closing.enter_async_context(http.get(f"/v1/games/{game}/stream", headers=clients[0].headers))
        told = frames(answer)
        seen: int = (await following(told, "view"))["data"]["view"]["version"]
        stuck = [
            await closing.enter_async_context(kind(api.url, game, clients[1].headers, "?after=0", small=True))
            for kind in (event_stream, web_socket)
            for _ in range(9)
        ]
        began = time.monotonic()
        talking = asyncio.create_task(talk(game, active, 150))
        while not talking.done():
            frame = (await following(told, seconds=5))["data"]
            assert frame["from"] == seen + 1
            seen = frame["to"]
        await asyncio.sleep(max(0.0, began + 2 * SEND_SECONDS - time.monotonic()))
        assert memory(api) - size < 20 * MEGABYTE
        # What lies in the buffers of the machine is still to be read, and no more than that.
        assert await asyncio.gather(*(one.is_ended(15) for one in stuck)) == [True] * len(stuck)


async def test_who_reads_again_when_he_was_cut_off_learns_why(api: ApiProcess, http: aiohttp.ClientSession) -> None:
    """Behind what still lay in the buffers."""
    game, clients = await started(http)
    await all_talk(game, clients, 150)
    async with web_socket(api.url, game, clients[1].headers, "?after=0", small=True) as stuck:
        await asyncio.sleep(2 * SEND_SECONDS)
        assert code(await stuck.of(CLOSE)) == 1013


async def test_who_stops_reading_for_a_while_goes_on_without_a_gap_or_begins_anew(
    api: ApiProcess, http: aiohttp.ClientSession
) -> None:
    """Shorter than it would be waited for: what he has missed comes, or the table in its place."""
    game, clients = await started(http)
    active = await trading(game, clients)
    async with web_socket(api.url, game, clients[1].headers, "?after=0", small=True) as socket:
        version = 0
        await asyncio.wait_for(talk(game, active, 200), SEND_SECONDS * 10)
        last = await talk(game, active, 1)
        while version < last:
            message = json.loads(await socket.of(TEXT))
            if message["type"] == "events":
                assert message["from"] == version + 1
                version = message["to"]
            elif message["type"] == "view":
                assert message["view"]["version"] > version
                version = message["view"]["version"]
        assert version == last


async def test_a_flood_of_pings_without_reading_costs_no_memory(api: ApiProcess, http: aiohttp.ClientSession) -> None:
    game, clients = await started(http)
    size = memory(api)
    async with web_socket(api.url, game, clients[0].headers, small=True) as socket:
        sent = 0
        flood = frame(PING, b"p" * 125) * 500
        try:
            async with asyncio.timeout(3):
                while sent < 60 * MEGABYTE:
                    await socket.send(flood)
                    sent += len(flood)
        except (TimeoutError, ConnectionError):
            pass  # it is not taken any more
        assert sent < 60 * MEGABYTE
        assert memory(api) - size < 10 * MEGABYTE
        # Once he was not sent his frames for so long he is not there any more.
        assert await socket.is_ended(2 * SEND_SECONDS)
    assert (await clients[1].call("GET", f"/v1/games/{game}"))[0] == 200


async def test_the_end_of_the_server_does_not_wait_for_who_does_not_read(patient: ApiProcess) -> None:
    """Inside its time, whoever reads is told, and there is no traceback."""
    async with AsyncExitStack() as closing:
        http = await closing.enter_async_context(aiohttp.ClientSession(patient.url))
        game, clients = await started(http)
        await all_talk(game, clients, 150)
        stuck = [
            await closing.enter_async_context(kind(patient.url, game, clients[1].headers, "?after=0", small=True))
            for kind in (event_stream, web_socket)
            for _ in range(5)
        ]
        answer = await closing.enter_async_context(http.get(f"/v1/games/{game}/stream", headers=clients[0].headers))
        told = frames(answer)
        await following(told, "view")
        began = time.monotonic()
        stopping = asyncio.create_task(asyncio.to_thread(patient.stop))
        await following(told, "bye")
        assert await stopping in (0, -signal.SIGTERM)
        sys.stderr.write(f"{time.monotonic() - began} {patient.log}")
        assert all(await asyncio.gather(*(one.is_ended(5) for one in stuck)))
        assert patient.log == ""


async def test_a_token_that_runs_out_while_a_stream_is_open_does_not_end_it(
    api: ApiProcess, http: aiohttp.ClientSession
) -> None:
    """It is looked at once, as with any request; what goes up the socket is not a request."""
    game, clients = await started(http)
    active, command = await first_move(game, clients)
    keys = kept_keys(Path(api._environment["BOHNANZA_DATA_DIR"]))
    # Two seconds before the end of what is granted for clocks that differ.
    issued = datetime.now(UTC) - timedelta(seconds=60 + LEEWAY - 2)
    token = AccessTokens(keys, ManualClock(issued), 60).issue(active.pair["player"])
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        http.ws_connect(f"/v1/games/{game}/ws", headers=headers) as socket,
        http.get(f"/v1/games/{game}/stream?after=0", headers=headers) as answer,
    ):
        assert answer.status == 200
        while True:
            async with http.get("/v1/players/me", headers=headers) as asked:
                if asked.status == 401:
                    assert (await asked.json())["code"] == "token_expired"
                    break
            await asyncio.sleep(0.1)
        await socket.send_json({"type": "command", "key": "late", "command": command})
        last = (await socket_message(socket, "result"))["version"]
        told = frames(answer)
        while (await following(told))["data"]["to"] < last:
            pass


async def test_a_socket_whose_other_side_does_not_answer_is_not_kept(pinging: ApiProcess) -> None:
    """Half open: nobody says that he has gone. Neither where there is nothing to send, nor where what was sent is not
    taken."""
    async with aiohttp.ClientSession(pinging.url) as http:
        game, clients = await started(http)
        await all_talk(game, clients, 150)
        quiet, _ = await started(http)
        async with (
            web_socket(pinging.url, quiet, clients[0].headers) as idle,
            web_socket(pinging.url, game, clients[1].headers, "?after=0", small=True) as full,
        ):
            ports = {one.writer.get_extra_info("sockname")[1] for one in (idle, full)}
            assert pinging._process is not None
            process = psutil.Process(pinging._process.pid)
            await until(
                lambda: all(one.raddr and one.raddr.port not in ports for one in clients_of(process, pinging.port)),
                10,
                "both are given up",
            )
            assert code(await idle.of(CLOSE)) == 1011


def clients_of(process: psutil.Process, port: int) -> list[Any]:
    """The connections that it has on that port."""
    return [one for one in process.net_connections("tcp") if one.laddr.port == port and one.status != "LISTEN"]
