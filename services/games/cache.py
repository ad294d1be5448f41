"""Folded games, the least recently used of which are forgotten. A game that is asked for by many
at once is loaded once."""

import asyncio
from collections import OrderedDict

from infra.event_store import EventStore
from services.games.errors import GameNotFound
from services.games.live_game import LiveGame


class GameCache:
    """At most `size` games in memory."""

    def __init__(self, store: EventStore, size: int) -> None:
        self._store = store
        self._size = size
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    async def get(self, game: str) -> tuple[LiveGame, bool]:
        """The game, and whether all of it was read after this call. GameNotFound."""
        live = self._games.get(game)
        if live is not None and live.whole:
            self._games.move_to_end(game)
            return live, False
        loading = self._loading.get(game)
        joined = loading is not None
        if loading is None:
            loading = self._loading[game] = asyncio.create_task(self._load(game))
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        # Others may wait for the same load: one of them giving up must not end it. Who joins it late
        # may know of an event that it had read past already.
        return await asyncio.shield(loading), not joined

    async def catch_up(self, live: LiveGame) -> bool:
        """Fold what the store has and this copy lacks; whether there was anything."""
        return live.take(await self._store.read(live.state.game, live.version))

    def forget(self, game: str) -> None:
        """The store has gone back: whoever holds the copy of that game finds it broken, and reads anew."""
        live = self._games.pop(game, None)
        if live is not None:
            live.whole = False

    def __len__(self) -> int:
        return len(self._games)

    async def _load(self, game: str) -> LiveGame:
        secrets = await self._store.secrets(game)
        if secrets is None:
            raise GameNotFound
        live = LiveGame(game, secrets)
        live.take(await self._store.read(game))
        self._games[game] = live
        while len(self._games) > self._size:
            self._games.popitem(last=False)
        return live
