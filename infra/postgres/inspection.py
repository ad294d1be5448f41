"""The rows of the database as they are, for whoever holds them against each other: nothing is taken for granted of
them. It reads, and nothing else, a bounded part at a time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import Struct

from domain.anchors import Anchor, Anchored, anchored
from infra.event_store import Seal, Secrets, Summary
from infra.postgres.anchors import anchor_of, nodes_of
from infra.postgres.pool import Database, PooledConnection
from infra.postgres.statements import statement

_GAMES = statement("inspect_games")
_GAME = statement("inspect_game")
_EVENTS = statement("inspect_events")
_RECEIPTS = statement("inspect_receipts")
_DAY = statement("inspect_day")
_NO_DAYS = statement("inspect_no_days")
_ANCHOR = statement("inspect_anchor")
_ANCHORED = statement("inspect_anchored")

_PAGE: Final = 500
_SMALLEST: Final = -(2**31)
_LAST_ID: Final = UUID(int=2**128 - 1)


class EventRow(Struct, frozen=True):
    """A row of `events`."""

    version: int
    at: datetime
    seat: int | None
    type: str
    payload: bytes
    hash: bytes


class HeadRow(Struct, frozen=True):
    """A row of `games`."""

    version: int
    summary: Summary
    header_hash: bytes
    head_hash: bytes
    has_deadline: bool
    created_at: datetime


class ReceiptRow(Struct, frozen=True):
    """A row of `receipts`, without its key; of the fingerprint there is the length in bytes."""

    player: str
    fingerprint: int
    first: int
    last: int


class AnchoredRow(Struct, frozen=True):
    """A row of `anchored_games` with the anchor of its day, None where there is none."""

    day: date
    proof: Anchored | None


class GameRows:
    """What there is of one game at one moment; None where a table has no row of it."""

    def __init__(self, game: str, row: asyncpg.Record, connection: PooledConnection) -> None:
        self.game = game
        self.head = _head(row) if row["is_there"] else None
        self.secrets = Secrets(row["seed"], row["invite_hash"]) if row["has_secrets"] else None
        self.seal = _seal(row) if row["is_sealed"] else None
        self.anchored = _anchored(row) if row["is_anchored"] else None
        self.newest_day: date | None = row["newest_day"]
        """That of the newest anchor of all."""
        self._connection = connection

    async def receipts(self) -> list[ReceiptRow]:
        """By their versions."""
        rows = await self._connection.fetch(_RECEIPTS, self.game)
        return [ReceiptRow(str(player), fingerprint, first, last) for player, fingerprint, first, last in rows]

    async def events(self) -> AsyncIterator[EventRow]:
        """By their versions, whatever these are."""
        version = _SMALLEST
        while True:
            rows = await self._connection.fetch(_EVENTS, self.game, version, _PAGE)
            for row in rows:
                yield EventRow(*row)
            if len(rows) < _PAGE:
                return
            version = rows[-1][0] + 1


class AnchoredHead(Struct, frozen=True):
    """A game that is said to be in the anchor of a day. `head` is the one that it has now, None where it has none."""

    game: str
    index: int
    proof: list[bytes]
    head: bytes | None


class Inspection:
    """Every method may raise StoreUnavailable or StoreFault."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def games(self) -> AsyncIterator[str]:
        """Every game that any table has rows of, by its id."""
        after = UUID(int=0)
        while True:
            rows = await self._database.fetch(_GAMES, after, _PAGE)
            for (game,) in rows:
                yield str(game)
            if len(rows) < _PAGE or rows[-1][0] == _LAST_ID:
                return
            after = UUID(int=rows[-1][0].int + 1)

    @asynccontextmanager
    async def game(self, game: str) -> AsyncIterator[GameRows]:
        """The rows of that game as they are at one moment, however the game goes on meanwhile."""
        async with self._database.transaction(snapshot=True) as connection:
            row = await connection.fetchrow(_GAME, game)
            if row is None:
                raise RuntimeError("a statement that always gives a row gave none")
            yield GameRows(game, row, connection)

    async def days(self) -> AsyncIterator[tuple[date, Anchor | None]]:
        """Every day that has an anchor, or games that are said to be in one; None where it has none."""
        day = date.min
        while True:
            row = await self._database.fetchrow(_DAY, day)
            if row is None or row[0] is None:
                return
            day = row[0]
            found = await self._database.fetchrow(_ANCHOR, day)
            yield day, None if found is None else anchor_of(*found)
            if day == date.max:
                return
            day += timedelta(days=1)

    async def no_days(self) -> list[str]:
        """Days of anchors that no program can have written, as the database writes them; not more than a few."""
        return [day for (day,) in await self._database.fetch(_NO_DAYS, _PAGE)]

    async def anchored(self, day: date) -> AsyncIterator[AnchoredHead]:
        """The games that are said to be in the anchor of that day, by their ids."""
        after = UUID(int=0)
        while True:
            rows = await self._database.fetch(_ANCHORED, day, after, _PAGE)
            for game, position, proof, head in rows:
                yield AnchoredHead(str(game), position, nodes_of(proof), head)
            if len(rows) < _PAGE or rows[-1][0] == _LAST_ID:
                return
            after = UUID(int=rows[-1][0].int + 1)


def _head(row: asyncpg.Record) -> HeadRow:
    players = [None if player is None else str(player) for player in row["players"]]
    summary = Summary(row["status"], row["ruleset"], row["seats"], row["visibility"], str(row["host"]), players)
    return HeadRow(
        row["version"], summary, row["header_hash"], row["head_hash"], row["has_deadline"], row["created_at"]
    )


def _seal(row: asyncpg.Record) -> Seal:
    return Seal(row["sealed_head"], row["ended_at"], row["key"], row["signature"])


def _anchored(row: asyncpg.Record) -> AnchoredRow:
    day = row["day"]
    if not row["has_anchor"]:
        return AnchoredRow(day, None)
    said = (row["games"], row["root"], row["previous"], row["anchor_key"], row["anchor_signature"])
    return AnchoredRow(day, anchored(anchor_of(day, *said), row["position"], nodes_of(row["proof"])))
