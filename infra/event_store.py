"""The log of every game, as the rest of the program sees it: an append is stored whole or not at all,
each version once and for ever, and no command twice.

Ids of games and players are UUIDs in their canonical text form (lower case, with hyphens).
"""

import base64
import struct
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

from msgspec import Struct

from domain.history import Record

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CURSOR = struct.Struct(">q16s")
_CURSOR_LENGTH = 32


class StoreUnavailable(Exception):
    """There is no usable database at the moment, or it went away before it had answered.

    What became of a write is then unknown: the same write with the same key finds out.
    """


class StoreFault(Exception):
    """The database refuses what it was asked to do, and would refuse it again: a fault of the
    program, its schema or its privileges. Nothing was stored."""


class Receipt(Struct, frozen=True):
    """What a command left behind: the versions of its events, both inclusive, under its player's key."""

    player: str
    key: str
    fingerprint: bytes
    first: int
    last: int


class Summary(Struct, frozen=True):
    """The lobby's row of a game; `players` by seat. Only `status` and `players` may change after
    the creation; a later value of the others is not looked at."""

    status: str
    ruleset: str
    seats: int
    visibility: str
    host: str
    players: list[str | None]


OVER: Final = ("ended", "abandoned")
"""The states in which a game stays for ever."""


class Seal(Struct, frozen=True):
    """The end of a finished game's chain, signed. `head` is the hash of its last event and `ended_at` the time of it;
    `key` and `signature` as in infra.signing."""

    head: bytes
    ended_at: datetime
    key: str
    signature: str


class Append(Struct, frozen=True):
    """Events that carry a game on from version `expected`, with the receipt of their command, and with its seal when
    they are the last ones.

    ValueError when `records` is empty or does not follow `expected` without a gap, and when the seal is of anything
    but the last of them, or the game goes on.
    """

    game: str
    expected: int
    records: list[Record]
    summary: Summary
    receipt: Receipt | None
    seal: Seal | None = None

    def __post_init__(self) -> None:
        for version, record in enumerate(self.records, self.expected + 1):
            if record.version != version:
                raise ValueError(f"version {record.version} stands where {version} belongs")
        if not self.records:
            raise ValueError("an append without events")
        if self.seal is not None:
            last = self.records[-1]
            if (self.seal.head, self.seal.ended_at) != (last.hash, last.at) or self.summary.status not in OVER:
                raise ValueError("a seal of something else than the end of the game")


class NewGame(Struct, frozen=True):
    """A game's first events (`append.expected` is 0) and what goes with it: the hash of the header
    line, the seed, and the hash of the invitation of a private game."""

    append: Append
    header_hash: bytes
    seed: bytes
    invite_hash: bytes | None

    def __post_init__(self) -> None:
        if self.append.expected != 0 or self.append.receipt is not None:
            raise ValueError("a new game starts at version 0, and not by a command with a key")
        if self.append.seal is not None:
            raise ValueError("a new game has not ended")

    def __repr__(self) -> str:
        return f"NewGame(game={self.append.game!r})"


class Secrets(Struct, frozen=True):
    """What must not leave the server while a game runs."""

    seed: bytes
    invite_hash: bytes | None

    def __repr__(self) -> str:
        return "Secrets()"


class GameRow(Struct, frozen=True):
    """A game in a list."""

    game: str
    version: int
    created_at: datetime
    summary: Summary


class Head(Struct, frozen=True):
    """What is kept of a game beside its events. `version` and `head_hash` are those of the last of them, `header_hash`
    is where the chain begins."""

    version: int
    created_at: datetime
    header_hash: bytes
    head_hash: bytes
    summary: Summary


class GamePage(Struct, frozen=True):
    """A part of a list; `next` is the cursor of the following part, None at the end."""

    rows: list[GameRow]
    next: str | None


class EventStore(Protocol):
    """Every method may raise StoreUnavailable or StoreFault, and nothing else of the database."""

    async def create(self, new: NewGame) -> None:
        """StoreFault when the game exists already."""
        ...

    async def append(self, append: Append) -> bool:
        """True: all is stored. False: nothing is, because the game's version is another one than
        `expected` or the receipt's key was used before. StoreFault when the game is over. One round trip."""
        ...

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Records with a higher version than `after`, ascending; none of an unknown game."""
        ...

    async def head(self, game: str) -> Head | None:
        """None for an unknown game."""
        ...

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        """The versions that those games have come to; unknown ones are left out."""
        ...

    async def receipt(self, game: str, player: str, key: str) -> Receipt | None:
        """What that command has become; None when it never was stored."""
        ...

    async def secrets(self, game: str) -> Secrets | None:
        """None for an unknown game."""
        ...

    async def seal(self, game: str) -> Seal | None:
        """None for a game that has none: it runs, is unknown, or was ended by a program that made no seals."""
        ...

    async def add_seal(self, game: str, seal: Seal) -> Seal | None:
        """The seal of a game that has ended without one; nothing is stored when there is one already, or the game goes
        on, or its head is another. What is stored afterwards, None if there is none."""
        ...

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
        """Newest first; only public games and those in which `caller` sits.
        ValueError when the cursor is none of ours."""
        ...


def encode_cursor(created_at: datetime, game: str) -> str:
    """The place in a list after that game; opaque to clients."""
    microseconds = (created_at - _EPOCH) // _MICROSECOND
    return base64.urlsafe_b64encode(_CURSOR.pack(microseconds, UUID(game).bytes)).decode()


def decode_cursor(cursor: str) -> tuple[datetime, str]:
    """The creation time and id that `encode_cursor` was given. ValueError when it was not."""
    if len(cursor) != _CURSOR_LENGTH:
        raise ValueError("not a cursor of this list")
    try:
        place = base64.b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
        microseconds, identifier = _CURSOR.unpack(place)
        return _EPOCH + microseconds * _MICROSECOND, str(UUID(bytes=identifier))
    except (struct.error, OverflowError, ValueError) as error:
        raise ValueError("not a cursor of this list") from error
