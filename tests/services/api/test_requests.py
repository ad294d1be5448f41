"""Bad requests: the problem that names it, never a 5xx, never a changed game."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from services.api import body
from tests.services.api.application import BODY_LIMIT, PROBLEM, Caller, World, told

JSON = {"Content-Type": "application/json"}
NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
async def table(world: World) -> AsyncIterator[tuple[World, str, Caller]]:
    """A running game that must be at the same version afterwards."""
    game, callers = await world.started_game()
    before = await callers[0].version(game)
    yield world, game, callers[0]
    assert await callers[0].version(game) == before


async def send(table: tuple[World, str, Caller], body: bytes, **headers: str) -> httpx.Response:
    world, game, caller = table
    return await world.http.post(
        f"/v1/games/{game}/commands",
        content=body,
        headers={**caller.headers, **JSON, "Idempotency-Key": "k", **headers},
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"nonsense",
        b"null",
        b"[]",
        b"7",
        b'"plant"',
        b"{}",
        b'{"type":null}',
        b'{"type":"cheat"}',
        b'{"type":"plant"}',
        b'{"type":"plant","card":17,"field":1,"coins":99}',
        b'{"type":"plant","card":"17","field":1}',
        b'{"type":"plant","card":17.0,"field":1}',
        b'{"type":"plant","card":17,"field":true}',
        b'{"type":"plant","card":-1,"field":1}',
        b'{"type":"plant","card":2147483648,"field":1}',
        b'{"type":"plant","card":' + b"9" * 5_000 + b',"field":1}',
        b'{"type":"plant","card":1e400,"field":1}',
        b'{"type":"plant","card":NaN,"field":1}',
        b'{"type":"plant","card":17,"card":18,"field":1}',
        b'{"type":"plant","card":17,"field":1,"field":1}',
        b'{"type":"offer","give":[1],"want":{"red":1,"red":2}}',
        b'{"type":"offer","give":[1],"want":{"gold":1}}',
        b'{"type":"offer","give":[1],"want":{"red":0}}',
        b'{"type":"offer","give":[1],"want":{"red":1000000}}',
        b'{"type":"offer","give":[' + b"1," * 300 + b"1]}",
        b'{"type":"offer","give":' + b"[" * 8_000 + b"]" * 8_000 + b"}",
        b"[" * 16_000,
        b'{"a":' * 3_000,
        b'{"type":"reveal"}{"type":"reveal"}',
        b'{"type":"reveal"} x',
        b'{"type":"reveal",}',
        b"\xef\xbb\xbf" + b'{"type":"reveal"}',
        b'{"type":"rev\xffeal"}',
        b'{"type":"\\ud800"}',
        b"{\x00}",
        '{"type":"reveal"}'.encode("utf-16"),
    ],
)
async def test_a_body_that_is_no_command_is_malformed(table: tuple[World, str, Caller], body: bytes) -> None:
    told(await send(table, body), 400, "malformed")


async def test_the_wrong_place_is_named(table: tuple[World, str, Caller]) -> None:
    problem = told(await send(table, b'{"type":"offer","give":[1,"2"]}'), 400, "malformed")
    assert problem["errors"] == [{"path": "$.give[1]", "message": "Expected `int`, got `str`"}]


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "application/jsonx",
        "application/msgpack",
        "",
        "garbage;;;",
    ],
)
async def test_a_body_that_is_not_announced_as_json_is_refused(
    table: tuple[World, str, Caller], content_type: str
) -> None:
    answer = await send(table, b'{"type":"reveal"}', **{"Content-Type": content_type})
    told(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
async def test_other_ways_to_say_json_are_understood(table: tuple[World, str, Caller], content_type: str) -> None:
    told(await send(table, b'{"type":"cheat"}', **{"Content-Type": content_type}), 400, "malformed")


async def test_an_encoded_body_is_refused(table: tuple[World, str, Caller]) -> None:
    told(await send(table, b'{"type":"reveal"}', **{"Content-Encoding": "gzip"}), 415, "unsupported_media_type")


async def test_a_body_over_the_limit_is_refused_however_it_comes(table: tuple[World, str, Caller]) -> None:
    world, game, caller = table
    padded = b'{"type":"reveal"' + b" " * BODY_LIMIT + b"}"
    answer = await send(table, padded)
    told(answer, 413, "body_too_large")

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b" " * 1_000

    answer = await world.http.post(
        f"/v1/games/{game}/commands",
        content=chunks(),
        headers={**caller.headers, **JSON, "Idempotency-Key": "k"},
    )
    told(answer, 413, "body_too_large")
    # Where no body is read, an announced one is too large all the same.
    answer = await world.http.post(f"/v1/games/{game}/start", content=padded, headers=caller.headers)
    told(answer, 413, "body_too_large")


@pytest.mark.parametrize("path", ["/v1/games/{game}/commands", "/v1/games/{game}/seats", "/v1/players"])
async def test_a_body_that_comes_drop_by_drop_is_not_waited_for(
    table: tuple[World, str, Caller], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    world, game, caller = table
    monkeypatch.setattr(body, "BODY_SECONDS", 0.1)

    async def drops() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.01)

    async with asyncio.timeout(5):
        answer = await world.http.post(
            path.replace("{game}", game), content=drops(), headers={**caller.headers, **JSON, "Idempotency-Key": "k"}
        )
    told(answer, 408, "request_timeout")
    assert answer.headers["connection"] == "close"


async def test_a_body_of_exactly_the_limit_is_read(table: tuple[World, str, Caller]) -> None:
    body = b'{"type":"cheat"' + b" " * (BODY_LIMIT - 16) + b"}"
    assert len(body) == BODY_LIMIT
    told(await send(table, body), 400, "malformed")


async def test_a_command_needs_a_key(table: tuple[World, str, Caller]) -> None:
    _world, game, caller = table
    answer = await caller.post(f"/v1/games/{game}/commands", {"type": "reveal"})
    told(answer, 400, "idempotency_key_required")


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 129, "schlüssel".encode().decode("latin-1"), "a\tb", "\x7f"])
async def test_a_key_has_visible_ascii_characters_only(table: tuple[World, str, Caller], key: str) -> None:
    world, game, caller = table
    headers = [
        (b"idempotency-key", key.encode("latin-1")),
        (b"authorization", caller.headers["Authorization"].encode()),
    ]
    answer = await world.http.post(f"/v1/games/{game}/commands", json={"type": "reveal"}, headers=headers)
    told(answer, 400, "malformed")


async def test_two_keys_are_ambiguous(table: tuple[World, str, Caller]) -> None:
    world, game, caller = table
    headers = [*caller.headers.items(), ("Idempotency-Key", "a"), ("Idempotency-Key", "b")]
    answer = await world.http.post(f"/v1/games/{game}/commands", json={"type": "reveal"}, headers=headers)
    told(answer, 400, "malformed")


@pytest.mark.parametrize("value", ["abc", '"abc"', "-1", "1.5", '"57', "57, 58", "W/57", "9" * 30, "", "٣"])
async def test_if_match_names_one_version(table: tuple[World, str, Caller], value: str) -> None:
    world, game, caller = table
    headers = [
        (b"if-match", value.encode()),
        (b"idempotency-key", b"k"),
        (b"authorization", caller.headers["Authorization"].encode()),
    ]
    answer = await world.http.post(f"/v1/games/{game}/commands", json={"type": "reveal"}, headers=headers)
    told(answer, 400, "malformed")


@pytest.mark.parametrize("value", ["1", '"1"', 'W/"1"', '"999999999"'])
async def test_a_command_for_another_version_is_stale(table: tuple[World, str, Caller], value: str) -> None:
    _world, game, caller = table
    answer = await caller.command(game, {"type": "reveal"}, if_match=value)
    problem = told(answer, 412, "stale_version")
    assert problem["version"] == await caller.version(game)


@pytest.mark.parametrize(
    "query",
    [
        "after=-1",
        "after=x",
        "after=",
        "after=1.5",
        "after=1e1",
        "after=1.0",
        "after=-0",
        "after=%2B1",
        "after=99999999999999999999",
        "after=" + "9" * 5_000,
        "limit=0",
        "limit=501",
        "limit=1&limit=2",
        "before=3",
        "after",
        "after=%ff",
        "after=1&&",
        "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9&j=0&k=1&l=2&m=3&n=4&o=5&p=6&q=7",
    ],
)
async def test_a_query_that_is_wrong_is_malformed(table: tuple[World, str, Caller], query: str) -> None:
    _world, game, caller = table
    told(await caller.get(f"/v1/games/{game}/events?{query}"), 400, "malformed")


@pytest.mark.parametrize(
    "query",
    [
        "status=lost",
        "ruleset=chess",
        "ruleset=%00",
        "player=me",
        f"player={NOBODY}%00",
        "cursor=x",
        "cursor=",
        "cursor=%00",
    ],
)
async def test_a_filter_that_cannot_be_meant_is_malformed(world: World, query: str) -> None:
    ada = await world.guest()
    if query == "cursor=":
        assert (await ada.get(f"/v1/games?{query}")).status_code in (200, 400)
        return
    told(await ada.get(f"/v1/games?{query}"), 400, "malformed")


async def test_what_is_no_id_and_what_is_no_game_get_the_same_answer(world: World) -> None:
    game, _ = await world.started_game(visibility="private")
    outsider = await world.guest()
    ids = [
        NOBODY,
        game,
        game.upper(),
        "1",
        "x" * 3_000,
        "%00",
        "%ff",
        "null",
        NOBODY + " ",
        f"{{{NOBODY}}}",
        "٣",
    ]
    for tail in ("", "/events", "/actions"):
        bodies = {(await outsider.get(f"/v1/games/{text}{tail}")).content for text in ids}
        assert len(bodies) == 1
        assert json.loads(bodies.pop())["code"] == "game_not_found"
    for text in ids:
        told(await outsider.command(text, {"type": "reveal"}), 404, "game_not_found")
        told(await outsider.post(f"/v1/games/{text}/seats", {}), 404, "game_not_found")
        told(await outsider.post(f"/v1/games/{text}/start"), 404, "game_not_found")
        answer = await world.http.delete(f"/v1/games/{text}/seats/me", headers=outsider.headers)
        told(answer, 404, "game_not_found")


async def test_the_bare_address_leads_to_the_description(world: World) -> None:
    answer = await world.http.get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/schema")


@pytest.mark.parametrize(
    "path", ["/v1", "/v2/games", "/v1/games/x/nothing", "/metrics", "/schema/x", "/v1/players/me/x", "/%00"]
)
async def test_routes_that_do_not_exist_are_not_found(world: World, path: str) -> None:
    told(await world.http.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("GET", "/v1/players", {"POST", "OPTIONS"}),
        ("POST", "/health/live", {"GET", "HEAD", "OPTIONS"}),
        ("DELETE", f"/v1/games/{NOBODY}", {"GET", "HEAD", "OPTIONS"}),
        ("PATCH", f"/v1/games/{NOBODY}/commands", {"POST", "OPTIONS"}),
        ("BREW", "/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("TRACE", "/v1/games", {"GET", "HEAD", "POST", "OPTIONS"}),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(world: World, method: str, path: str, allowed: set[str]) -> None:
    answer = await world.http.request(method, path)
    told(answer, 405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed


async def test_options_tells_the_methods_without_a_token(world: World) -> None:
    answer = await world.http.options("/v1/games")
    assert (answer.status_code, answer.content) == (204, b"")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST", "OPTIONS"}
    told(await world.http.options("/nowhere"), 404, "not_found")


async def test_head_is_get_without_its_body(world: World) -> None:
    game, callers = await world.started_game()
    whole = await callers[0].get(f"/v1/games/{game}")
    head = await world.http.head(f"/v1/games/{game}", headers=callers[0].headers)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.content))
    assert head.headers["etag"] == whole.headers["etag"]
    closed = await world.http.head(f"/v1/games/{game}")
    assert (closed.status_code, closed.content) == (401, b"")
    assert closed.headers["content-type"] == PROBLEM
    assert (await world.http.head("/v1/tokens")).status_code == 405


async def test_every_answer_forbids_guessing_and_private_ones_forbid_keeping(world: World) -> None:
    ada = await world.guest()
    answers: list[Any] = [
        await ada.get("/v1/players/me"),
        await ada.get("/v1/games"),
        await world.http.get("/v1/players/me"),
        await world.http.get("/nowhere"),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    presets = await world.http.get("/v1/rulesets")
    assert presets.headers["cache-control"].startswith("public")
