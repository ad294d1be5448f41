"""What the use cases answer, as it goes over the wire."""

from msgspec import Struct

from domain.actions import Action
from domain.events import Event
from domain.views import View


class Created(Struct, frozen=True):
    """A new game. `invite` is told only here, and only for a private one."""

    game: str
    invite: str | None
    view: View

    def __repr__(self) -> str:
        return f"Created(game={self.game!r})"


class Joined(Struct, frozen=True):
    """The seat that the player has now."""

    seat: int
    view: View


class EventItem(Struct, frozen=True):
    """One event as its reader may see it. `at` as in the log: RFC 3339, UTC, six digits."""

    version: int
    at: str
    event: Event


class Answer(Struct, frozen=True):
    """What a command brought about. `version` is that of its last event; `replayed` tells that an
    earlier copy of the command did it."""

    version: int
    replayed: bool
    events: list[EventItem]


class EventPage(Struct, frozen=True):
    """A part of a history. `next` is the `after` of the following part, None at the end."""

    events: list[EventItem]
    next: int | None


class ActionList(Struct, frozen=True):
    """What the player may do at this version."""

    version: int
    actions: list[Action]


class Seated(Struct, frozen=True):
    """Who has a seat in a listed game."""

    player: str
    name: str


class GameEntry(Struct, frozen=True):
    """A game in the lobby or in a player's history. `players` by seat, None where a seat is free."""

    game: str
    version: int
    created_at: str
    status: str
    ruleset: str
    seats: int
    visibility: str
    host: str
    players: list[Seated | None]


class GameList(Struct, frozen=True):
    """A page of games, newest first."""

    games: list[GameEntry]
    next: str | None
