"""The event store on PostgreSQL: what it says is stored is committed and survives the power going off."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import asyncpg

from domain.history import Record
from infra.event_store import (
    Append,
    GamePage,
    GameRow,
    Head,
    NewGame,
    Receipt,
    Seal,
    Secrets,
    Summary,
    decode_cursor,
    encode_cursor,
)
from infra.identifiers import is_identifier
from infra.postgres.append import GroupCommit
from infra.postgres.pool import Database
from infra.postgres.statements import statement

_APPEND = statement("append")
_CREATE = statement("create")
_READ = statement("read")
_HEAD = statement("head")
_HEADS = statement("heads")
_RECEIPT = statement("receipt")
_SECRETS = statement("secrets")
_SEAL = statement("seal")
_SEAL_ADD = statement("seal_add")
_GAMES = statement("games")
_GAMES_BY_PLAYER = statement("games_by_player")
_GAMES_BY_STATUS = statement("games_by_status")
_GAMES_BY_RULESET = statement("games_by_ruleset")

_START_OF_LIST = (datetime(9999, 12, 31, tzinfo=UTC), "ffffffff-ffff-ffff-ffff-ffffffffffff")
_TAG = b'{"type":"'


class PostgresEventStore:
    """EventStore on one database, used by any number of processes at once."""

    def __init__(self, database: Database, *, in_flight: int = 2, batch: int = 64) -> None:
        self._database = database
        self._group = GroupCommit(self._execute, in_flight=in_flight, batch=batch)

    async def create(self, new: NewGame) -> None:
        """As EventStore.create."""
        append, summary = new.append, new.append.summary
        await self._database.execute(
            _CREATE,
            append.game,
            append.records[-1].version,
            summary.status,
            summary.ruleset,
            summary.seats,
            summary.visibility,
            summary.host,
            summary.players,
            new.header_hash,
            append.records[-1].hash,
            new.seed,
            new.invite_hash,
            *_event_columns(append.records),
        )

    async def append(self, append: Append) -> bool:
        """As EventStore.append."""
        return await self._group.append(append)

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """As EventStore.read."""
        if not is_identifier(game):
            return []
        rows = await self._database.fetch(_READ, game, after, limit)
        return [Record(*row) for row in rows]

    async def head(self, game: str) -> Head | None:
        """As EventStore.head."""
        if not is_identifier(game):
            return None
        row = await self._database.fetchrow(_HEAD, game)
        if row is None:
            return None
        version, created_at, header_hash, head_hash, *summary = row
        return Head(version, created_at, header_hash, head_hash, _summary(*summary))

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        """As EventStore.heads."""
        rows = await self._database.fetch(_HEADS, [game for game in games if is_identifier(game)])
        return {str(game): version for game, version in rows}

    async def receipt(self, game: str, player: str, key: str) -> Receipt | None:
        """As EventStore.receipt."""
        if not is_identifier(game) or not is_identifier(player):
            return None
        row = await self._database.fetchrow(_RECEIPT, game, player, key)
        return None if row is None else Receipt(player, key, *row)

    async def secrets(self, game: str) -> Secrets | None:
        """As EventStore.secrets."""
        if not is_identifier(game):
            return None
        row = await self._database.fetchrow(_SECRETS, game)
        return None if row is None else Secrets(*row)

    async def seal(self, game: str) -> Seal | None:
        """As EventStore.seal."""
        if not is_identifier(game):
            return None
        row = await self._database.fetchrow(_SEAL, game)
        return None if row is None else Seal(*row)

    async def add_seal(self, game: str, seal: Seal) -> Seal | None:
        """As EventStore.add_seal."""
        if not is_identifier(game):
            return None
        row = await self._database.fetchrow(_SEAL_ADD, game, seal.head, seal.ended_at, seal.key, seal.signature)
        # The statement does not see a seal that came while it was on its way.
        return await self.seal(game) if row is None else Seal(*row)

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
        before = _START_OF_LIST if cursor is None else decode_cursor(cursor)
        page = (caller, *before, limit + 1)
        if player is not None:
            if not is_identifier(player):
                return GamePage([], None)
            rows = await self._database.fetch(_GAMES_BY_PLAYER, *page, player, status, ruleset)
        elif status is not None:
            rows = await self._database.fetch(_GAMES_BY_STATUS, *page, status, ruleset)
        elif ruleset is not None:
            rows = await self._database.fetch(_GAMES_BY_RULESET, *page, ruleset)
        else:
            rows = await self._database.fetch(_GAMES, *page)
        shown = [_game_row(row) for row in rows[:limit]]
        more = len(rows) > limit and shown
        return GamePage(shown, encode_cursor(shown[-1].created_at, shown[-1].game) if more else None)

    async def close(self) -> None:
        """Returns when every append has its answer. The database stays open."""
        await self._group.close()

    async def _execute(self, appends: Sequence[Append]) -> set[str]:
        receipts = [append.receipt for append in appends]
        seals = [append.seal for append in appends]
        rows = await self._database.fetch(
            _APPEND,
            [append.game for append in appends],
            [append.expected for append in appends],
            [append.records[-1].version for append in appends],
            [append.records[-1].hash for append in appends],
            [append.summary.status for append in appends],
            [_array(append.summary.players) for append in appends],
            [receipt and receipt.player for receipt in receipts],
            [receipt and receipt.key for receipt in receipts],
            [receipt and receipt.fingerprint for receipt in receipts],
            [receipt and receipt.first for receipt in receipts],
            [receipt and receipt.last for receipt in receipts],
            [seal and seal.ended_at for seal in seals],
            [seal and seal.key for seal in seals],
            [seal and seal.signature for seal in seals],
            [append.game for append in appends for _ in append.records],
            *_event_columns([record for append in appends for record in append.records]),
        )
        return {str(row[0]) for row in rows}


def _event_columns(records: Sequence[Record]) -> tuple[list[object], ...]:
    return (
        [record.version for record in records],
        [record.at for record in records],
        [record.seat for record in records],
        [_event_type(record.payload) for record in records],
        [record.payload for record in records],
        [record.hash for record in records],
    )


def _event_type(payload: bytes) -> str:
    """The event's tag, which stands first in the canonical encoding. ValueError where it does not."""
    if not payload.startswith(_TAG):
        raise ValueError("an event that does not begin with its type")
    return payload[len(_TAG) : payload.index(b'"', len(_TAG))].decode()


def _array(players: Sequence[str | None]) -> str:
    """An array of UUIDs as PostgreSQL writes it: arrays of different lengths do not fit into one more array."""
    return "{" + ",".join(player or "NULL" for player in players) + "}"


def _game_row(row: asyncpg.Record) -> GameRow:
    game, version, created_at, *summary = row
    return GameRow(str(game), version, created_at, _summary(*summary))


def _summary(status: str, ruleset: str, seats: int, visibility: str, host: UUID, players: list[UUID | None]) -> Summary:
    by_seat = [None if player is None else str(player) for player in players]
    return Summary(status, ruleset, seats, visibility, str(host), by_seat)
