"""Guests, tokens, tickets and profiles in the OpenAPI document."""

from typing import Final

from infra.players import SOMEONE
from services.api.reference.operation import PLAYER_PARAMETER, Example, Operation, ResponseHeader
from services.api.shapes import Profile, ProfileChange, PublicProfile
from services.identity.messages import NewGuest, NewTicket, RefreshRequest, TokenPair

_PLAYER: Final = PLAYER_PARAMETER.example
_ACCESS: Final = "eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiI..."
_REFRESH: Final = "C55sHi9DTVaae4ydDh8qOw..."
_PAIR: Final = {
    "player": _PLAYER,
    "access_token": _ACCESS,
    "refresh_token": _REFRESH,
    "expires_in": 900,
}
_PROFILE: Final = {
    "player": _PLAYER,
    "name": "Ada",
    "locale": "en",
    "created_at": "2026-11-30T05:11:35.123456Z",
}

CREATE_PLAYER: Final = Operation(
    id="create_player",
    tag="players",
    limit="requests",
    summary="Become a guest",
    description="Makes a player and signs him in. Names need not be unique; the id is what counts.",
    status=201,
    public=True,
    request=NewGuest,
    request_examples={
        "guest": Example("A name is enough", {"name": "Ada"}),
        "with_locale": Example("With a language", {"name": "Jürgen", "locale": "de-AT"}),
    },
    response=TokenPair,
    response_description="The player and his first pair of tokens.",
    response_example=_PAIR,
    response_headers={"Location": ResponseHeader("The new player.", f"/v1/players/{_PLAYER}")},
    problems=("store_unavailable",),
)

CREATE_TOKENS: Final = Operation(
    id="create_tokens",
    tag="players",
    limit="requests",
    summary="Get a new pair of tokens",
    description=(
        "Exchanges a refresh token for a new pair. A refresh token works once: store the new pair "
        "before you use it. One that comes a second time may have been stolen, and ends all tokens that "
        "grew out of the same sign-in, by design. So if the answer to this is lost, the next try may be "
        "refused with `refresh_token_invalid`: sign in anew with `POST /v1/players`."
    ),
    status=201,
    public=True,
    request=RefreshRequest,
    request_examples={"refresh": Example("The token kept", {"refresh_token": _REFRESH})},
    response=TokenPair,
    response_description="The next pair. The old refresh token is used up.",
    response_example=_PAIR,
    problems=("refresh_token_invalid", "store_unavailable"),
)

CREATE_TICKET: Final = Operation(
    id="create_ticket",
    tag="players",
    limit="requests",
    summary="Get a ticket for a stream",
    description=(
        "For a client that cannot set headers, like a browser's EventSource and WebSocket: open the stream with "
        "`?ticket=...` in place of the access token. A ticket is good once, for you, for `expires_in` seconds; get "
        "a new one each time that you connect. Where an `Authorization` header can be set, send that and no ticket."
    ),
    status=201,
    response=NewTicket,
    response_description="The ticket. Nothing keeps it from being used by whoever has it, so keep it to yourself.",
    response_example={"ticket": "C55sHi9DTVaae4ydDh8qOw...", "expires_in": 30},
    problems=("store_unavailable",),
)

READ_ME: Final = Operation(
    id="read_me",
    tag="players",
    summary="Read your profile",
    description="The profile of the player whose access token this is.",
    response=Profile,
    response_description="Your profile.",
    response_example=_PROFILE,
    problems=("store_unavailable",),
)

CHANGE_ME: Final = Operation(
    id="change_me",
    tag="players",
    summary="Change your name or language",
    description="Changes what is sent and leaves the rest. Running games show the new name.",
    request=ProfileChange,
    request_examples={
        "name": Example("Another name", {"name": "Grace"}),
        "locale": Example("Another language", {"locale": "fr"}),
    },
    response=Profile,
    response_description="Your profile after the change.",
    response_example={**_PROFILE, "name": "Grace"},
    problems=("store_unavailable",),
)

ERASE_ME: Final = Operation(
    id="erase_me",
    tag="players",
    summary="Have yourself erased",
    description=(
        "Removes your name and language, all your tokens and tickets, and the keys of your commands. Within five "
        "seconds no access token of yours is good on any server, and your streams end. You leave the games that have "
        "not begun; one that you host is abandoned. In a game that has, your seat stays, held by "
        f"`{SOMEONE}`, and nobody plays it: as soon as the game waits for that seat the others cannot go on. The "
        f"history of a game is never changed: it knows you by your id, which is shown as `{SOMEONE}` from now on, and "
        "it keeps a `nonce` that you gave, so write no name into one.\n\nThere is no way back. Once it is done, sent "
        "again this is answered with `token_invalid`: if the answer was lost, take that for a success."
    ),
    status=204,
    response_description="You are erased.",
    problems=("store_unavailable",),
)

READ_PLAYER: Final = Operation(
    id="read_player",
    tag="players",
    summary="Read somebody's public profile",
    description="What everybody may know of a player. Who was erased is not found.",
    parameters=(PLAYER_PARAMETER,),
    response=PublicProfile,
    response_description="The public profile.",
    response_example={"player": _PLAYER, "name": "Ada"},
    problems=("player_not_found", "store_unavailable"),
)
