"""Watching games: who may watch what, who is there, and an orderly end."""

import asyncio
import logging
from collections import Counter, defaultdict
from contextlib import suppress
from typing import Final

from infra.event_store import StoreFault, StoreUnavailable
from infra.presence import PRESENCE_SECONDS, Presence
from infra.telemetry import LIVE_FAULTS
from services.games.errors import GameError, TooManyStreams
from services.games.games import Games
from services.live.background import Background
from services.live.frames import presence_frame
from services.live.retry import retry_ms
from services.live.room import Room
from services.live.rooms import Rooms
from services.live.watcher import Watcher

MOST_STREAMS: Final = 20
"""One player, in one process: tabs and devices, and some that were cut off and are not missed yet."""

RENEWALS: Final = 15
"""In so many steps, a second each, a process says of all its watchers that they are still there."""

_STEP_SECONDS: Final = PRESENCE_SECONDS / 3 / RENEWALS
"""Whoever is not heard of for three rounds is forgotten."""

_TOGETHER_SECONDS: Final = 0.05
"""What comes and goes within it is told at once."""

_AT_ONCE: Final = 32
_PARTING_SECONDS: Final = 1.0

logger = logging.getLogger("bohnanza.live")


class Live:
    """One instance per process. `origin` stands for this process in Redis."""

    def __init__(self, games: Games, rooms: Rooms, presence: Presence, origin: str) -> None:
        self._games = games
        self._rooms = rooms
        self._presence = presence
        self._origin = origin
        self._streams: Counter[str] = Counter()
        self._here: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._watchers: set[Watcher] = set()
        self._alone = asyncio.Event()
        self._alone.set()
        self._changed: set[Room] = set()
        self._looking: set[Room] = set()
        self._background = Background(logger, "A fault behind the streams", LIVE_FAULTS)
        self._keeper: asyncio.Task[None] | None = None
        self._is_closing = False
        rooms.noticed = self._look_who_is_there
        rooms.forgotten = games.forget

    async def open(self) -> None:
        """Begin."""
        await self._rooms.open()
        self._keeper = self._background.start(self._keep_for_ever())

    async def say_bye(self, seconds: float) -> None:
        """Every stream ends with a `bye`, and so does each that is opened from now on. Returns when all have ended,
        or after so many seconds."""
        self._is_closing = True
        self._end_all()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._alone.wait()

    async def close(self) -> None:
        """End; after `say_bye`, and when the streams are gone or given up."""
        if self._keeper is not None:
            self._keeper.cancel()
        # Whoever has gone is to be told so, or he would seem to be there for a while.
        await self._background.settle(_PARTING_SECONDS)
        await self._background.close()
        await self._rooms.close()

    @property
    def is_working(self) -> bool:
        """As Rooms.is_working, and nobody has told it to end."""
        keeps = self._keeper is not None and not self._keeper.done()
        return keeps and self._rooms.is_working and not self._is_closing

    async def watch(self, game: str, player: str, after: int | None) -> Watcher:
        """To be given back to `leave`, whatever happens. `after` is the version that the client has come to; one that
        does not exist yet is as good as none. GameNotFound, TooManyStreams, HistoryUnreadable, StoreUnavailable,
        StoreFault."""
        if self._streams[player] >= MOST_STREAMS:
            raise TooManyStreams
        self._streams[player] += 1
        try:
            return await self._watch(game, player, after)
        except BaseException:
            self._one_less(player)
            raise

    def leave(self, watcher: Watcher) -> None:
        """He watches no more."""
        room, player = watcher.room, watcher.player
        self._watchers.discard(watcher)
        if not self._watchers:
            self._alone.set()
        if not self._rooms.leave(room, watcher):
            return
        self._one_less(player)
        here = self._here[room.game]
        here[player] -= 1
        if not here[player]:
            del here[player]
            if not here:
                del self._here[room.game]
            self._background.start(self._tell(room, player))

    def end_streams(self, player: str) -> None:
        """That player may watch no longer."""
        for watcher in tuple(self._watchers):
            if watcher.player == player:
                watcher.end(None)

    async def _watch(self, game: str, player: str, after: int | None) -> Watcher:
        place = await self._games.place(game, player)
        if after is not None and after > place.version:
            after = None
        room = self._rooms.room(game)
        watcher = Watcher(self._games, room, player, place, after)
        await self._rooms.enter(room, watcher)
        self._watchers.add(watcher)
        self._alone.clear()
        if self._is_closing:
            watcher.end(retry_ms())
        self._here[game][player] += 1
        if self._here[game][player] == 1:
            self._background.start(self._tell(room, player))
        return watcher

    def _one_less(self, player: str) -> None:
        self._streams[player] -= 1
        if not self._streams[player]:
            del self._streams[player]

    def _is_here(self, game: str, player: str) -> bool:
        return game in self._here and player in self._here[game]

    async def _tell(self, room: Room, player: str) -> None:
        """Whether he is here or not, as it is when all is said: one word may overtake another on the way."""
        member = f"{player}/{self._origin}"
        told: bool | None = None
        while told != (is_here := self._is_here(room.game, player)):
            if is_here:
                await self._presence.arrive(room.game, member)
            else:
                await self._presence.leave(room.game, member)
            told = is_here
        self._rooms.came_or_went(room.game)
        self._look_who_is_there(room)

    def _look_who_is_there(self, room: Room) -> None:
        """Soon, once for all that happens until then, and once more for what happens while it is looked."""
        self._changed.add(room)
        if room not in self._looking:
            self._looking.add(room)
            self._background.start(self._look_until_nothing_changes(room))

    async def _look_until_nothing_changes(self, room: Room) -> None:
        try:
            while room in self._changed:
                await asyncio.sleep(_TOGETHER_SECONDS)
                self._changed.discard(room)
                if room.watchers:
                    await self._look(room)
        finally:
            self._looking.discard(room)
            self._changed.discard(room)

    async def _look(self, room: Room) -> None:
        members = await self._presence.present(room.game)
        # Those who are connected here are known also without Redis, and to one that has lost its memory.
        here = set(self._here.get(room.game, ()))
        there = here | {member.partition("/")[0] for member in members or ()}
        try:
            seated = room.seated
            if seated is None:
                seated = await self._games.seated(room.game)
                if room not in self._changed:
                    # Nobody has sat down or left while that was read.
                    room.seated = seated
        except (GameError, StoreUnavailable, StoreFault) as error:
            logger.warning("Nobody can say who is there: %s", error)
            return
        seats = [seat for seat, player in enumerate(seated) if player in there]
        room.show(presence_frame(seats, len(there.difference(seated))))

    async def _keep_for_ever(self) -> None:
        """Step by step renew who is here, and end the streams when the hub cannot serve them any more."""
        step = 0
        while True:
            await asyncio.sleep(_STEP_SECONDS)
            step = (step + 1) % RENEWALS
            if not self._rooms.is_working:
                self._end_all()
            turn = [room for room in self._rooms.watched if hash(room.game) % RENEWALS == step]
            for start in range(0, len(turn), _AT_ONCE):
                await asyncio.gather(*(self._renew(room) for room in turn[start : start + _AT_ONCE]))

    async def _renew(self, room: Room) -> None:
        for player in list(self._here.get(room.game, ())):
            await self._tell_again(room, player)
        # Whoever was cut off elsewhere is forgotten there without a word.
        self._look_who_is_there(room)

    async def _tell_again(self, room: Room, player: str) -> None:
        member = f"{player}/{self._origin}"
        await self._presence.arrive(room.game, member)
        if not self._is_here(room.game, player):
            await self._presence.leave(room.game, member)

    def _end_all(self) -> None:
        for watcher in tuple(self._watchers):
            watcher.end(retry_ms())
