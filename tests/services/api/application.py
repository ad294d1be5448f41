"""The application over the in-memory stores, and guests who call it, all in one process."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import httpx
from litestar.types import ControllerRouterHandler

from infra.clock import SystemEntropy
from infra.memory.anchors import MemoryAnchorStore
from infra.memory.bus import MemoryBroker, MemoryBus
from infra.memory.clock import ManualClock
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from infra.memory.presence import MemoryPresence
from services.api.app import create_app
from services.api.envelope import Envelope
from services.api.parts import Parts
from services.api.shapes import CheckResult
from services.audit.audits import Audits
from services.audit.exports import Exports
from services.erasure.erasures import Erasures
from services.games.games import Games
from services.identity.access import AccessTokens
from services.identity.keys import parse_keys
from services.identity.sessions import Sessions
from services.identity.tickets import Tickets
from services.limits.limits import Limits
from services.live.live import Live
from services.live.rooms import Rooms
from services.replay.replays import Replays
from tests.exports import KEYS

KEY = "a-token-key-for-tests-only-0123456789"
BODY_LIMIT = 16_384
PROBLEM = "application/problem+json"


def standing_clock() -> ManualClock:
    """A clock that a test moves."""
    return ManualClock(datetime(2026, 11, 30, 5, 11, 35, 123456, tzinfo=UTC))


def memory_parts(clock: ManualClock, keys: str = KEY) -> Parts:
    """Everything in memory, a clock that the test moves, and no limits: time would have to pass for them."""
    entropy = SystemEntropy()
    store = MemoryEventStore()
    anchors = MemoryAnchorStore(store)
    players = MemoryPlayerStore(store)
    access = AccessTokens(parse_keys(keys), clock, 900)

    async def readiness() -> list[CheckResult]:
        return [CheckResult("database", ok=True, required=True, detail="in memory")]

    rooms = Rooms(store, MemoryBus(MemoryBroker()), "here")
    games = Games(store, players, clock, entropy, announce=rooms.announce, sign=KEYS.sign)
    live = Live(games, rooms, MemoryPresence(), "here")
    return Parts(
        games=games,
        live=live,
        erasures=Erasures(players, access, games, live, clock),
        replays=Replays(store, players),
        players=players,
        access=access,
        sessions=Sessions(players, access, clock, entropy, timedelta(days=90)),
        tickets=Tickets(players, clock, entropy, 30),
        limits=Limits(clock, commands=0, requests=0, address_requests=0),
        signing=KEYS,
        exports=Exports(store, anchors, KEYS),
        audits=Audits(store, anchors, KEYS),
        anchors=anchors,
        readiness=readiness,
        body_limit=BODY_LIMIT,
    )


def app_over(
    parts: Parts, *, cors_origins: Sequence[str] = (), extra_handlers: Sequence[ControllerRouterHandler] = ()
) -> Envelope:
    """The application as it is served, over those parts."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Parts]:
        await parts.live.open()
        await parts.erasures.open()
        yield parts
        await parts.erasures.close()
        await parts.live.close()

    return create_app(opened, body_limit=parts.body_limit, cors_origins=cors_origins, extra_handlers=extra_handlers)


@dataclass
class Caller:
    """Somebody with a pair of tokens."""

    http: httpx.AsyncClient
    player: str
    access_token: str
    refresh_token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.access_token}"}

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers={**self.headers, **named(headers)})

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.http.post(path, json=body, headers={**self.headers, **named(headers)})

    async def command(
        self, game: str, command: dict[str, Any], key: str | None = None, **headers: str
    ) -> httpx.Response:
        headers = {"idempotency_key": key or str(uuid.uuid4()), **headers}
        return await self.post(f"/v1/games/{game}/commands", command, **headers)

    async def version(self, game: str) -> int:
        version: int = (await self.get(f"/v1/games/{game}")).json()["version"]
        return version


def named(headers: dict[str, str]) -> dict[str, str]:
    """`if_match` as `If-Match`."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


class World:
    """A running application."""

    def __init__(self, http: httpx.AsyncClient, parts: Parts, clock: ManualClock, app: Envelope) -> None:
        self.http = http
        self.parts = parts
        self.clock = clock
        self.app = app

    async def guest(self, name: str = "Ada") -> Caller:
        """Somebody new."""
        answer = await self.http.post("/v1/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        pair = answer.json()
        return Caller(self.http, pair["player"], pair["access_token"], pair["refresh_token"])

    async def started_game(self, seats: int = 3, **wanted: Any) -> tuple[str, list[Caller]]:
        """A game that runs, and its players by seat."""
        callers = [await self.guest(f"Seat {seat}") for seat in range(seats)]
        created = await callers[0].post("/v1/games", {"ruleset": "classic", "seats": seats, **wanted})
        assert created.status_code == 201, created.text
        game: str = created.json()["game"]
        for caller in callers[1:]:
            joined = await caller.post(f"/v1/games/{game}/seats", {"invite": created.json()["invite"]})
            assert joined.status_code == 201, joined.text
        started = await callers[0].post(f"/v1/games/{game}/start")
        assert started.status_code == 200, started.text
        return game, callers


@asynccontextmanager
async def running(
    parts: Parts | None = None,
    *,
    clock: ManualClock | None = None,
    cors_origins: Sequence[str] = (),
    extra_handlers: Sequence[ControllerRouterHandler] = (),
    **changes: Any,
) -> AsyncIterator[World]:
    """The application between its start and its shutdown. `changes` replace parts of it."""
    clock = clock or standing_clock()
    parts = replace(parts or memory_parts(clock), **changes)
    app = app_over(parts, cors_origins=cors_origins, extra_handlers=extra_handlers)
    # httpx and Litestar name the types of ASGI differently.
    transport = httpx.ASGITransport(app=cast("Any", app))
    async with alive(app), httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        yield World(http, parts, clock, app)


@asynccontextmanager
async def alive(app: Envelope) -> AsyncIterator[None]:
    """Starts the application and shuts it down, in a task of its own as a server does."""
    inward: asyncio.Queue[Any] = asyncio.Queue()
    outward: asyncio.Queue[Any] = asyncio.Queue()
    scope: Any = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}, "state": {}}
    life = asyncio.create_task(app(scope, inward.get, outward.put))
    await inward.put({"type": "lifespan.startup"})
    assert (await outward.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inward.put({"type": "lifespan.shutdown"})
        assert (await outward.get())["type"] == "lifespan.shutdown.complete"
        await life


def told(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem in an answer, checked for its shape."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    problem: dict[str, Any] = answer.json()
    assert problem["code"] == code, problem
    assert problem["type"] == f"urn:bohnanza:problem:{code}"
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert set(problem) <= {"type", "title", "status", "detail", "code", "version", "errors"}
    return problem
