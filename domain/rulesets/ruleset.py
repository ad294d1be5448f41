"""What an edition consists of: numbers, and one named policy for each rule that differs in kind."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from domain.beans import Bean

Reshuffle = Literal["next_draw", "at_once"]
"""When the discard pile becomes the new deck: as a draw finds the deck empty, or with its last card."""

TieBreak = Literal["hand_size", "shared", "farthest_clockwise"]
"""Who wins among players with equal coins."""

TurnStructure = Literal["trading", "duel"]
"""The four phases of the rules, section 5, or the game for two of section 10, which knows no trading."""

Drawers = Literal["active", "everyone"]
"""Who draws in phase 4: the active player, or every player, the active one first and then clockwise."""

FieldPurchase = Literal["any_time", "own_turn"]
"""When a third field may be bought."""

FieldPayment = Literal["discard_pile", "box"]
"""Where the coins go that paid for a field: back into play with the next shuffle, or out of the game."""

HarvestTime = Literal["any_time", "own_turn"]
"""When a player may harvest."""


class Table(Struct, frozen=True, kw_only=True):
    """What holds for one player count of an edition.

    `deck` counts the cards in play by kind, in table order. `hand_sizes` go clockwise from the
    starting player. A player begins with `fields` and may come to have `most_fields`. `field_price` in
    coins; None where no third field is for sale. `reveal` cards are
    turned up in a turn; in phase 4 each of the `drawers` draws `draw` cards. `final_exhaustion` is the
    exhaustion that ends the game.
    """

    players: int
    turn: TurnStructure
    deck: dict[Bean, int]
    hand_sizes: tuple[int, ...]
    fields: int
    most_fields: int
    field_price: int | None
    field_purchase: FieldPurchase
    field_payment: FieldPayment
    harvest: HarvestTime
    reveal: int
    draw: int
    drawers: Drawers
    final_exhaustion: int

    @property
    def cards(self) -> int:
        """Cards in play."""
        return sum(self.deck.values())


class Ruleset(Struct, frozen=True, kw_only=True):
    """One edition: a table for each number of players it can be played with.

    `duels` has the printings of the game for two by the value of the option `duel_fields`; the one in
    `tables` is played without that option.
    """

    name: str
    reshuffle: Reshuffle
    tie_break: TieBreak
    tables: dict[int, Table]
    duels: dict[int, Table] = field(default_factory=dict)


Rulebook = Mapping[str, Ruleset]
"""The editions by name, as one version of the rules has them."""
