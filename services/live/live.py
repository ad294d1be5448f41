"""Watching games: who may watch what, who is there, and an orderly end."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from typing import Final

from infra.event_store import StoreFault, StoreUnavailable
from infra.presence import Presence
from services.games.errors import GameError, TooManyStreams
from services.games.games import Games
from services.live.frames import presence_frame
from services.live.room import Room
from services.live.rooms import Rooms
from services.live.watcher import Watcher

MOST_STREAMS: Final = 20
"""One player, in one process: tabs and devices, and some that were cut off and are not missed yet."""

PRESENCE_SECONDS: Final = 15.0
"""How often a process says that its watchers are still there. A third of the time after which they are forgotten."""

_TOGETHER_SECONDS: Final = 0.05
"""What comes and goes within it is told at once."""

_EARLIEST_RETRY_MS: Final = 250
_LATEST_RETRY_MS: Final = 3000

# Not for secrets: it only keeps clients from coming back all at once.
_jitter: Final = random.SystemRandom()

logger = logging.getLogger("bohnanza.live")


class Live:
    """One instance per process. `origin` stands for this process in Redis."""

    def __init__(self, games: Games, rooms: Rooms, presence: Presence, origin: str) -> None:
        self._games = games
        self._rooms = rooms
        self._presence = presence
        self._origin = origin
        self._streams: Counter[str] = Counter()
        self._here: Counter[tuple[str, str]] = Counter()
        self._watchers: set[Watcher] = set()
        self._alone = asyncio.Event()
        self._alone.set()
        self._changed: set[Room] = set()
        self._looking: dict[Room, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._is_closing = False
        rooms.noticed = self._look_who_is_there

    async def open(self) -> None:
        """Begin."""
        await self._rooms.open()
        self._renewing = asyncio.create_task(self._renew_for_ever())

    async def say_bye(self, seconds: float) -> None:
        """Every stream ends with a `bye`, and so does each that is opened from now on. Returns when all have ended,
        or after so many seconds."""
        self._is_closing = True
        for watcher in tuple(self._watchers):
            watcher.end(_retry_ms())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._alone.wait()

    async def close(self) -> None:
        """End; after `say_bye`, and when the streams are gone or given up."""
        tasks = [*self._looking.values(), *self._tasks]
        if self._renewing is not None:
            tasks.append(self._renewing)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._rooms.close()

    @property
    def is_working(self) -> bool:
        """As Rooms.is_working."""
        return self._rooms.is_working and not self._is_closing

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

    async def _watch(self, game: str, player: str, after: int | None) -> Watcher:
        place = await self._games.place(game, player)
        if after is not None and after > place.version:
            after = None
        room = self._rooms.room(game)
        watcher = Watcher(self._games, room, player, place.seat, after)
        await self._rooms.enter(room, watcher)
        self._watchers.add(watcher)
        self._alone.clear()
        if self._is_closing:
            watcher.end(_retry_ms())
        self._here[game, player] += 1
        if self._here[game, player] == 1:
            self._in_background(self._arrive(room, player))
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """He watches no more."""
        room, player = watcher.room, watcher.player
        self._watchers.discard(watcher)
        if not self._watchers:
            self._alone.set()
        if not self._rooms.leave(room, watcher):
            return
        self._one_less(player)
        self._here[room.game, player] -= 1
        if not self._here[room.game, player]:
            del self._here[room.game, player]
            self._in_background(self._depart(room, player))

    def _one_less(self, player: str) -> None:
        self._streams[player] -= 1
        if not self._streams[player]:
            del self._streams[player]

    async def _arrive(self, room: Room, player: str) -> None:
        await self._presence.arrive(room.game, self._member(player))
        self._rooms.came_or_went(room.game)
        self._look_who_is_there(room)

    async def _depart(self, room: Room, player: str) -> None:
        if (room.game, player) in self._here:
            return
        await self._presence.leave(room.game, self._member(player))
        if (room.game, player) in self._here:
            # He came back meanwhile, and his arrival may have been overtaken.
            await self._presence.arrive(room.game, self._member(player))
        self._rooms.came_or_went(room.game)
        self._look_who_is_there(room)

    def _member(self, player: str) -> str:
        """A player in this process; in another he may be there too."""
        return f"{player}/{self._origin}"

    def _look_who_is_there(self, room: Room) -> None:
        """Soon, once for all that happens until then, and once more for what happens while it is looked."""
        self._changed.add(room)
        if room not in self._looking:
            looking = self._looking[room] = asyncio.create_task(self._look_until_nothing_changes(room))
            looking.add_done_callback(lambda _: self._looking.pop(room, None))

    async def _look_until_nothing_changes(self, room: Room) -> None:
        while room in self._changed:
            await asyncio.sleep(_TOGETHER_SECONDS)
            self._changed.discard(room)
            if room.watchers:
                await self._look(room)

    async def _look(self, room: Room) -> None:
        members = await self._presence.present(room.game)
        # Without Redis at least those are known who are connected here.
        here = {player for game, player in self._here if game == room.game} if members is None else set()
        there = here | {member.partition("/")[0] for member in members or ()}
        try:
            seated = await self._games.seated(room.game)
        except (GameError, StoreUnavailable, StoreFault) as error:
            logger.warning("Nobody can say who is there: %s", error)
            return
        seats = [seat for seat, player in enumerate(seated) if player in there]
        room.show(presence_frame(seats, len(there.difference(seated))))

    async def _renew_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            for game, player in list(self._here):
                await self._presence.arrive(game, self._member(player))
            for room in self._rooms.games:
                # Whoever was cut off elsewhere is forgotten there without a word.
                self._look_who_is_there(room)

    def _in_background(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _retry_ms() -> int:
    return _jitter.randint(_EARLIEST_RETRY_MS, _LATEST_RETRY_MS)
