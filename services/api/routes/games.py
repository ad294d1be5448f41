"""Creating, finding, joining, leaving and starting games."""

from litestar import delete, get, post
from litestar.params import FromPath
from litestar.types import ASGIApp
from msgspec import UNSET
from msgspec.json import Decoder

from domain.rulesets import RULESETS
from infra.identifiers import is_identifier
from services.api.address import game_id, query
from services.api.answers import answer, encode, not_modified, ready_made
from services.api.body import json_body, optional_json_body
from services.api.conditions import etag, names_version
from services.api.parts import parts_of
from services.api.reference import games as reference
from services.api.requests import ApiRequest, misplaced
from services.api.shapes import GamesQuery
from services.games.requests import JoinRequest, NewGameRequest

_new_game = Decoder(NewGameRequest)
_join = Decoder(JoinRequest)


@post("/games", opt=reference.CREATE_GAME.opt())
async def create_game(request: ApiRequest) -> ASGIApp:
    """A game with the caller as its host on seat 0."""
    parts = parts_of(request)
    wanted = await json_body(request, _new_game, parts.body_limit)
    created = await parts.games.create(request.user, wanted)
    return answer(created, 201, {"Location": f"/v1/games/{created.game}"})


@get("/games", opt=reference.LIST_GAMES.opt())
async def list_games(request: ApiRequest) -> ASGIApp:
    """A page of the games that the caller may know of."""
    wanted = query(request.scope, GamesQuery)
    if wanted.ruleset is not UNSET and wanted.ruleset not in RULESETS:
        raise misplaced("$.ruleset", f"Expected one of {', '.join(RULESETS)}")
    of_player = wanted.player.lower() if wanted.player is not UNSET else None
    if of_player is not None and not is_identifier(of_player):
        raise misplaced("$.player", "Expected the id of a player")
    return answer(
        await parts_of(request).games.games(
            request.user,
            wanted.status or None,
            wanted.ruleset or None,
            of_player,
            wanted.cursor or None,
            wanted.limit,
        )
    )


@get("/games/{game:str}", opt=reference.READ_GAME.opt())
async def read_game(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """The table as the caller sees it, or word that he has it already."""
    game = game_id(game)
    parts = parts_of(request)
    view = await parts.games.view(game, request.user)
    body = encode(view)
    headers = {"ETag": etag(view.version), "Vary": "Authorization"}
    if names_version(request.scope, view.version) and parts.sent_views.unchanged(
        game, request.user, view.version, body
    ):
        return not_modified(headers)
    parts.sent_views.sent(game, request.user, view.version, body)
    return ready_made(body, headers)


@post("/games/{game:str}/seats", opt=reference.JOIN_GAME.opt())
async def join_game(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """The first free seat, or the one that the caller has."""
    game = game_id(game)
    parts = parts_of(request)
    wanted = await optional_json_body(request, _join, parts.body_limit)
    joined = await parts.games.join(game, request.user, wanted.invite, wanted.nonce)
    return answer(joined, 201)


@delete("/games/{game:str}/seats/me", opt=reference.LEAVE_GAME.opt(), status_code=204)
async def leave_game(request: ApiRequest, game: FromPath[str]) -> None:
    """Frees the caller's seat before the start."""
    await parts_of(request).games.leave(game_id(game), request.user)


@post("/games/{game:str}/start", opt=reference.START_GAME.opt(), status_code=200)
async def start_game(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """The host has the cards dealt."""
    return answer(await parts_of(request).games.start(game_id(game), request.user))
