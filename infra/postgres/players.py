"""The player store on PostgreSQL."""

from collections.abc import Collection
from datetime import datetime, timedelta

from infra.identifiers import is_identifier
from infra.players import Erased, Player, Rotation
from infra.postgres.pool import Database
from infra.postgres.statements import statement

_CREATE = statement("player_create")
_GET = statement("player_get")
_RENAME = statement("player_rename")
_NAMES = statement("player_names")
_OPEN_FAMILY = statement("family_open")
_ROTATE = statement("family_rotate")
_ADD_TICKET = statement("ticket_add")
_TAKE_TICKET = statement("ticket_take")
_CLEAR_TICKETS = statement("tickets_clear")
_ERASE = statement("player_erase")
_ERASED = statement("players_erased")


class PostgresPlayerStore:
    """PlayerStore on one database, used by any number of processes at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, player: str, name: str, locale: str, created_at: datetime) -> None:
        """As PlayerStore.create."""
        await self._database.execute(_CREATE, player, name, locale, created_at)

    async def get(self, player: str) -> Player | None:
        """As PlayerStore.get."""
        if not is_identifier(player):
            return None
        row = await self._database.fetchrow(_GET, player)
        return None if row is None else Player(player, *row)

    async def rename(self, player: str, name: str | None, locale: str | None) -> Player | None:
        """As PlayerStore.rename."""
        if not is_identifier(player):
            return None
        row = await self._database.fetchrow(_RENAME, player, name, locale)
        return None if row is None else Player(player, *row)

    async def names(self, players: Collection[str]) -> dict[str, str]:
        """As PlayerStore.names."""
        known = [player for player in players if is_identifier(player)]
        if not known:
            return {}
        rows = await self._database.fetch(_NAMES, known)
        return {str(row["player"]): row["name"] for row in rows}

    async def open_family(self, player: str, family: str, token_hash: bytes, expires_at: datetime) -> None:
        """As PlayerStore.open_family."""
        await self._database.execute(_OPEN_FAMILY, player, family, token_hash, expires_at)

    async def rotate(
        self,
        player: str,
        family: str,
        old_hash: bytes,
        new_hash: bytes,
        now: datetime,
        expires_at: datetime,
    ) -> Rotation:
        """As PlayerStore.rotate."""
        if not is_identifier(player) or not is_identifier(family):
            return "unknown"
        row = await self._database.fetchrow(_ROTATE, player, family, old_hash, new_hash, now, expires_at)
        if row is None:
            return "unknown"
        outcome: Rotation = row["outcome"]
        return outcome

    async def add_ticket(self, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
        """As PlayerStore.add_ticket."""
        await self._database.execute(_ADD_TICKET, player, secret_hash, expires_at, now)

    async def take_ticket(self, player: str, secret_hash: bytes, now: datetime) -> bool:
        """As PlayerStore.take_ticket."""
        if not is_identifier(player):
            return False
        row = await self._database.fetchrow(_TAKE_TICKET, player, secret_hash, now)
        return row is not None and bool(row["good"])

    async def clear_tickets(self, now: datetime, limit: int) -> int:
        """As PlayerStore.clear_tickets."""
        return len(await self._database.fetch(_CLEAR_TICKETS, now, limit))

    async def erase(self, player: str) -> bool:
        """As PlayerStore.erase."""
        if not is_identifier(player):
            return False
        row = await self._database.fetchrow(_ERASE, player)
        return row is not None and bool(row["was_there"])

    async def erased_since(self, position: datetime | None, back: timedelta) -> list[Erased]:
        """As PlayerStore.erased_since."""
        rows = await self._database.fetch(_ERASED, position, back)
        return [Erased(str(row["player"]), row["erased_at"]) for row in rows]
