"""Guests, their tokens and tickets, and their profiles."""

from litestar import delete, get, patch, post
from litestar.params import FromPath
from litestar.types import ASGIApp
from msgspec import UNSET
from msgspec.json import Decoder

from infra.players import Player
from services.api.address import player_id
from services.api.answers import answer
from services.api.body import json_body
from services.api.parts import parts_of
from services.api.problems import ApiError, FieldError
from services.api.reference import players as reference
from services.api.requests import ApiRequest
from services.api.shapes import Profile, ProfileChange, PublicProfile
from services.identity.access import TokenInvalid
from services.identity.messages import NewGuest, RefreshRequest
from services.identity.names import LocaleRefused, NameRefused, guest_name, locale_tag

_new_guest = Decoder(NewGuest)
_refresh_request = Decoder(RefreshRequest)
_profile_change = Decoder(ProfileChange)


@post("/players", opt=reference.CREATE_PLAYER.opt())
async def create_player(request: ApiRequest) -> ASGIApp:
    """A new guest, signed in."""
    parts = parts_of(request)
    wanted = await json_body(request, _new_guest, parts.body_limit)
    pair = await parts.sessions.guest(_name(wanted.name), _locale(wanted.locale))
    return answer(pair, 201, {"Location": f"/v1/players/{pair.player}"})


@post("/tokens", opt=reference.CREATE_TOKENS.opt())
async def create_tokens(request: ApiRequest) -> ASGIApp:
    """The next pair of tokens for an unused refresh token."""
    parts = parts_of(request)
    wanted = await json_body(request, _refresh_request, parts.body_limit)
    return answer(await parts.sessions.refresh(wanted.refresh_token), 201)


@post("/tickets", opt=reference.CREATE_TICKET.opt())
async def create_ticket(request: ApiRequest) -> ASGIApp:
    """What opens one stream where no header can be set."""
    return answer(await parts_of(request).tickets.issue(request.user), 201)


@get("/players/me", opt=reference.READ_ME.opt())
async def read_me(request: ApiRequest) -> ASGIApp:
    """The caller's own profile."""
    player = await parts_of(request).players.get(request.user)
    return answer(_profile(player))


@patch("/players/me", opt=reference.CHANGE_ME.opt())
async def change_me(request: ApiRequest) -> ASGIApp:
    """Another name, another language, or both."""
    parts = parts_of(request)
    change = await json_body(request, _profile_change, parts.body_limit)
    name = None if change.name is UNSET else _name(change.name)
    locale = None if change.locale is UNSET else _locale(change.locale)
    return answer(_profile(await parts.players.rename(request.user, name, locale)))


@delete("/players/me", opt=reference.ERASE_ME.opt(), status_code=204)
async def erase_me(request: ApiRequest) -> None:
    """Nothing is kept of the caller but an id in the games."""
    await parts_of(request).erasures.erase(request.user)


@get("/players/{player:str}", opt=reference.READ_PLAYER.opt())
async def read_player(request: ApiRequest, player: FromPath[str]) -> ASGIApp:
    """What everybody may know of a player."""
    found = await parts_of(request).players.get(player_id(player))
    if found is None:
        raise ApiError(code="player_not_found")
    return answer(PublicProfile(found.player, found.name))


def _profile(player: Player | None) -> Profile:
    if player is None:
        # The signature is good and there is no such player: a token from another database.
        raise TokenInvalid
    return Profile(player.player, player.name, player.locale, player.created_at)


def _name(text: str) -> str:
    try:
        return guest_name(text)
    except NameRefused as error:
        raise ApiError(code="malformed", detail=str(error), errors=[FieldError("$.name", str(error))]) from None


def _locale(text: str) -> str:
    try:
        return locale_tag(text)
    except LocaleRefused as error:
        raise ApiError(code="malformed", detail=str(error), errors=[FieldError("$.locale", str(error))]) from None
