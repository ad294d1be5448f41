"""Whatever is sent: never a 5xx, always a problem document, and a game that no failed request changed."""

import json
from typing import Any, Final
from urllib.parse import quote
from zlib import crc32

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.api.catalogue import KINDS
from tests.services.api.application import PROBLEM, Caller, World

# The fixture's application serves every example: what one of them breaks, the next ones find.
FUZZ: Final = settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

METHODS: Final = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", ""]
PATHS: Final = [
    "/v1/players",
    "/v1/tokens",
    "/v1/tickets",
    "/v1/players/me",
    "/v1/players/{id}",
    "/v1/rulesets",
    "/v1/games",
    "/v1/games/{id}",
    "/v1/games/{id}/seats",
    "/v1/games/{id}/seats/me",
    "/v1/games/{id}/start",
    "/v1/games/{id}/actions",
    "/v1/games/{id}/commands",
    "/v1/games/{id}/events",
    "/v1/games/{id}/replay",
    "/health/live",
    "/health/ready",
    "/schema",
    "/schema/openapi.json",
    "/schema/{id}",
    "/{id}",
]
FIELDS: Final = [
    *("type", "card", "field", "to", "give", "want", "want_cards", "answers", "offer", "name", "locale"),
    *("refresh_token", "ruleset", "seats", "visibility", "clock", "options", "nonce", "invite", "start_when_full"),
]
WORDS: Final = [
    *("plant", "reveal", "offer", "accept", "reject", "withdraw", "end_trading", "harvest", "buy_field"),
    *("discard", "end_turn", "classic", "public", "private", "red", "wax", "en"),
]

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.integers(),
    st.sampled_from([2**31 - 1, 2**31, 2**53, 2**63, 2**64, 10**400]),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=20),
    st.text(st.characters(categories=["Cs", "Cc", "Cf"]), max_size=3),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(st.one_of(st.sampled_from(FIELDS), st.text(max_size=8)), inner, max_size=6),
    ),
    max_leaves=12,
)
objects = st.dictionaries(st.sampled_from(FIELDS), values, max_size=6)
bodies = st.one_of(
    st.just(b""),
    st.binary(max_size=200),
    st.builds(lambda value: json.dumps(value).encode(), st.one_of(values, objects)),
    st.builds(
        lambda opener, depth: opener * depth, st.sampled_from([b"[", b'{"a":', b'{"give":[']), st.integers(1, 1_800)
    ),
    st.builds(lambda size: b'{"name":"' + b"x" * size + b'"}', st.integers(0, 20_000)),
)
latin = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=30)
headers = st.fixed_dictionaries(
    {},
    optional={
        "content-type": st.one_of(st.just("application/json"), latin),
        "content-encoding": latin,
        "idempotency-key": st.one_of(st.just("key"), latin),
        "if-match": st.one_of(st.just('"3"'), latin),
        "if-none-match": st.one_of(st.just('"3"'), latin),
        "origin": latin,
        "host": latin,
        "range": latin,
        "expect": latin,
    },
)
ids = st.one_of(st.just("{game}"), st.just("{other}"), st.text(max_size=40).map(lambda text: quote(text, safe="")))
queries = st.one_of(
    st.just(""),
    st.dictionaries(
        st.sampled_from(["after", "limit", "status", "ruleset", "player", "cursor", "version", "as", "x"]),
        st.one_of(st.integers().map(str), st.sampled_from(["spectator", "all", "0", "1"]), st.text(max_size=12)),
        max_size=3,
    ).map(lambda pairs: "?" + "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs.items())),
    st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=20).map("?".__add__),
)
tokens = st.one_of(st.just("Bearer {token}"), st.just("Bearer {outsider}"), latin, st.just(None))


@pytest.fixture
async def table(world: World) -> tuple[str, Caller, Caller]:
    """One running game for all examples, one of its players, and somebody who looks on."""
    game, callers = await world.started_game()
    return game, callers[0], await world.guest("Outsider")


def check(answer: httpx.Response, method: str) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code < 400:
        return
    assert answer.headers["content-type"] == PROBLEM
    assert answer.headers["x-content-type-options"] == "nosniff"
    if method != "HEAD":
        problem: dict[str, Any] = answer.json()
        assert problem["status"] == answer.status_code
        assert KINDS[problem["code"]].status == answer.status_code


@FUZZ
@given(
    method=st.sampled_from(METHODS),
    path=st.sampled_from(PATHS),
    identifier=ids,
    query=queries,
    token=tokens,
    header=headers,
    body=bodies,
)
async def test_any_method_on_any_path_with_anything(
    world: World,
    table: tuple[str, Caller, Caller],
    method: str,
    path: str,
    identifier: str,
    query: str,
    token: str | None,
    header: dict[str, str],
    body: bytes,
) -> None:
    game, player, outsider = table
    known = identifier.replace("{game}", game).replace("{other}", player.player)
    sent = {name.encode(): value.encode("latin-1") for name, value in header.items()}
    if token is not None:
        credentials = token.replace("{token}", player.access_token).replace("{outsider}", outsider.access_token)
        sent[b"authorization"] = credentials.encode("latin-1")
    before = await player.version(game)
    answer = await world.http.request(
        method, path.replace("{id}", known) + query, content=body, headers=list(sent.items())
    )
    check(answer, method)
    if answer.status_code >= 400:
        assert await player.version(game) == before


@FUZZ
@given(command=st.one_of(objects, values), body=st.one_of(st.none(), bodies))
async def test_anything_as_a_command(
    world: World, table: tuple[str, Caller, Caller], command: Any, body: bytes | None
) -> None:
    game, player, outsider = table
    before = await player.version(game)
    content = json.dumps(command).encode() if body is None else body
    for caller, may_play in ((player, True), (outsider, False)):
        answer = await world.http.post(
            f"/v1/games/{game}/commands",
            content=content,
            headers={**caller.headers, "Content-Type": "application/json", "Idempotency-Key": f"k{crc32(content)}"},
        )
        check(answer, "POST")
        assert may_play or answer.status_code in (400, 403, 413)
        if answer.status_code >= 400:
            assert await player.version(game) == before
        before = await player.version(game)


@FUZZ
@given(body=st.one_of(objects, st.fixed_dictionaries({"name": leaves}, optional={"locale": leaves})))
async def test_anything_as_a_guest_a_game_or_a_token(
    world: World, table: tuple[str, Caller, Caller], body: dict[str, Any]
) -> None:
    _, player, _ = table
    content = json.dumps(body).encode()
    for path in ("/v1/players", "/v1/games", "/v1/tokens"):
        answer = await world.http.post(
            path, content=content, headers={**player.headers, "Content-Type": "application/json"}
        )
        check(answer, "POST")
