"""Who plays, and which refresh tokens and tickets are theirs. Names live here only, never in a game's log,
so that they can be erased. A refresh token works once: a second use ends its whole family. A ticket works once too."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from msgspec import Struct

Rotation = Literal["rotated", "reused", "expired", "revoked", "unknown"]

SOMEONE: Final = "someone"
"""What a player is called of whom nothing is kept."""


class Player(Struct, frozen=True):
    """A person at the tables, and the language that they read."""

    player: str
    name: str
    locale: str
    created_at: datetime


class Erased(Struct, frozen=True):
    """An id that is nobody's any more, and since when by the store's own clock."""

    player: str
    erased_at: datetime


class PlayerStore(Protocol):
    """Every method may raise StoreUnavailable or StoreFault of `infra.event_store`."""

    async def create(self, player: str, name: str, locale: str, created_at: datetime) -> None:
        """StoreFault when the player exists already."""
        ...

    async def get(self, player: str) -> Player | None:
        """None for an unknown player."""
        ...

    async def rename(self, player: str, name: str | None, locale: str | None) -> Player | None:
        """The player afterwards; None leaves a value as it is. None for an unknown player."""
        ...

    async def names(self, players: Collection[str]) -> dict[str, str]:
        """The names of those players that exist."""
        ...

    async def open_family(self, player: str, family: str, token_hash: bytes, expires_at: datetime) -> None:
        """Starts a chain of refresh tokens. StoreFault when that family exists already."""
        ...

    async def rotate(
        self,
        player: str,
        family: str,
        old_hash: bytes,
        new_hash: bytes,
        now: datetime,
        expires_at: datetime,
    ) -> Rotation:
        """Puts the new token in the place of the old one, for one caller only.

        `reused`: the old token is not the family's present one, and from now on none is.
        `expired` from `expires_at` on, `revoked` after a reuse; both change nothing.
        """
        ...

    async def add_ticket(self, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
        """A ticket that can be taken until `expires_at`; those of this player that have expired go.
        StoreFault when he has that ticket already."""
        ...

    async def take_ticket(self, player: str, secret_hash: bytes, now: datetime) -> bool:
        """Uses the ticket up; True for one caller only, and before its expiry only."""
        ...

    async def clear_tickets(self, now: datetime, limit: int) -> int:
        """Removes expired tickets of any players, at most `limit`; how many."""
        ...

    async def erase(self, player: str) -> bool:
        """Removes what is kept of a person: name and language, the families of refresh tokens, tickets, and the keys
        of the commands with what they have become. The log of the games stays.

        Whether the player was there. Once more, it removes what has come meanwhile, and the first time counts.
        """
        ...

    async def erased_since(self, position: datetime | None, back: timedelta) -> list[Erased]:
        """Who was erased since that position less `back`, the earliest first. A position is the `erased_at` of the last
        one that was told; None is the store's time now. So no clock but the store's counts. What is erased first may
        be stored last: `back` has to be longer than that takes."""
        ...
