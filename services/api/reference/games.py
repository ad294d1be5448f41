"""Games in the OpenAPI document."""

from typing import Final

from domain.views import View
from services.api.reference.examples import GAME, GAME_ROW, VIEW
from services.api.reference.operation import (
    GAME_PARAMETER,
    Example,
    Operation,
    Parameter,
    ResponseHeader,
)
from services.api.shapes import GamesQuery
from services.games.answers import Created, GameList, Joined
from services.games.requests import JoinRequest, NewGameRequest

CREATE_GAME: Final = Operation(
    id="create_game",
    tag="games",
    limit="requests",
    summary="Create a game",
    description=(
        "You are the host and sit on seat 0. A private game gets an `invite` that lets others in; "
        "it is shown once. Send a `nonce` of your own if you want a part in every shuffle."
    ),
    status=201,
    request=NewGameRequest,
    request_examples={
        "public": Example("A public game for four", {"ruleset": "classic", "seats": 4}),
        "private": Example(
            "A private game that starts by itself when all are there",
            {
                "ruleset": "classic",
                "seats": 3,
                "visibility": "private",
                "options": {"start_when_full": True},
                "nonce": "my own luck",
            },
        ),
        "duel": Example(
            "The game for two with three fields from the start", {"seats": 2, "options": {"duel_fields": 3}}
        ),
    },
    response=Created,
    response_description="The game, its invite if it is private, and what you see of it.",
    response_example={"game": GAME, "invite": None, "view": VIEW},
    response_headers={"Location": ResponseHeader("The new game.", f"/v1/games/{GAME}")},
    problems=("store_unavailable",),
)

LIST_GAMES: Final = Operation(
    id="list_games",
    tag="games",
    summary="List games",
    description=(
        "Public games, and all games in which you sit, newest first. `next` is the `cursor` of the "
        "following page, or null on the last one."
    ),
    query=GamesQuery,
    response=GameList,
    response_description="One page of games.",
    response_example={"games": [GAME_ROW], "next": None},
    problems=("store_unavailable",),
)

READ_GAME: Final = Operation(
    id="read_game",
    tag="games",
    summary="Read a game as you see it",
    description=(
        "The table as it looks from your seat, or to a spectator. The `hand` of another seat is null, "
        "also after the end; then the history (`list_events`) tells every card. `ETag` is the version of "
        "the game; send it in `If-None-Match` to be told that nothing has changed."
    ),
    parameters=(
        GAME_PARAMETER,
        Parameter(
            name="If-None-Match",
            place="header",
            description="The `ETag` that you have.",
            schema={"type": "string"},
            example='"57"',
        ),
    ),
    response=View,
    response_description="What you may see.",
    response_example=VIEW,
    response_headers={"ETag": ResponseHeader("The version of the game.", '"57"')},
    not_modified=True,
    problems=("game_not_found", "history_unreadable", "store_unavailable"),
)

JOIN_GAME: Final = Operation(
    id="join_game",
    tag="games",
    summary="Take a seat",
    description=(
        "Gives you the first free seat. Joining again gives you the same seat. A private game "
        "wants its `invite`; without the right one it does not exist for you."
    ),
    status=201,
    parameters=(GAME_PARAMETER,),
    request=JoinRequest,
    request_optional=True,
    request_examples={
        "public": Example("A public game", {}),
        "private": Example("A private game, with luck of your own", {"invite": "q8Zk", "nonce": "7"}),
    },
    response=Joined,
    response_description="Your seat, and what you see from it.",
    response_example={"seat": 1, "view": {**VIEW, "viewer": 1}},
    problems=("game_not_found", "game_full", "game_not_running", "busy", "history_unreadable", "store_unavailable"),
)

LEAVE_GAME: Final = Operation(
    id="leave_game",
    tag="games",
    summary="Leave before the start",
    description=(
        "Frees your seat. If the host leaves, the game is abandoned. Whoever has left is a stranger: sent again "
        "this is answered with `not_your_seat`, and in a private game with `game_not_found`. If an answer was "
        "lost, take these two for a success."
    ),
    status=204,
    parameters=(GAME_PARAMETER,),
    response_description="Your seat is free.",
    problems=(
        "not_your_seat",
        "game_not_found",
        "already_started",
        "game_not_running",
        "busy",
        "history_unreadable",
        "store_unavailable",
    ),
)

START_GAME: Final = Operation(
    id="start_game",
    tag="games",
    summary="Start the game",
    description="The host starts when every seat is taken: the deck is shuffled and dealt.",
    parameters=(GAME_PARAMETER,),
    response=View,
    response_description="The table after the deal, as you see it.",
    response_example=VIEW,
    problems=(
        "not_your_seat",
        "not_host",
        "game_not_found",
        "seats_open",
        "already_started",
        "game_not_running",
        "busy",
        "history_unreadable",
        "store_unavailable",
    ),
)
