"""What breaks inside: the caller is told what to do, the log has the traceback, nobody gets a secret."""

import logging
from typing import Any

import httpx
import pytest
from litestar import post
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.refusal import REFUSAL_CODES
from infra.event_store import StoreFault, StoreUnavailable
from services.api.catalogue import KINDS
from services.games.errors import CommandRefused, Contention, GameError, HistoryUnreadable
from tests.services.api.application import BODY_LIMIT, World, running, told
from tests.services.games.counters import counter


def failing(error: Exception) -> Any:
    @post("/break", include_in_schema=False)
    async def broken() -> ASGIApp:
        raise error

    return broken


async def answer_to(error: Exception) -> httpx.Response:
    async with running(extra_handlers=[failing(error)]) as world:
        ada = await world.guest()
        return await ada.post("/v1/break")


@pytest.mark.parametrize(
    "error", [RuntimeError("s3cret"), StoreFault("s3cret"), RecursionError("s3cret"), KeyError("s3cret")]
)
async def test_an_unexpected_error_is_told_as_internal_and_logged(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "bohnanza.api"):
        answer = await answer_to(error)
    told(answer, 500, "internal")
    assert "s3cret" not in answer.text
    assert type(error).__name__ not in answer.text
    assert "Traceback" in caplog.text
    assert "in broken" in caplog.text


def test_every_error_of_a_use_case_has_a_kind_of_problem() -> None:
    codes = {kind.code for kind in GameError.__subclasses__() if kind is not CommandRefused}
    assert codes
    assert codes <= set(KINDS)
    assert all(KINDS[code].status == 409 for code in REFUSAL_CODES)


async def test_a_game_that_is_too_busy_is_told_when_to_be_asked_again() -> None:
    answer = await answer_to(Contention(version=7))
    assert told(answer, 503, "busy")["version"] == 7
    assert answer.headers["retry-after"] == "1"


async def test_a_store_that_is_away_is_told_when_to_be_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    answer = await answer_to(StoreUnavailable("connection refused by 10.0.0.7"))
    told(answer, 503, "store_unavailable")
    assert answer.headers["retry-after"] == "1"
    assert "10.0.0.7" not in answer.text
    assert "10.0.0.7" in caplog.text


async def test_a_history_that_cannot_be_read_is_told_without_its_place(caplog: pytest.LogCaptureFixture) -> None:
    """During a rollout the next server may know it; the operator reads which game and version it is."""
    answer = await answer_to(HistoryUnreadable("game-7", 31, "no event that is known here"))
    assert "version" not in told(answer, 503, "history_unreadable")
    assert answer.headers["retry-after"] == "1"
    assert "game-7" not in answer.text
    assert "game game-7, version 31: no event" in caplog.text


async def test_no_secret_is_in_any_log_or_problem(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ada = await world.guest()
    secrets = [ada.access_token, ada.refresh_token]
    answers = [
        await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token, "x": 1}),
        await world.http.post("/v1/tokens", content=ada.refresh_token, headers={"Content-Type": "application/json"}),
        await world.http.post("/v1/tokens", json={"refresh_token": [ada.refresh_token]}),
        await world.http.get("/v1/players/me", headers={"Authorization": f"Basic {ada.access_token}"}),
        await world.http.get("/v1/players/me", headers={"Authorization": f"Bearer {ada.access_token}x"}),
        await ada.post("/v1/games", {"seats": "many"}),
        await ada.get("/v1/nowhere"),
    ]
    used = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
    secrets.extend((used.json()["access_token"], used.json()["refresh_token"]))
    answers.append(await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token}))
    answers.append(await world.http.post("/v1/tokens", json={"refresh_token": used.json()["refresh_token"]}))
    for answer in answers:
        assert answer.status_code >= 400
        assert not any(secret in answer.text or secret in str(answer.headers) for secret in secrets)
    assert not any(secret in caplog.text for secret in secrets)
    shown = repr(world.parts) + repr(world.parts.access) + repr(world.parts.sessions)
    assert "a-token-key" not in shown


