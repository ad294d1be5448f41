"""The event store without a database: the same answers, kept by one process for as long as it lives.

No method awaits anything, so each is atomic among the tasks of its event loop.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from domain.history import Record
from infra.event_store import (
    OVER,
    Append,
    GamePage,
    GameRow,
    Head,
    NewGame,
    Receipt,
    Seal,
    Secrets,
    StoreFault,
    Summary,
    decode_cursor,
    encode_cursor,
)
from infra.telemetry import APPEND_CONFLICTS


class _Game:
    def __init__(self, new: NewGame) -> None:
        self.created_at: datetime = new.append.records[0].at
        self.header_hash = new.header_hash
        self.secrets = Secrets(new.seed, new.invite_hash)
        self.records: list[Record] = []
        self.receipts: dict[tuple[str, str], Receipt] = {}
        self.summary: Summary = new.append.summary
        self.seal: Seal | None = None

    def is_receipted(self, receipt: Receipt | None) -> bool:
        return receipt is not None and (receipt.player, receipt.key) in self.receipts

    def take(self, append: Append) -> None:
        self.records += append.records
        self.summary = msgspec.structs.replace(
            self.summary, status=append.summary.status, players=list(append.summary.players)
        )
        if append.receipt is not None:
            self.receipts[append.receipt.player, append.receipt.key] = append.receipt
        self.seal = self.seal or append.seal

    def forget_receipts(self, player: str) -> None:
        self.receipts = {key: receipt for key, receipt in self.receipts.items() if key[0] != player}


class Finished(NamedTuple):
    """A game that is over, as the anchors in memory see it."""

    game: str
    created_at: datetime
    status: str
    last: Record
    seal: Seal | None


class MemoryEventStore:
    """EventStore in a dictionary."""

    def __init__(self) -> None:
        self._games: dict[str, _Game] = {}

    async def create(self, new: NewGame) -> None:
        """As EventStore.create."""
        if new.append.game in self._games:
            raise StoreFault("the game exists already")
        game = _Game(new)
        game.take(new.append)
        self._games[new.append.game] = game

    async def append(self, append: Append) -> bool:
        """As EventStore.append."""
        game = self._games.get(append.game)
        if game is None or len(game.records) != append.expected or game.is_receipted(append.receipt):
            APPEND_CONFLICTS.inc()
            return False
        if game.summary.status in OVER:
            raise StoreFault("the game is over")
        game.take(append)
        return True

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """As EventStore.read."""
        known = self._games.get(game)
        if known is None:
            return []
        first = max(after, 0)
        return known.records[first : None if limit is None else first + limit]

    async def head(self, game: str) -> Head | None:
        """As EventStore.head."""
        known = self._games.get(game)
        if known is None:
            return None
        last = known.records[-1]
        return Head(last.version, known.created_at, known.header_hash, last.hash, known.summary)

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        """As EventStore.heads."""
        return {game: len(self._games[game].records) for game in games if game in self._games}

    async def receipt(self, game: str, player: str, key: str) -> Receipt | None:
        """As EventStore.receipt."""
        known = self._games.get(game)
        return None if known is None else known.receipts.get((player, key))

    async def secrets(self, game: str) -> Secrets | None:
        """As EventStore.secrets."""
        known = self._games.get(game)
        return None if known is None else known.secrets

    async def seal(self, game: str) -> Seal | None:
        """As EventStore.seal."""
        known = self._games.get(game)
        return None if known is None else known.seal

    async def add_seal(self, game: str, seal: Seal) -> Seal | None:
        """As EventStore.add_seal."""
        known = self._games.get(game)
        if known is None:
            return None
        if known.summary.status in OVER and known.records[-1].hash == seal.head:
            known.seal = known.seal or seal
        return known.seal

    async def games(
        self,
        *,
        caller: str,
        status: str | None,
        ruleset: str | None,
        player: str | None,
        cursor: str | None,
        limit: int,
    ) -> GamePage:
        """As EventStore.games."""
        before = None if cursor is None else decode_cursor(cursor)
        rows = [
            GameRow(game, len(known.records), known.created_at, known.summary)
            for game, known in self._games.items()
            if (known.summary.visibility == "public" or caller in known.summary.players)
            and status in (None, known.summary.status)
            and ruleset in (None, known.summary.ruleset)
            and (player is None or player in known.summary.players)
            and (before is None or (known.created_at, game) < before)
        ]
        rows.sort(key=lambda row: (row.created_at, row.game), reverse=True)
        shown = rows[:limit]
        more = len(rows) > limit and shown
        return GamePage(shown, encode_cursor(shown[-1].created_at, shown[-1].game) if more else None)

    def finished(self) -> list[Finished]:
        """Every game that is over."""
        return [
            Finished(game, known.created_at, known.summary.status, known.records[-1], known.seal)
            for game, known in self._games.items()
            if known.summary.status in OVER
        ]

    def forget_receipts(self, player: str) -> None:
        """For MemoryPlayerStore.erase: that player's commands have left no keys."""
        for game in self._games.values():
            game.forget_receipts(player)
