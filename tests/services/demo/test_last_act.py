"""The last act of a demo: what is wrong with a file is told, whoever it comes from."""

import asyncio
import io
import random
from pathlib import Path

import pytest
from aiohttp import web
from rich.console import Console

from infra.signing import SigningKeys
from services.api.answers import encode
from services.audit.jwks import jwks
from services.demo.last_act import by_command_line, last_act
from services.identity.messages import TokenPair
from tests.exports import KEYS, OTHERS, golden_export
from tests.services.client.faulty import serving

GAME = "golden-classic-2"


def keys_file(folder: Path, keys: SigningKeys) -> Path:
    path = folder / "keys.json"
    path.write_bytes(encode(jwks(keys.public)))
    return path


def test_the_command_line_is_asked_in_a_process_of_its_own(tmp_path: Path) -> None:
    content = golden_export("classic-2")
    file = tmp_path / "game.jsonl"
    file.write_bytes(content)
    assert by_command_line(file, keys_file(tmp_path, KEYS)).right is True

    found = by_command_line(file, keys_file(tmp_path, OTHERS))
    assert found.right is False
    assert "none of the trusted keys" in found.sentence

    file.write_bytes(content.replace(b'"coins":1', b'"coins":2', 1))
    assert by_command_line(file, keys_file(tmp_path, KEYS)).right is False

    assert by_command_line(tmp_path / "nowhere", keys_file(tmp_path, KEYS)).right is False


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (lambda content: content, "Right: bohnanza verify finds all right, and byte "),
        (lambda content: content[:-1], "Wrong: bohnanza verify says: format Line "),
        (lambda content: content.replace(b"red", b"wax", 1), "Wrong: bohnanza verify says: chain "),
    ],
)
async def test_a_server_that_gives_another_file_is_found_out(spoilt: object, words: str) -> None:
    content = golden_export("classic-2")
    assert callable(spoilt)
    given = spoilt(content)

    async def sign_up(_: web.Request) -> web.Response:
        return web.Response(body=encode(TokenPair("p", "a", "r", 900)), status=201)

    async def export(_: web.Request) -> web.Response:
        return web.Response(body=given)

    async def keys(_: web.Request) -> web.Response:
        return web.Response(body=encode(jwks(KEYS.public)))

    erased: list[str] = []

    async def erase(request: web.Request) -> web.Response:
        erased.append(request.headers["Authorization"])
        return web.Response(status=204)

    def routes(app: web.Application) -> None:
        app.router.add_post("/v1/players", sign_up)
        app.router.add_delete("/v1/players/me", erase)
        app.router.add_get(f"/v1/games/{GAME}/export", export)
        app.router.add_get("/v1/keys", keys)

    screen = io.StringIO()
    async with serving(routes) as url:
        right = await asyncio.to_thread(
            last_act, url, GAME, random.Random(5), Console(file=screen, width=200), browser=False
        )
    assert words in screen.getvalue()
    assert right is (given == content)
    assert erased == ["Bearer a"]


async def test_a_server_without_the_file_is_told() -> None:
    async def nothing(_: web.Request) -> web.Response:
        return web.json_response({"code": "game_not_found", "title": "No", "detail": "No.", "status": 404}, status=404)

    screen = io.StringIO()
    async with serving(lambda app: app.router.add_route("*", "/{path:.*}", nothing)) as url:
        right = await asyncio.to_thread(
            last_act, url, GAME, random.Random(5), Console(file=screen, width=200), browser=False
        )
    assert not right
    assert f"Wrong: There is no file of game {GAME}: " in screen.getvalue()
