"""The anchors, and which finished games still wait for one, as the rest of the program sees them: a day has one anchor,
each goes on from the newest, and a game is in one of them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final, Literal, NamedTuple, Protocol

from msgspec import Struct

from domain.anchors import Anchor, Anchored


class Place(NamedTuple):
    """A place in a list of games that is ordered by a time, and by the id where times are the same."""

    at: datetime
    game: str


BEGINNING: Final = Place(datetime(1970, 1, 1, tzinfo=UTC), "00000000-0000-0000-0000-000000000000")
"""Before every game."""


class Sealed(Struct, frozen=True):
    """A game that has ended and is in no anchor, with the head that was sealed."""

    game: str
    ended_at: datetime
    head: bytes


class SealedPage(Struct, frozen=True):
    """A part of a list; `next` is where it goes on, None at its end. A part may be empty and yet not the last."""

    rows: list[Sealed]
    next: Place | None


class LeftBehind(Struct, frozen=True):
    """A game that is over and should have been anchored, or has not even a seal; `ended_at` is None where its last
    event is missing."""

    game: str
    ended_at: datetime | None
    is_sealed: bool


class LeftBehindPage(Struct, frozen=True):
    """As SealedPage."""

    rows: list[LeftBehind]
    next: Place | None


class Proof(NamedTuple):
    """What proves the head of a game, from the bottom up."""

    game: str
    path: list[bytes]


class AnchorPage(Struct, frozen=True):
    """A part of the list of the anchors; `next` is the cursor of the following part, None at the end."""

    anchors: list[Anchor]
    next: str | None


class AnchorStore(Protocol):
    """Every method may raise StoreUnavailable or StoreFault, and nothing else of the database."""

    async def newest(self) -> Anchor | None:
        """None where there is no anchor yet."""
        ...

    async def anchors(self, cursor: str | None, limit: int) -> AnchorPage:
        """Newest first. ValueError when the cursor is none of ours."""
        ...

    async def anchored(self, game: str) -> Anchored | None:
        """The anchor that a game is in, with its proof; None for one that is in none."""
        ...

    async def unanchored(self, after: Place, before: datetime, look_at: int) -> SealedPage:
        """Sealed games that are in no anchor, in the order in which they ended. Looks at so many seals from that place
        on, of games that ended `before`."""
        ...

    async def left_behind(
        self, status: Literal["ended", "abandoned"], after: Place, before: datetime, look_at: int
    ) -> LeftBehindPage:
        """Games with that status that have no seal, or ended `before` and are in no anchor, in the order in which they
        were created. Looks at so many games from that place on."""
        ...

    async def add(self, anchor: Anchor, proofs: Sequence[Proof]) -> bool:
        """True: the anchor and where each game is in it are stored. `proofs` are in the order of the tree. False:
        nothing is, because somebody else has added the anchor that follows the same one, or one of that day."""
        ...


def encode_day(day: date) -> str:
    """The place in the list of anchors after that day; opaque to clients."""
    return day.isoformat()


def decode_day(cursor: str) -> date:
    """The day that `encode_day` was given. ValueError when it was not."""
    try:
        day = date.fromisoformat(cursor)
    except ValueError as error:
        raise ValueError("not a cursor of this list") from error
    if encode_day(day) != cursor:
        raise ValueError("not a cursor of this list")
    return day
