"""What lies on the table and in the hands. The referee keeps its own books, changed only by what it has checked."""

from collections.abc import Generator
from typing import Literal, NamedTuple

from msgspec import Struct

from domain.beans import Bean
from domain.cards import Card
from domain.events import Event, Options
from domain.referee.editions import Edition
from domain.referee.fault import Wrong

Phase = Literal["lobby", "gifts", "plant", "trade", "settle", "keep", "over"]
"""`gifts` and `keep` are steps 1 and 3 of the duel."""

Follows = Generator[Event | type[Event], Event, None]
"""What must follow at once, event by event: the very event, or its type where something in it is not known
beforehand; it is sent the event that came."""


class Opens(NamedTuple):
    """An event that is itself the first of what `follows` asks for."""

    follows: Follows


class Plot(Struct, gc=False):
    """A field: one kind, or None, and the numbers of its cards in planting order."""

    bean: Bean | None
    cards: list[int]


class Place(Struct, gc=False):
    """One seat. `hand` and `pending` by number; the last of `coins` is the topmost."""

    player: str | None = None
    nonce: str = ""
    policy: str | None = None
    away: bool = False
    hand: dict[int, Bean] = {}
    pending: dict[int, Bean] = {}
    plots: list[Plot] = []
    coins: list[Card] = []

    @property
    def free(self) -> bool:
        """Nobody sits here."""
        return self.player is None and self.policy is None


class OpenOffer(Struct, gc=False):
    """An offer that can be accepted. `names`: every card number in it."""

    author: int
    to: int | None
    give: list[Card]
    want: dict[Bean, int]
    want_cards: list[int]
    names: frozenset[int]
    rejected_by: set[int]


class Shuffle(Struct, frozen=True):
    """A shuffle, to be compared with the seed when it is known. `pool`: what was shuffled, in any order."""

    version: int
    number: int
    pool: list[Bean]
    beans: list[Bean]


class Rejection(Struct, frozen=True):
    """Just now `by` turned down an offer of `author`: what a counter-offer may answer."""

    offer: int
    author: int
    by: int


class Tabletop(Struct):
    """The whole table. `deck` and `discard` have their top at the end. `actors_told`: the history says who acted."""

    game: str
    seed: bytes | None
    actors_told: bool
    edition: Edition
    options: Options
    has_clock: bool
    host: str
    commitment: str
    places: list[Place]
    phase: Phase = "lobby"

    deck: list[Bean] = []
    discard: list[Bean] = []
    next_card: int = 1
    exhaustions: int = 0
    final: bool = False
    shuffles: list[Shuffle] = []

    version: int = 0
    started_at: int = 0
    start_seat: int = 0
    turn: int = 0
    active: int = 0
    planted: int = 0
    discarded: bool = False
    face_up: dict[int, Bean] = {}
    gifts: dict[int, Bean] = {}
    offers: dict[int, OpenOffer] = {}
    next_offer: int = 1
    rejection: Rejection | None = None

    def acting(self, actor: int | None, seat: int) -> Place:
        """The place of the seat that an event is about, if the actor may act for it: the seat itself, or the
        server where a policy plays."""
        if not 0 <= seat < len(self.places):
            raise Wrong("wrong_actor", f"There is no seat {seat}.")
        place = self.places[seat]
        if actor != seat and self.actors_told and (actor is not None or place.policy is None):
            raise Wrong("wrong_actor", f"{who(actor)} acts for seat {seat}.")
        return place

    def acting_active(self, actor: int | None, seat: int) -> Place:
        """The same for what only the active player may do."""
        place = self.acting(actor, seat)
        if seat != self.active:
            raise Wrong("not_active", f"Seat {seat} does what only seat {self.active} may do in turn {self.turn}.")
        return place

    def only(self, allowed: int | None, actor: int | None, what: str) -> None:
        """Raises Wrong if anybody else is known to have done that."""
        if actor != allowed and self.actors_told:
            raise Wrong("wrong_actor", f"{who(actor)} {what}; only {who(allowed).lower()} may.")

    def in_phase(self, phase: Phase, what: str) -> None:
        """Raises Wrong outside that phase."""
        if self.phase != phase:
            raise Wrong("wrong_phase", f"{what} belongs to phase {phase}; this is {self.phase}.")

    def in_play(self, what: str) -> None:
        """Raises Wrong before the first turn. After the end nothing is looked at any more."""
        if self.phase == "lobby":
            raise Wrong("wrong_phase", f"{what} before the first turn.")


def who(actor: int | None) -> str:
    """The actor of a line, in words."""
    return "The server" if actor is None else f"Seat {actor}"
