"""The use cases of a game: set up a table, sit down, play, look on. What a caller may not know of
does not exist for him."""

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from domain import lobby
from domain.actions import actions
from domain.commands import Command
from domain.decide import decide
from domain.events import Event
from domain.evolve import fold
from domain.history import Record, timestamp
from domain.refusal import Refused
from domain.shuffle import SEED_BYTES
from domain.state import State
from domain.views import View, view
from infra.clock import Clock, Entropy
from infra.event_store import Append, EventStore, GameRow, NewGame, Receipt
from infra.players import PlayerStore
from infra.telemetry import REPLAYED_ANSWERS
from services.games.answers import (
    ActionList,
    Answer,
    Created,
    EventPage,
    GameEntry,
    GameList,
    Joined,
    Seated,
)
from services.games.cache import GameCache
from services.games.errors import (
    CommandRefused,
    GameNotFound,
    KeyReused,
    NotHost,
    NotOffered,
    NotYourSeat,
    StaleVersion,
)
from services.games.live_game import LiveGame, new_records, summary_of
from services.games.names import named, names_of
from services.games.requests import NewGameRequest
from services.games.sealing import Sign
from services.games.shown import shown
from services.games.stored import stored_event
from services.games.writing import Announce, Step, Writer

_INVITE_BYTES: Final = 16

T = TypeVar("T")


class Place(NamedTuple):
    """`seat` is None for who looks on."""

    seat: int | None
    version: int


class Part(NamedTuple):
    """Records in a row; `revealed`: the game is over, and they may be shown to everybody."""

    records: list[Record]
    revealed: bool


def _nobody_hears(_game: str, _happened: Sequence[tuple[Record, Event]]) -> None:
    """Where nothing is live."""