async def test_half_an_answer_is_cut_off_and_not_mended(world: World) -> None:
    """When the status has gone out, an error reaches the server, which closes the connection."""

    async def half(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    world.app.app = half  # type: ignore[assignment]  # a stand-in that breaks
    scope: Any = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}
    with pytest.raises(RuntimeError):
        await world.app(scope, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start"]


@pytest.mark.parametrize("code", ["busy", "store_unavailable", "internal"])
def test_what_to_do_next_is_true_for_routes_with_and_without_a_key(code: str) -> None:
    advice = KINDS[code].detail
    assert advice.startswith("Send the same request again")
    assert "a command with the same `Idempotency-Key`" in advice


async def test_every_problem_counts_by_its_code(world: World) -> None:
    game, callers = await world.started_game()
    counted = {code: counter("problems", code=code) for code in KINDS}
    version = await callers[0].version(game)
    for answer in (
        await world.http.get("/v1/games"),
        await callers[0].post("/v1/games", {"seats": "many"}),
        await callers[0].command(game, {"type": "harvest", "field": 99}),
        await callers[0].command(game, {"type": "reveal"}, if_match=str(version + 1)),
        await callers[0].get("/v1/nowhere"),
        await world.http.put("/v1/games"),
        await callers[0].post("/v1/games", {"nonce": "x" * 20_000}),
    ):
        assert answer.status_code >= 400
    async with running(extra_handlers=[failing(RuntimeError("broken"))]) as broken:
        assert (await (await broken.guest()).post("/v1/break")).status_code == 500
    assert {code: count() for code, count in counted.items() if count()} == {
        "token_missing": 1,
        "malformed": 1,
        "no_such_field": 1,
        "stale_version": 1,
        "not_found": 1,
        "method_not_allowed": 1,
        "body_too_large": 1,
        "internal": 1,
    }


@pytest.mark.parametrize(
    ("extensions", "first"),
    [
        ({"websocket.http.response": {}}, "websocket.http.response.start"),
        ({}, "websocket.close"),
        (None, "websocket.close"),
    ],
)
async def test_a_socket_is_refused_in_http_where_the_server_can(
    world: World, extensions: dict[str, Any] | None, first: str
) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"type": "websocket", "path": "/v1/games", "headers": [], "extensions": extensions}
    await world.app(scope, receive, send)
    assert sent[0]["type"] == first


async def test_foreign_pages_may_call_only_if_the_setting_names_them(world: World) -> None:
    asked = {"Origin": "https://table.example", "Access-Control-Request-Method": "POST"}
    answer = await world.http.options("/v1/games", headers=asked)
    assert "access-control-allow-origin" not in answer.headers
    async with running(cors_origins=["https://table.example"]) as other:
        answer = await other.http.options("/v1/games", headers=asked)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == "https://table.example"
        allowed = answer.headers["access-control-allow-headers"].lower()
        assert {"authorization", "idempotency-key", "if-match"} <= set(allowed.split(", "))
        answer = await other.http.options("/v1/games", headers={**asked, "Origin": "https://evil.example"})
        assert answer.status_code == 400
        assert answer.headers["content-type"] == "application/problem+json"
        assert "access-control-allow-origin" not in answer.headers
        plain = await other.http.get("/v1/rulesets", headers={"Origin": "https://table.example"})
        assert plain.headers["access-control-allow-origin"] == "https://table.example"


async def test_a_page_may_read_every_answer_also_those_that_no_route_gave() -> None:
    asked = {"Origin": "https://table.example"}
    async with running(cors_origins=["https://table.example"]) as world:
        ada = await world.guest()
        headers = {**ada.headers, **asked, "Content-Type": "application/json"}
        for answer in (
            await world.http.post("/v1/games", content=b" " * (BODY_LIMIT + 1), headers=headers),
            await world.http.get("/nowhere", headers=asked),
            await world.http.put("/v1/games", headers=asked),
            await world.http.get("/v1/games", headers=asked),
            await world.http.post("/v1/games", content=b"{", headers=headers),
        ):
            assert answer.status_code >= 400
            assert answer.headers.get_list("access-control-allow-origin") == ["https://table.example"]
            assert "Retry-After" in answer.headers["access-control-expose-headers"]
            assert "Origin" in answer.headers["vary"]
        for origin in ("https://evil.example", "null", ""):
            answer = await world.http.post(
                "/v1/games", content=b" " * (BODY_LIMIT + 1), headers={**headers, "Origin": origin}
            )
            told(answer, 413, "body_too_large")
            assert "access-control-allow-origin" not in answer.headers
    async with running() as closed:
        answer = await closed.http.post("/v1/games", content=b" " * (BODY_LIMIT + 1), headers=asked)
        assert "access-control-allow-origin" not in answer.headers
