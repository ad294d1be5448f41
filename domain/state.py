"""The state of a game: what the events so far add up to, and nothing else.

Mutable, and changed by `evolve` alone. In a state that was folded from a viewer's redacted
events a hidden kind is None; the server's own state knows every kind.

The parts hold no reference to what holds them, so the garbage collector need not look at them.
"""

from functools import cached_property
from typing import Literal

from msgspec import Struct, field, msgpack

from domain.beans import Bean
from domain.cards import Card
from domain.events import AbandonReason, EndReason, Options, Rank, Visibility
from domain.rulesets import RULEBOOKS, Ruleset, Table, table_for

Status = Literal["open", "running", "ended", "abandoned"]
Phase = Literal["plant", "trade", "settle", "gifts", "keep"]
"""`gifts` and `keep` are steps 1 and 3 of the game for two (rules, section 10), `plant` is its step 2 as well."""


class Field(Struct, gc=False):
    """A bean field: one kind, the cards in planting order. `bean` is None when it is empty."""

    bean: Bean | None = None
    cards: list[int] = field(default_factory=list)


class Seat(Struct, gc=False):
    """One place at the table and what lies before it.

    Cards are kept by number; as numbers only grow, a hand in order of insertion is the hand
    in order, front first. The last of `coins` is the topmost.
    """

    player: str | None = None
    nonce: str = ""
    policy: str | None = None
    away: bool = False
    hand: dict[int, Bean | None] = field(default_factory=dict)
    fields: list[Field] = field(default_factory=list)
    pending: dict[int, Bean | None] = field(default_factory=dict)
    coins: dict[int, Bean | None] = field(default_factory=dict)
    bought_field: bool = False


class OpenOffer(Struct, gc=False):
    """An offer on the table. `to` None: anyone. `give` as it was offered."""

    offer: int
    author: int
    to: int | None
    give: list[Card]
    want: dict[Bean, int]
    want_cards: list[int]
    answers: int | None
    rejected_by: list[int] = field(default_factory=list)


class Result(Struct, frozen=True):
    """How the game ended; `seed` opens the commitment that the game began with."""

    reason: EndReason | AbandonReason
    ranking: list[Rank]
    winners: list[int]
    seed: str


class State(Struct, dict=True):
    """Everything of a game at one version. `deck` and `discard` have their top at the end."""

    game: str
    version: int = 0
    status: Status = "open"
    ruleset: str = ""
    options: Options = Options()
    rules_version: int = 0
    seats: list[Seat] = field(default_factory=list)
    visibility: Visibility = "public"
    clock: None = None
    host: str = ""
    commitment: str = ""

    deck: list[Bean | None] = field(default_factory=list)
    discard: list[Bean | None] = field(default_factory=list)
    box: list[Bean | None] = field(default_factory=list)
    shuffles: int = 0
    next_card: int = 1
    exhaustions: int = 0
    final_exhaustion: bool = False

    start_seat: int = 0
    turn: int = 0
    active: int | None = None
    phase: Phase | None = None
    planted: int = 0
    discarded: bool = False
    face_up: dict[int, Bean | None] = field(default_factory=dict)
    gifts: dict[int, Bean | None] = field(default_factory=dict)
    offers: dict[int, OpenOffer] = field(default_factory=dict)
    next_offer: int = 1
    result: Result | None = None

    def __repr__(self) -> str:
        # A state holds hands and the deck, and representations end up in logs.
        return f"State(game={self.game!r}, version={self.version})"

    @property
    def is_over(self) -> bool:
        """Ended or abandoned: nothing is hidden any more, and nothing happens any more."""
        return self.status in ("ended", "abandoned")

    @property
    def edition(self) -> Ruleset:
        """The preset that this game is played by, as its version of the rules has it."""
        return RULEBOOKS[self.rules_version][self.ruleset]

    # Kept, since most commands ask for it: what it follows from is settled by the first event and never changes.
    @cached_property
    def table(self) -> Table:
        """What the preset says for this number of players and these options."""
        return table_for(self.ruleset, len(self.seats), self.options, self.rules_version)

    def seat_of(self, player: str) -> int | None:
        """The seat on which that player sits."""
        for index, seat in enumerate(self.seats):
            if seat.player == player:
                return index
        return None


_encoder = msgpack.Encoder()
_decoder = msgpack.Decoder(State)


def copy_of(state: State) -> State:
    """A state of its own with the same content, to work out what follows without a trace."""
    return _decoder.decode(_encoder.encode(state))