class Games:
    """One instance per process. Every method may raise StoreUnavailable or Contention (both: try
    again, with the same key), and GameNotFound; CommandRefused when the rules say no."""

    def __init__(
        self,
        store: EventStore,
        players: PlayerStore,
        clock: Clock,
        entropy: Entropy,
        *,
        cached_games: int = 2000,
        announce: Announce = _nobody_hears,
        sign: Sign | None = None,
    ) -> None:
        """Without `sign` games end without a seal, and get it when it is first needed."""
        self._store = store
        self._players = players
        self._clock = clock
        self._entropy = entropy
        self._cache = GameCache(store, cached_games)
        self._writer = Writer(store, self._cache, clock, announce, sign)

    async def create(self, player: str, request: NewGameRequest) -> Created:
        """A table with the player as its host on seat 0. NotOffered."""
        seed = self._entropy.token(SEED_BYTES)
        game = str(UUID(bytes=self._entropy.token(16), version=4))
        try:
            events = lobby.create(
                ruleset=request.ruleset,
                seats=request.seats,
                visibility=request.visibility,
                options=request.options,
                host=player,
                seed=seed,
                nonce=request.nonce,
            )
        except ValueError as error:
            raise NotOffered(str(error)) from error
        invite = None
        if request.visibility == "private":
            invite = urlsafe_b64encode(self._entropy.token(_INVITE_BYTES)).decode().rstrip("=")
        # Everything that can fail comes first: once the game is stored, its invite must reach the host.
        state = fold(game, events)
        seen = await named(self._players, view(state, 0))
        start, stored = new_records(state, events, self._clock.now())
        await self._store.create(
            NewGame(
                append=Append(game, 0, stored, summary_of(state), None),
                header_hash=start,
                seed=seed,
                invite_hash=None if invite is None else _hash_of(invite),
            )
        )
        return Created(game, invite, seen)

    async def view(self, game: str, player: str) -> View:
        """The table as that player sees it: from his seat, or as a spectator."""
        live = await self._fresh(game)
        return await named(self._players, view(live.state, _viewer(live.state, player)))

    async def join(self, game: str, player: str, invite: str | None, nonce: str) -> Joined:
        """The lowest free seat; the one that the player has, if he sits there already."""

        def step(live: LiveGame) -> Step:
            seat = live.state.seat_of(player)
            if seat is not None:
                return Step(seat, [])
            if live.state.visibility == "private" and not _opens(live, invite):
                raise GameNotFound
            free = _ruled(live, lambda: lobby.free_seat(live.state))
            return Step(free, lobby.join(live.state, free, player, nonce, live.secrets.seed))

        live = (await self._writer.write(game, step)).live
        seat = live.state.seat_of(player)
        if seat is None:
            raise CommandRefused(Refused("game_full", "The seat was left again."), live.version)
        return Joined(seat, await named(self._players, view(live.state, seat)))

    async def leave(self, game: str, player: str) -> None:
        """Give the seat back before the start. NotYourSeat."""

        def step(live: LiveGame) -> Step:
            seat = _seat(live.state, player)
            return Step(seat, _ruled(live, lambda: lobby.leave(live.state, seat, live.secrets.seed)))

        await self._writer.write(game, step)

    async def start(self, game: str, player: str) -> View:
        """Deal the cards; a game that is running already stays as it is. NotHost."""

        def step(live: LiveGame) -> Step:
            seat = _viewer(live.state, player)
            if seat is None or live.state.host != player:
                raise NotHost(version=live.version)
            if live.state.status == "running":
                return Step(seat, [])
            return Step(seat, _ruled(live, lambda: lobby.start(live.state, live.secrets.seed)))

        live = (await self._writer.write(game, step)).live
        return await named(self._players, view(live.state, _viewer(live.state, player)))

    async def command(self, game: str, player: str, key: str, command: Command, if_version: int | None) -> Answer:
        """One move, once per player and key. NotYourSeat, StaleVersion, KeyReused."""
        fingerprint = hashlib.sha256(msgspec.json.encode(command, order="deterministic")).digest()

        def step(live: LiveGame) -> Step:
            seat = _seat(live.state, player)
            if if_version is not None and if_version != live.version:
                raise StaleVersion(version=live.version)
            events = _ruled(live, lambda: decide(live.state, seat, command, live.secrets.seed))
            receipt = Receipt(player, key, fingerprint, live.version + 1, live.version + len(events))
            return Step(seat, events, receipt)

        async def earlier(live: LiveGame) -> Answer | None:
            receipt = await self._store.receipt(game, player, key)
            if receipt is None:
                return None
            if not hmac.compare_digest(receipt.fingerprint, fingerprint):
                raise KeyReused(version=live.version)
            REPLAYED_ANSWERS.inc()
            count = receipt.last - receipt.first + 1
            stored = await self._store.read(game, receipt.first - 1, count)
            seat = live.state.seat_of(player)
            items = [shown(record, stored_event(game, record), seat, revealed=False) for record in stored]
            return Answer(receipt.last, replayed=True, events=items)

        written = await self._writer.write(game, step, earlier)
        if written.earlier is not None:
            return written.earlier
        # Like the copies of this answer, the first one does not tell what the end of the game reveals.
        items = [shown(record, event, written.seat, revealed=False) for record, event in written.happened]
        return Answer(items[-1].version, replayed=False, events=items)

    async def events(self, game: str, player: str, after: int, limit: int) -> EventPage:
        """A part of the history, as the player may see it: whole only after the end."""
        live = await self._fresh(game)
        viewer = _viewer(live.state, player)
        revealed = live.state.is_over
        version = live.version
        if after >= version:
            return EventPage([], None)
        stored = await self._store.read(game, after, min(limit, version - after))
        items = [shown(record, stored_event(game, record), viewer, revealed=revealed) for record in stored]
        last = stored[-1].version
        return EventPage(items, last if last < version else None)

    async def place(self, game: str, player: str) -> Place:
        """Where the player sits, and how far the game has come."""
        live = await self._fresh(game)
        return Place(_viewer(live.state, player), live.version)

    async def seated(self, game: str) -> list[str | None]:
        """The players by seat; None where nobody or a bot sits."""
        return [seat.player for seat in (await self._fresh(game)).state.seats]

    async def part(self, game: str, player: str, after: int, limit: int) -> Part:
        """A part of the history as it is stored, for a player who may know of the game."""
        live = await self._fresh(game)
        _viewer(live.state, player)
        return Part(await self._store.read(game, after, limit), revealed=live.state.is_over)

    async def actions(self, game: str, player: str) -> ActionList:
        """What the player may do now. NotYourSeat."""
        live = await self._fresh(game)
        seat = _seat(live.state, player)
        return ActionList(live.version, actions(live.state, seat))

    async def games(
        self,
        player: str,
        status: str | None,
        ruleset: str | None,
        of_player: str | None,
        cursor: str | None,
        limit: int,
    ) -> GameList:
        """Games that the player may know of, newest first. NotOffered for a cursor that is none."""
        try:
            page = await self._store.games(
                caller=player, status=status, ruleset=ruleset, player=of_player, cursor=cursor, limit=limit
            )
        except ValueError as error:
            raise NotOffered("The cursor is none of this list; leave it out to begin anew.") from error
        seated = {taken for row in page.rows for taken in row.summary.players if taken is not None}
        names = await names_of(self._players, seated)
        return GameList([_entry(row, names) for row in page.rows], page.next)

    def forget(self, game: str) -> None:
        """What is folded of that game is no longer what the store has."""
        self._cache.forget(game)

    async def _fresh(self, game: str) -> LiveGame:
        """The game with everything that was committed before this call."""
        while True:
            live, new = await self._cache.get(game)
            try:
                if not new:
                    await self._cache.catch_up(live)
            except RuntimeError:
                if live.whole:
                    raise
                # Somebody has broken this copy meanwhile; the next one is read anew.
                continue
            return live


def _viewer(state: State, player: str) -> int | None:
    seat = state.seat_of(player)
    if seat is None and state.visibility == "private":
        raise GameNotFound
    return seat


def _seat(state: State, player: str) -> int:
    seat = _viewer(state, player)
    if seat is None:
        raise NotYourSeat(version=state.version)
    return seat


def _ruled(live: LiveGame, rule: Callable[[], T]) -> T:
    """What the rules say, with the version at which they refuse."""
    try:
        return rule()
    except Refused as refusal:
        raise CommandRefused(refusal, live.version) from refusal


def _opens(live: LiveGame, invite: str | None) -> bool:
    expected = live.secrets.invite_hash
    return invite is not None and expected is not None and hmac.compare_digest(_hash_of(invite), expected)


def _hash_of(invite: str) -> bytes:
    return hashlib.sha256(invite.encode()).digest()


def _entry(row: GameRow, names: dict[str, str]) -> GameEntry:
    summary = row.summary
    return GameEntry(
        game=row.game,
        version=row.version,
        created_at=timestamp(row.created_at),
        status=summary.status,
        ruleset=summary.ruleset,
        seats=summary.seats,
        visibility=summary.visibility,
        host=summary.host,
        players=[None if taken is None else Seated(taken, names[taken]) for taken in summary.players],
    )
