"""The API as it always is, and beside it a route that does nothing, to compare with."""

from litestar import post
from litestar.types import ASGIApp
from msgspec.json import Decoder

from domain.commands import Command
from services.api import main
from services.api.address import game_id
from services.api.answers import answer
from services.api.body import json_body
from services.api.conditions import idempotency_key, if_version
from services.api.envelope import Envelope
from services.api.parts import parts_of
from services.api.requests import ApiRequest
from services.games.answers import Answer

_command: Decoder[Command] = Decoder(Command)


@post("/games/{game:str}/nothing", include_in_schema=False, status_code=200)
async def do_nothing(request: ApiRequest, game: str) -> ASGIApp:
    """Takes a command exactly as the real route does, and drops it."""
    idempotency_key(request.scope)
    if_version(request.scope)
    game_id(game)
    await json_body(request, _command, parts_of(request).body_limit)
    return answer(Answer(0, replayed=False, events=[]))


def create() -> Envelope:
    """For uvicorn."""
    return main.create(extra_handlers=[do_nothing])
