"""The hub: takes in what has happened, from this process or another, and hands it to the rooms. The bus may lose,
repeat or delay anything; a sweep over the watched games finds what is missing and reads it from the store."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from domain.events import Event
from domain.history import Record
from infra.bus import Bus
from infra.event_store import EventStore, StoreFault, StoreUnavailable
from infra.telemetry import (
    LIVE_FAULTS,
    LIVE_NONSENSE,
    LIVE_REPAIRS,
    LIVE_RESTARTS,
    LIVE_ROOMS,
    LIVE_STORE_FAILURES,
    LIVE_UNREADABLE,
    LIVE_WATCHERS,
)
from services.games.errors import HistoryUnreadable
from services.live.background import Background
from services.live.batch import Batch, batch_of
from services.live.hints import CameOrWent, Moved, decode_hint, encode_hint, moved
from services.live.retry import retry_ms
from services.live.room import Room, Watching

SWEEP_SECONDS: Final = 2.0
SWEEP_SECONDS_ALONE: Final = 0.5
"""While the bus is away, and the sweep is all there is."""

_GAMES_A_QUESTION: Final = 500
_EVENTS_A_PAGE: Final = 500

logger = logging.getLogger("bohnanza.live")


class Rooms:
    """One instance per process; `origin` tells its hints from those of others.

    `noticed` is called with a room whose presence may be another one now, `forgotten` with a game of which the store
    has less than it had.
    """

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        origin: str,
        *,
        sweep_seconds: float = SWEEP_SECONDS,
        sweep_seconds_alone: float = SWEEP_SECONDS_ALONE,
    ) -> None:
        self.noticed: Callable[[Room], None] = lambda _: None
        self.forgotten: Callable[[str], None] = lambda _: None
        self._store = store
        self._bus = bus
        self._origin = origin
        self._pause = sweep_seconds
        self._pause_alone = sweep_seconds_alone
        self._rooms: dict[str, Room] = {}
        self._background = Background(logger, "A fault behind the streams", LIVE_FAULTS)
        self._sweeper: asyncio.Task[None] | None = None
        self._look_now = asyncio.Event()

    async def open(self) -> None:
        """Begin to listen and to sweep."""
        await self._bus.open(self)
        self._sweeper = self._background.start(self._sweep_for_ever())

    async def close(self) -> None:
        """End; nobody is handed anything afterwards."""
        await self._background.close()
        await self._bus.close()

    @property
    def is_working(self) -> bool:
        """Whether events reach the watchers, sooner or later. The bus being away is no reason against it."""
        return self._sweeper is not None and not self._sweeper.done() and self._bus.is_working

    @property
    def watched(self) -> list[Room]:
        """The rooms in which somebody is."""
        return list(self._rooms.values())

    def announce(self, game: str, happened: Sequence[tuple[Record, Event]]) -> None:
        """That was stored just now by this process. Never waits and never fails."""
        self._bus.publish(game, moved(self._origin, [record for record, _ in happened]))
        room = self._rooms.get(game)
        if room is not None:
            self._hand_on(room, Batch(happened))

    def came_or_went(self, game: str) -> None:
        """Tell the other processes that they should look who is there."""
        self._bus.publish(game, encode_hint(CameOrWent(self._origin)))

    def room(self, game: str) -> Room:
        """The room of that game, to be entered at once."""
        return self._rooms.get(game) or Room(game)

    async def enter(self, room: Room, watcher: Watching) -> None:
        """From the return of this on, the watcher is handed everything that happens after the room's `last`, and what
        came before is in the store. StoreUnavailable, StoreFault."""
        if room.game not in self._rooms:
            self._rooms[room.game] = room
            LIVE_ROOMS.inc()
        room.watchers.add(watcher)
        LIVE_WATCHERS.inc()
        try:
            while room.last is None:
                if room.opening is None:
                    room.opening = asyncio.create_task(self._begin(room))
                # One that goes away must not end it for the others.
                await asyncio.shield(room.opening)
        except BaseException:
            self.leave(room, watcher)
            raise

    def leave(self, room: Room, watcher: Watching) -> bool:
        """Hand him nothing more; whether he was there. With the last one the room is gone."""
        if watcher not in room.watchers:
            return False
        room.watchers.discard(watcher)
        LIVE_WATCHERS.dec()
        if not room.watchers:
            del self._rooms[room.game]
            LIVE_ROOMS.dec()
            if room.opening is not None:
                room.opening.cancel()
            self._background.start(self._bus.unsubscribe(room.game))
        return True

    def heard(self, channel: str, message: bytes) -> None:
        """As Listener.heard."""
        room = self._rooms.get(channel)
        if room is None:
            return
        match decode_hint(message):
            case None:
                LIVE_NONSENSE.inc()
            case Moved() as hint if hint.origin != self._origin:
                self._take(room, hint)
            case CameOrWent() as hint if hint.origin != self._origin:
                self.noticed(room)
            case _:
                pass  # an echo of what this process has said

    def renewed(self) -> None:
        """As Listener.renewed: look at once what was missed."""
        self._look_now.set()

    def _take(self, room: Room, hint: Moved) -> None:
        if room.last is not None and hint.version <= room.last:
            return
        if not hint.told:
            self._repair(room)
            return
        try:
            self._hand_on(room, batch_of(room.game, hint.records()))
        except HistoryUnreadable as error:
            self._give_up(room, error)

    def _hand_on(self, room: Room, batch: Batch) -> None:
        room.take(batch)
        if room.is_behind:
            self._repair(room)
        elif batch.is_seating:
            self.noticed(room)

    def _give_up(self, room: Room, error: HistoryUnreadable) -> None:
        """Another process may be able to read what this one cannot: whoever watches is sent there."""
        LIVE_UNREADABLE.inc()
        logger.warning("A game cannot be followed here: %s", error)
        for watcher in tuple(room.watchers):
            watcher.end(retry_ms())

    async def _begin(self, room: Room) -> None:
        try:
            # In this order: what is stored after the confirmation is heard, what was stored before is in the store.
            await self._bus.subscribe(room.game)
            heads = await self._store.heads([room.game])
            room.begin(heads.get(room.game, 0))
            if room.is_behind:
                self._repair(room)
        finally:
            room.opening = None

    def _repair(self, room: Room) -> None:
        """Read what is missing; once more, if something is missed while it is read."""
        room.is_behind = True
        if room.repairing is None and room.last is not None:
            room.repairing = self._background.start(self._read_missing(room))

    async def _read_missing(self, room: Room) -> None:
        try:
            while room.is_behind and room.last is not None and room.watchers:
                room.is_behind = False
                records = await self._store.read(room.game, room.last, _EVENTS_A_PAGE)
                if records:
                    LIVE_REPAIRS.inc()
                    self._take_missing(room, batch_of(room.game, records))
                room.is_behind = room.is_behind or len(records) == _EVENTS_A_PAGE
        except (StoreUnavailable, StoreFault) as error:
            # The next sweep comes upon it again.
            LIVE_STORE_FAILURES.inc()
            logger.warning("What is missing could not be read: %s", error)
        except HistoryUnreadable as error:
            self._give_up(room, error)
        finally:
            room.repairing = None

    def _take_missing(self, room: Room, batch: Batch) -> None:
        room.take(batch)
        if batch.is_seating:
            self.noticed(room)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._pause if self._bus.is_connected else self._pause_alone):
                    await self._look_now.wait()
            except TimeoutError:
                pass  # it is time
            self._look_now.clear()
            try:
                await self._sweep()
            except (StoreUnavailable, StoreFault) as error:
                LIVE_STORE_FAILURES.inc()
                logger.warning("The sweep found no store: %s", error)

    async def _sweep(self) -> None:
        """Compare how far the watched games have come with what was handed on."""
        watched = [(room, room.last) for room in self._rooms.values() if room.last is not None]
        for start in range(0, len(watched), _GAMES_A_QUESTION):
            some = watched[start : start + _GAMES_A_QUESTION]
            heads = await self._store.heads([room.game for room, _ in some])
            for room, last in some:
                head = heads.get(room.game, 0)
                if head < last:
                    LIVE_RESTARTS.inc()
                    logger.error("The store has gone back from version %d to %d of game %s", last, head, room.game)
                    self.forgotten(room.game)
                    room.begin_anew(head)
                elif room.last is not None and head > room.last:
                    self._repair(room)
