"""Guests, tokens and profiles over HTTP."""

import pytest

from services.identity.keys import parse_keys
from tests.services.api.application import KEY, World, memory_parts, running, standing_clock, told

NOBODY = "00000000-0000-4000-8000-000000000000"


async def test_a_guest_gets_a_pair_of_tokens_and_a_profile(world: World) -> None:
    answer = await world.http.post("/v1/players", json={"name": "  Jürgen ", "locale": "de-AT"})
    assert answer.status_code == 201
    pair = answer.json()
    assert set(pair) == {"player", "access_token", "refresh_token", "expires_in"}
    assert pair["expires_in"] == 900
    assert answer.headers["location"] == f"/v1/players/{pair['player']}"
    assert answer.headers["cache-control"] == "no-store"
    bearer = {"Authorization": f"Bearer {pair['access_token']}"}
    me = (await world.http.get("/v1/players/me", headers=bearer)).json()
    assert (me["player"], me["name"], me["locale"]) == (pair["player"], "Jürgen", "de-AT")
    public = await world.http.get(f"/v1/players/{pair['player']}", headers=bearer)
    assert public.json() == {"player": pair["player"], "name": "Jürgen"}


async def test_a_profile_is_changed_in_part(world: World) -> None:
    ada = await world.guest("Ada")
    changed = await world.http.patch("/v1/players/me", json={"name": "Grace"}, headers=ada.headers)
    assert changed.status_code == 200
    assert (changed.json()["name"], changed.json()["locale"]) == ("Grace", "en")
    changed = await world.http.patch("/v1/players/me", json={"locale": "fr"}, headers=ada.headers)
    assert (changed.json()["name"], changed.json()["locale"]) == ("Grace", "fr")
    same = await world.http.patch("/v1/players/me", json={}, headers=ada.headers)
    assert same.json() == changed.json()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": ""}, "$.name"),
        ({"name": "a\u202eb"}, "$.name"),
        ({"name": "x" * 33}, "$.name"),
        ({"name": 7}, "$.name"),
        ({"name": None}, "$.name"),
        ({"name": "Ada", "locale": "no locale"}, "$.locale"),
        ({"name": "Ada", "admin": True}, "$"),
        ({}, "$"),
        ([], "$"),
    ],
)
async def test_a_bad_name_or_locale_is_named(world: World, body: object, path: str) -> None:
    problem = told(await world.http.post("/v1/players", json=body), 400, "malformed")
    assert problem["errors"][0]["path"] == path


async def test_unknown_players_are_not_found(world: World) -> None:
    ada = await world.guest()
    bodies = {(await ada.get(f"/v1/players/{player}")).content for player in (NOBODY, "me2", "%00", "1", NOBODY + "0")}
    assert len(bodies) == 1
    told(await ada.get(f"/v1/players/{NOBODY}"), 404, "player_not_found")


async def test_every_closed_route_wants_a_token(world: World) -> None:
    open_routes = {("POST", "/v1/players"), ("POST", "/v1/tokens")}
    open_routes |= {("GET", f"/v1/{what}") for what in ("rulesets", "keys", "anchors")}
    tried = 0
    for route in world.app.app.routes:
        path = route.path_format
        for method in ("GET", "POST", "PATCH", "DELETE"):
            if not path.startswith("/v1") or method not in route.methods or (method, path) in open_routes:
                continue
            tried += 1
            url = path.replace("{game}", NOBODY).replace("{player}", NOBODY)
            answer = await world.http.request(method, url)
            told(answer, 401, "token_missing")
            assert answer.headers["www-authenticate"] == "Bearer"
            answer = await world.http.request(method, url, headers={"Authorization": "Bearer nonsense"})
            told(answer, 401, "token_invalid")
            assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert tried == 18


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Basic YTpi", "token"])
async def test_other_credentials_are_no_token(world: World, value: str) -> None:
    told(await world.http.get("/v1/players/me", headers={"Authorization": value}), 401, "token_missing")


async def test_two_tokens_are_no_token(world: World) -> None:
    ada = await world.guest()
    twice = [("Authorization", f"Bearer {ada.access_token}")] * 2
    told(await world.http.get("/v1/players/me", headers=twice), 401, "token_missing")


async def test_an_expired_token_says_so(world: World) -> None:
    ada = await world.guest()
    world.clock.advance(906)
    answer = await ada.get("/v1/players/me")
    told(answer, 401, "token_expired")
    assert "www-authenticate" in answer.headers


async def test_a_refresh_token_gives_the_next_pair(world: World) -> None:
    ada = await world.guest()
    world.clock.advance(1_000)
    answer = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
    assert answer.status_code == 201
    pair = answer.json()
    assert pair["player"] == ada.player
    assert pair["refresh_token"] != ada.refresh_token
    ada.access_token = pair["access_token"]
    assert (await ada.get("/v1/players/me")).status_code == 200


async def test_a_refresh_token_used_twice_ends_its_family(world: World) -> None:
    ada = await world.guest()
    first = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
    stolen = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
    told(stolen, 401, "refresh_token_invalid")
    after = await world.http.post("/v1/tokens", json={"refresh_token": first.json()["refresh_token"]})
    told(after, 401, "refresh_token_invalid")


async def test_wrong_and_late_refresh_tokens_get_one_and_the_same_answer(world: World) -> None:
    ada = await world.guest()
    grace = await world.guest()
    forged = grace.refresh_token[:44] + ada.refresh_token[44:]
    wrong = ["", "nonsense", ada.access_token[:200], forged, "A" * 86]
    bodies = {(await world.http.post("/v1/tokens", json={"refresh_token": text})).content for text in wrong}
    world.clock.advance(91 * 86_400)
    late = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
    told(late, 401, "refresh_token_invalid")
    assert bodies == {late.content}


async def test_keys_are_changed_in_a_running_world() -> None:
    clock = standing_clock()
    parts = memory_parts(clock)
    async with running(parts, clock=clock) as before:
        ada = await before.guest()
    rotated = memory_parts(clock, f"{'n' * 32},{KEY}")
    async with running(parts, clock=clock, access=rotated.access) as after:
        ada.http = after.http
        assert (await ada.get("/v1/players/me")).status_code == 200
    assert parse_keys(KEY).signing.kid != rotated.access.issue(ada.player)


async def test_a_token_of_a_player_who_does_not_exist_is_not_valid(world: World) -> None:
    ada = await world.guest()
    ada.access_token = world.parts.access.issue(NOBODY)
    told(await ada.get("/v1/players/me"), 401, "token_invalid")
    answer = await world.http.patch("/v1/players/me", json={"name": "Eve"}, headers=ada.headers)
    told(answer, 401, "token_invalid")
