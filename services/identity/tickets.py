"""The ticket, for clients that cannot set headers: it opens one stream, once, within seconds, on any process.

    base64url( player: 16 bytes ‖ secret: 32 bytes )

The store knows only the hash of the secret and looks the ticket up by it: secrets are compared nowhere, so there is
no comparison whose time would tell how near a guess came.
"""

import hashlib
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from infra import opaque
from infra.clock import Clock, Entropy
from infra.event_store import StoreUnavailable
from infra.players import PlayerStore
from services.identity.messages import NewTicket

SECRET_BYTES: Final = 32
_PLAYER_BYTES: Final = 16

CLEARING_INTERVAL: Final = timedelta(minutes=1)
MOST_CLEARED: Final = 500
"""Expired tickets that are removed at once. As long as there are so many, every new ticket removes as many again."""


class TicketInvalid(Exception):
    """The ticket is forged, expired, or was used before."""


class Tickets:
    """Issues tickets and tells, once for each, whose it is."""

    def __init__(self, players: PlayerStore, clock: Clock, entropy: Entropy, lifetime: int) -> None:
        """`lifetime` in seconds."""
        self._players = players
        self._clock = clock
        self._entropy = entropy
        self._lifetime = timedelta(seconds=lifetime)
        self._clear_at: datetime | None = None

    async def issue(self, player: str) -> NewTicket:
        """A ticket for that player."""
        now = self._clock.now()
        await self._clear(now)
        secret = self._entropy.token(SECRET_BYTES)
        await self._players.add_ticket(player, _hash_of(secret), now, now + self._lifetime)
        return NewTicket(opaque.written(UUID(player).bytes + secret), int(self._lifetime.total_seconds()))

    async def redeem(self, ticket: str) -> str:
        """The player whose ticket it is, which is used up by that. TicketInvalid for any other text."""
        raw = opaque.read(ticket, _PLAYER_BYTES + SECRET_BYTES)
        if raw is None:
            raise TicketInvalid
        player = str(UUID(bytes=raw[:_PLAYER_BYTES]))
        if not await self._players.take_ticket(player, _hash_of(raw[_PLAYER_BYTES:]), self._clock.now()):
            raise TicketInvalid
        return player

    async def _clear(self, now: datetime) -> None:
        """Removes what players who did not come back have left. The table grows by new tickets only, so it is
        enough to do it with those, and once a minute is enough for a process while a batch is not full."""
        if self._clear_at is not None and now < self._clear_at:
            return
        self._clear_at = now + CLEARING_INTERVAL
        # Two processes that clear the same rows may get into each other's way. It is counted, and next time will do:
        # if it is the database that is away, the new ticket finds that out itself.
        with suppress(StoreUnavailable):
            if await self._players.clear_tickets(now, MOST_CLEARED) == MOST_CLEARED:
                self._clear_at = None


def _hash_of(secret: bytes) -> bytes:
    """The secret is random and long, so a plain hash is enough."""
    return hashlib.sha256(secret).digest()
