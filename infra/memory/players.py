"""The player store without a database, kept by one process for as long as it lives."""

from collections.abc import Collection
from datetime import datetime, timedelta

import msgspec

from infra.clock import Clock, SystemClock
from infra.event_store import StoreFault
from infra.memory.event_store import MemoryEventStore
from infra.players import Erased, Player, Rotation


class _Family(msgspec.Struct):
    token_hash: bytes
    expires_at: datetime
    revoked: bool = False


class MemoryPlayerStore:
    """PlayerStore in dictionaries. With the `events` that are kept beside it, whose receipts are erased as well: in a
    database it is one place that knows of both. `clock` is the store's own."""

    def __init__(self, events: MemoryEventStore | None = None, clock: Clock | None = None) -> None:
        self._events = events
        self._clock = clock or SystemClock()
        self._erased: dict[str, datetime] = {}
        self._players: dict[str, Player] = {}
        self._families: dict[tuple[str, str], _Family] = {}
        self._tickets: dict[tuple[str, bytes], datetime] = {}

    async def create(self, player: str, name: str, locale: str, created_at: datetime) -> None:
        """As PlayerStore.create."""
        if player in self._players:
            raise StoreFault("the player exists already")
        self._players[player] = Player(player, name, locale, created_at)

    async def get(self, player: str) -> Player | None:
        """As PlayerStore.get."""
        return self._players.get(player)

    async def rename(self, player: str, name: str | None, locale: str | None) -> Player | None:
        """As PlayerStore.rename."""
        known = self._players.get(player)
        if known is None:
            return None
        renamed = msgspec.structs.replace(
            known,
            name=known.name if name is None else name,
            locale=known.locale if locale is None else locale,
        )
        self._players[player] = renamed
        return renamed

    async def names(self, players: Collection[str]) -> dict[str, str]:
        """As PlayerStore.names."""
        return {player: self._players[player].name for player in players if player in self._players}

    async def open_family(self, player: str, family: str, token_hash: bytes, expires_at: datetime) -> None:
        """As PlayerStore.open_family."""
        if (player, family) in self._families:
            raise StoreFault("the family exists already")
        self._families[player, family] = _Family(token_hash, expires_at)

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
        known = self._families.get((player, family))
        if known is None:
            return "unknown"
        if known.revoked:
            return "revoked"
        if known.token_hash != old_hash:
            known.revoked = True
            return "reused"
        if known.expires_at <= now:
            return "expired"
        known.token_hash, known.expires_at = new_hash, expires_at
        return "rotated"

    async def add_ticket(self, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
        """As PlayerStore.add_ticket."""
        if (player, secret_hash) in self._tickets:
            raise StoreFault("the ticket exists already")
        for ticket, end in list(self._tickets.items()):
            if ticket[0] == player and end <= now:
                del self._tickets[ticket]
        self._tickets[player, secret_hash] = expires_at

    async def take_ticket(self, player: str, secret_hash: bytes, now: datetime) -> bool:
        """As PlayerStore.take_ticket."""
        end = self._tickets.pop((player, secret_hash), None)
        return end is not None and end > now

    async def clear_tickets(self, now: datetime, limit: int) -> int:
        """As PlayerStore.clear_tickets."""
        expired = sorted((end, ticket) for ticket, end in self._tickets.items() if end <= now)[:limit]
        for _, ticket in expired:
            del self._tickets[ticket]
        return len(expired)

    async def erase(self, player: str) -> bool:
        """As PlayerStore.erase."""
        was_there = self._players.pop(player, None) is not None
        if was_there:
            self._erased.setdefault(player, self._clock.now())
        self._families = {key: family for key, family in self._families.items() if key[0] != player}
        self._tickets = {key: end for key, end in self._tickets.items() if key[0] != player}
        if self._events is not None:
            self._events.forget_receipts(player)
        return was_there

    async def erased_since(self, position: datetime | None, back: timedelta) -> list[Erased]:
        """As PlayerStore.erased_since."""
        now = self._clock.now()
        since = min(position or now, now) - back
        erased = [Erased(player, at) for player, at in self._erased.items() if at >= since]
        return sorted(erased, key=lambda one: one.erased_at)
