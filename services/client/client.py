"""The API as one player uses it. Every call has a timeout, every answer is decoded into the domain's own structs,
and every command keeps its Idempotency-Key over all retries, so it has one effect.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from types import TracebackType
from typing import Final, Literal, Self, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from domain.commands import Command
from domain.views import View
from services.client.connection import LARGEST_ANSWER, Call, Connection, Interrupted, Request
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience
from services.client.stream import SILENT_SECONDS, AnyFrame, GameFrame, frames, moved_on
from services.client.tokens import Tokens
from services.games.answers import ActionList, Answer, Created, EventItem, EventPage, GameList, Joined
from services.games.requests import JoinRequest, NewGameRequest
from services.identity.messages import NewGuest, RefreshRequest, TokenPair
from services.live.frames import ByeFrame
from services.replay.answers import ReplayStep

T = TypeVar("T")

LARGEST_PAGE: Final = 500
_MOST_RENEWALS: Final = 2

# A seat that is left makes a stranger of its player, to whom a private game does not exist.
_LEFT_ALREADY: Final = {"not_your_seat", "game_not_found"}

_ERASED_ALREADY: Final = {"token_invalid", "refresh_token_invalid"}


class _Alive(Struct):
    status: Literal["alive"]


_encode = msgspec.json.Encoder().encode
_alive = Decoder(_Alive)
_pair = Decoder(TokenPair)
_created = Decoder(Created)
_joined = Decoder(Joined)
_view = Decoder(View)
_answer = Decoder(Answer)
_page = Decoder(EventPage)
_actions = Decoder(ActionList)
_games = Decoder(GameList)
_step = Decoder(ReplayStep)


class Client:
    """Use it in `async with`. Any call may raise Problem, GaveUp or Unreadable."""

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        self._connection = Connection(url, patience or Patience())
        self._tokens = Tokens(self._renew)
        self.replayed = 0
        self.resumed = 0

    def __repr__(self) -> str:
        return f"Client({self._connection.url!r}, player={self.player!r})"

    async def __aenter__(self) -> Self:
        await self._connection.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._tokens.close()
        await self._connection.__aexit__(kind, error, traceback)

    @property
    def player(self) -> str | None:
        """The id of the player; None before the sign-up."""
        return self._tokens.player

    @property
    def calls(self) -> int:
        """Requests that were sent, repeated ones included."""
        return self._connection.calls

    @property
    def retried(self) -> int:
        """Requests that were repeated because no good answer came."""
        return self._connection.retried

    async def alive(self) -> None:
        """Returns if a server is there."""
        asked = Request("GET", "/health/live")
        _decoded(_alive, await self._connection.ask(asked, self._connection.call()), asked)

    async def signing_keys(self) -> bytes:
        """The keys whose signatures are the server's: a JSON Web Key Set."""
        return await self._connection.ask(Request("GET", "/v1/keys"), self._connection.call())

    async def sign_up(self, name: str, locale: str = "en") -> str:
        """A new guest; his player id. A sign-up whose answer is lost leaves a guest behind whom nobody uses."""
        asked = _json("POST", "/v1/players", NewGuest(name, locale))
        pair = _decoded(_pair, await self._connection.ask(asked, self._connection.call()), asked)
        self._tokens.take(pair)
        return pair.player

    def sign_in(self, access_token: str) -> None:
        """Speak for whom that token stands, for as long as it is good: it is not renewed."""
        self._tokens.keep(access_token)

    async def erase(self) -> None:
        """Have this player erased, for good."""
        call = self._connection.call()
        try:
            await self._send(Request("DELETE", "/v1/players/me"), call)
        except Problem as problem:
            # An earlier copy of this very call did it, and its answer was lost.
            if problem.code not in _ERASED_ALREADY or not call.unanswered:
                raise

    async def create_game(self, wanted: NewGameRequest) -> Created:
        """A table with this player as its host. If the answer is lost, the first table stays empty."""
        return await self._call(_created, _json("POST", "/v1/games", wanted))

    async def games(
        self,
        *,
        status: str | None = None,
        ruleset: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = 20,
    ) -> GameList:
        """A page of the games that this player may know of, newest first."""
        wanted = {"status": status, "ruleset": ruleset, "player": player, "cursor": cursor, "limit": str(limit)}
        query = urlencode({name: value for name, value in wanted.items() if value is not None})
        return await self._call(_games, Request("GET", f"/v1/games?{query}"))

    async def join(self, game: str, invite: str | None = None, nonce: str = "") -> Joined:
        """The lowest free seat; the own one, if there is one already."""
        return await self._call(_joined, _json("POST", f"{_at(game)}/seats", JoinRequest(invite, nonce)))

    async def leave(self, game: str) -> None:
        """Give the seat back before the start."""
        call = self._connection.call()
        try:
            await self._send(Request("DELETE", f"{_at(game)}/seats/me"), call)
        except Problem as problem:
            # An earlier copy of this very call did it, and its answer was lost.
            if problem.code not in _LEFT_ALREADY or not call.unanswered:
                raise

    async def start(self, game: str) -> View:
        """Have the cards dealt (host only)."""
        return await self._call(_view, Request("POST", f"{_at(game)}/start"))

    async def view(self, game: str) -> View:
        """The table as this player sees it."""
        return await self._call(_view, Request("GET", _at(game)))

    async def actions(self, game: str) -> ActionList:
        """What this player may do now."""
        return await self._call(_actions, Request("GET", f"{_at(game)}/actions"))

    async def events(self, game: str, after: int = 0, limit: int = LARGEST_PAGE) -> EventPage:
        """A page of the history."""
        return await self._call(_page, Request("GET", f"{_at(game)}/events?after={after}&limit={limit}"))

    async def history(self, game: str, after: int = 0) -> list[EventItem]:
        """All pages of the history."""
        items: list[EventItem] = []
        following: int | None = after
        while following is not None:
            page = await self.events(game, following)
            items += page.events
            if page.next is not None and page.next <= following:
                raise Unreadable(f"The page of events after {following} names {page.next} as the next one.")
            following = page.next
        return items

    async def replay(self, game: str, version: int | None = None, seen_as: int | str | None = None) -> ReplayStep:
        """The table after that version (None: the last one) as a seat, `spectator` or `all` saw it (None: as this
        player)."""
        wanted = {"version": version, "as": seen_as}
        query = urlencode({name: value for name, value in wanted.items() if value is not None})
        return await self._call(_step, Request("GET", f"{_at(game)}/replay{query and '?'}{query}"))

    async def export(self, game: str, largest: int) -> bytes:
        """The whole record of a game that is over, as its file has it; Unreadable if that has more than `largest`
        bytes."""
        return await self._send(Request("GET", f"{_at(game)}/export"), self._connection.call(), largest)

    async def follow(self, game: str, after: int | None = None) -> AsyncIterator[GameFrame]:
        """What happens in a game, for as long as anybody listens: every event after that version once and in order,
        over as many connections as it takes. A view (also the first frame, without `after`) means: begin anew.

        GaveUp when no connection has come about for `patience.total` seconds. Unreadable when the server leaves
        something out.
        """
        version = after
        lost = 0
        until: float | None = None
        while True:
            place = "" if version is None else f"?after={version}"
            pause: float | None = None
            try:
                async with aclosing(self._frames(Request("GET", f"{_at(game)}/stream{place}"))) as told:
                    async for frame in told:
                        lost, until = 0, None
                        if isinstance(frame, ByeFrame):
                            if frame.retry_ms is None:
                                return
                            pause = frame.retry_ms / 1000
                            break
                        version = moved_on(version, frame)
                        yield frame
            except Interrupted as error:
                # The time runs from the last break on, however long nothing had happened before.
                if until is None or error.had_begun:
                    until = self._connection.call().deadline
                elif self._connection.now() > until:
                    raise GaveUp(f"The stream of {game} did not come back: {error}") from error
            lost += 1
            self.resumed += 1
            await asyncio.sleep(self._connection.patience.pause(lost) if pause is None else pause)

    async def _frames(self, request: Request) -> AsyncGenerator[AnyFrame, None]:
        token = await self._tokens.access()
        try:
            async with aclosing(self._connection.stream(_signed(request, token), SILENT_SECONDS)) as chunks:
                async for frame in frames(chunks):
                    yield frame
        except Problem as problem:
            if problem.code != "token_expired" or not self._tokens.renewable:
                raise
            await self._tokens.access_after(token)

    async def send(
        self, game: str, command: Command, *, key: str | None = None, if_version: int | None = None
    ) -> Answer:
        """One move with one effect. `key` continues an earlier call whose answer never came."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if if_version is not None:
            headers["If-Match"] = f'"{if_version}"'
        answer = await self._call(_answer, _json("POST", f"{_at(game)}/commands", command, headers))
        self.replayed += answer.replayed
        return answer

    async def _call(self, decoder: Decoder[T], request: Request) -> T:
        return _decoded(decoder, await self._send(request, self._connection.call()), request)

    async def _send(self, request: Request, call: Call, largest: int = LARGEST_ANSWER) -> bytes:
        token = await self._tokens.access()
        for _ in range(_MOST_RENEWALS):
            try:
                return await self._connection.ask(_signed(request, token), call, largest)
            except Problem as problem:
                if problem.code != "token_expired" or not self._tokens.renewable:
                    raise
            token = await self._tokens.access_after(token)
        return await self._connection.ask(_signed(request, token), call, largest)

    async def _renew(self, refresh_token: str) -> TokenPair:
        asked = _json("POST", "/v1/tokens", RefreshRequest(refresh_token))
        return _decoded(_pair, await self._connection.ask(asked, self._connection.call()), asked)


def _at(game: str) -> str:
    return f"/v1/games/{quote(game, safe='')}"


def _json(method: str, path: str, body: object, headers: dict[str, str] | None = None) -> Request:
    return Request(method, path, _encode(body), {"Content-Type": "application/json", **(headers or {})})


def _signed(request: Request, token: str) -> Request:
    return msgspec.structs.replace(request, headers={**request.headers, "Authorization": f"Bearer {token}"})


def _decoded(decoder: Decoder[T], body: bytes, request: Request) -> T:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"{request}: the answer is not what the API promises: {error}") from error
