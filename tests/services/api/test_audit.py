"""Exports, audits and keys over HTTP: only after the end, only for those who may know of the game, and always the same
bytes."""

import gzip
import json
from pathlib import Path

import pytest

from domain.audit import CHECKS
from services.audit.files import check_file
from services.audit.signatures import signature_of
from tests.exports import KEYS
from tests.services.api.application import World, told
from tests.services.api.finished import finished_game

JSON_LINES = "application/jsonl"


@pytest.mark.parametrize(("seats", "ruleset"), [(2, "classic"), (4, "classic"), (3, "boonanza")])
async def test_a_finished_game_is_a_file_that_is_right(world: World, tmp_path: Path, seats: int, ruleset: str) -> None:
    game, players = await finished_game(world, seats, ruleset=ruleset)

    answer = await players[0].get(f"/v1/games/{game}/export")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == JSON_LINES
    assert answer.headers["content-disposition"] == f'attachment; filename="bohnanza-{game}.jsonl"'
    path = tmp_path / "game.jsonl"
    path.write_bytes(answer.content)
    verdict = check_file(path, signature_of(KEYS.public))
    assert [check for check in verdict.checks if not check.ok] == []
    assert (verdict.game, verdict.events) == (game, await players[0].version(game))


async def test_everybody_gets_the_same_bytes_from_every_process_and_after_a_change_of_keys(world: World) -> None:
    game, players = await finished_game(world)
    first = (await players[0].get(f"/v1/games/{game}/export")).content
    stranger = await world.guest("Nobody")
    assert (await stranger.get(f"/v1/games/{game}/export")).content == first
    assert (await players[1].get(f"/v1/games/{game}/export")).content == first


async def test_the_answer_may_be_kept_for_ever(world: World) -> None:
    game, players = await finished_game(world)
    path = f"/v1/games/{game}/export"
    answer = await players[0].get(path, accept_encoding="identity")
    head = json.loads(answer.content.splitlines()[-1])["head"]

    assert answer.headers["etag"] == f'"{head}"'
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding, Authorization"

    again = await players[0].get(path, if_none_match=answer.headers["etag"], accept_encoding="identity")
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == answer.headers["etag"]
    other = await players[0].get(path, if_none_match='"' + "0" * 64 + '"', accept_encoding="identity")
    assert other.status_code == 200


async def test_it_is_compressed_when_asked_for_and_tagged_as_another_representation(world: World) -> None:
    game, players = await finished_game(world)
    path = f"/v1/games/{game}/export"
    plain = await players[0].get(path, accept_encoding="identity")

    async with world.http.stream("GET", path, headers={**players[0].headers, "Accept-Encoding": "gzip"}) as answer:
        packed = b"".join([part async for part in answer.aiter_raw()])

    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["etag"] != plain.headers["etag"]
    assert gzip.decompress(packed) == plain.content
    assert len(packed) < len(plain.content) / 3
    again = await players[0].get(path, accept_encoding="gzip", if_none_match=answer.headers["etag"])
    assert again.status_code == 304
    uncompressed = await players[0].get(path, accept_encoding="identity", if_none_match=answer.headers["etag"])
    assert uncompressed.status_code == 200


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("*", True),
        ("X-GZIP", True),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, *", False),
        ("*;q=0", False),
        ("identity, gzip;q=0.2", False),
        ("br", False),
        ("nonsense;;q=", False),
        ("", False),
    ],
)
async def test_what_the_client_would_rather_have(world: World, accepted: str, is_packed: bool) -> None:
    game, players = await finished_game(world)
    answer = await players[0].get(f"/v1/games/{game}/export", accept_encoding=accepted)
    assert answer.status_code == 200
    assert ("content-encoding" in answer.headers) is is_packed


async def test_head_gives_the_headers_alone(world: World) -> None:
    game, players = await finished_game(world)
    path = f"/v1/games/{game}/export"
    whole = await players[0].get(path)
    head = await world.http.head(path, headers=players[0].headers)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]


@pytest.mark.parametrize("what", ["export", "audit"])
async def test_a_game_that_is_not_over_is_not_told(world: World, what: str) -> None:
    game, players = await world.started_game(3)
    running_one = told(await players[0].get(f"/v1/games/{game}/{what}"), 409, "game_running")
    assert running_one["version"] == await players[0].version(game)
    opened = (await players[0].post("/v1/games", {"seats": 3})).json()["game"]
    told(await players[0].get(f"/v1/games/{opened}/{what}"), 409, "game_running")


@pytest.mark.parametrize("what", ["export", "audit"])
async def test_an_abandoned_game_is_a_file_too(world: World, tmp_path: Path, what: str) -> None:
    host = await world.guest()
    game = (await host.post("/v1/games", {"seats": 3})).json()["game"]
    await world.http.request("DELETE", f"/v1/games/{game}/seats/me", headers=host.headers)

    answer = await host.get(f"/v1/games/{game}/{what}")

    assert answer.status_code == 200
    if what == "audit":
        assert answer.json()["ok"], answer.json()
    else:
        path = tmp_path / "abandoned.jsonl"
        path.write_bytes(answer.content)
        assert check_file(path, signature_of(KEYS.public)).ok


@pytest.mark.parametrize("what", ["export", "audit"])
async def test_a_private_game_is_known_to_its_players_alone(world: World, what: str) -> None:
    game, players = await finished_game(world, visibility="private")
    stranger = await world.guest("Nobody")
    told(await stranger.get(f"/v1/games/{game}/{what}"), 404, "game_not_found")
    answer = await players[1].get(f"/v1/games/{game}/{what}")
    assert answer.status_code == 200
    if what == "export":
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"


@pytest.mark.parametrize("what", ["export", "audit"])
async def test_a_running_private_game_is_not_even_told_to_run(world: World, what: str) -> None:
    game, _ = await world.started_game(3, visibility="private")
    stranger = await world.guest("Nobody")
    told(await stranger.get(f"/v1/games/{game}/{what}"), 404, "game_not_found")
    told(await stranger.get(f"/v1/games/{'0' * 8}/{what}"), 404, "game_not_found")
    told(await world.http.get(f"/v1/games/{game}/{what}"), 401, "token_missing")


async def test_an_audit_makes_every_check(world: World) -> None:
    game, players = await finished_game(world)
    audit = (await players[0].get(f"/v1/games/{game}/audit")).json()
    assert audit["ok"] is True
    assert [check["name"] for check in audit["checks"]][: len(CHECKS)] == list(CHECKS)
    assert all(set(check) == {"name", "ok", "detail"} and check["ok"] for check in audit["checks"])


async def test_the_keys_are_a_set_that_anybody_may_read(world: World) -> None:
    answer = await world.http.get("/v1/keys")
    key = KEYS.public[0]
    assert answer.json() == {
        "keys": [{"kty": "OKP", "crv": "Ed25519", "kid": key, "x": key, "use": "sig", "alg": "EdDSA"}]
    }
