"""Playing: commands, what they brought about, and what may be done next."""

from litestar import get, post
from litestar.params import FromPath
from litestar.types import ASGIApp
from msgspec.json import Decoder

from domain.commands import Command
from services.api.address import game_id, query
from services.api.answers import answer
from services.api.body import json_body
from services.api.conditions import idempotency_key, if_version
from services.api.parts import parts_of
from services.api.reference import play as reference
from services.api.requests import ApiRequest
from services.api.shapes import EventsQuery

_command: Decoder[Command] = Decoder(Command)


@get("/games/{game:str}/actions", opt=reference.LIST_ACTIONS.opt())
async def list_actions(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """What the caller may do at this version."""
    return answer(await parts_of(request).games.actions(game_id(game), request.user))


@post("/games/{game:str}/commands", opt=reference.SEND_COMMAND.opt(), status_code=200)
async def send_command(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """One move, with one effect however often it arrives."""
    parts = parts_of(request)
    scope = request.scope
    key = idempotency_key(scope)
    expected = if_version(scope)
    game = game_id(game)
    command = await json_body(request, _command, parts.body_limit)
    return answer(await parts.games.command(game, request.user, key, command, expected))


@get("/games/{game:str}/events", opt=reference.LIST_EVENTS.opt())
async def list_events(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """A page of the history as the caller may see it."""
    game = game_id(game)
    wanted = query(request.scope, EventsQuery)
    return answer(await parts_of(request).games.events(game, request.user, wanted.after, wanted.limit))
