"""The editions of the game as data: one row per preset and player count (rules, section 3)."""

from typing import Final, Literal

from msgspec import Struct

from domain.beans import KINDS, Bean

RULES_VERSION: Final = 1
"""Stands in `game_created`; a rule fix that changes a decision gets the next number."""

Reshuffle = Literal["next_draw", "at_once"]
"""When the discard pile becomes the new deck: as a draw finds the deck empty, or with its last card."""

FieldPurchase = Literal["any_time", "own_turn"]
TieBreak = Literal["hand_size", "shared", "farthest_clockwise"]


class Table(Struct, frozen=True):
    """What holds for one player count of an edition.

    `deck` counts the cards in play by kind, in table order. `hand_sizes` go clockwise from the
    starting player. `field_price` in coins; None where no third field is for sale. `draw` is the
    number of cards drawn in phase 4. `final_exhaustion` is the exhaustion that ends the game.
    """

    players: int
    deck: dict[Bean, int]
    hand_sizes: tuple[int, ...]
    fields: int
    field_price: int | None
    draw: int
    final_exhaustion: int

    @property
    def cards(self) -> int:
        """Cards in play."""
        return sum(self.deck.values())


class Ruleset(Struct, frozen=True):
    """One edition: its policies, and a table for each number of players it can be played with."""

    name: str
    reshuffle: Reshuffle
    field_purchase: FieldPurchase
    tie_break: TieBreak
    tables: dict[int, Table]


MOST_FIELDS: Final = 3

_BASE_GAME: Final[tuple[Bean, ...]] = (
    "coffee",
    "wax",
    "blue",
    "chili",
    "stink",
    "green",
    "soy",
    "black_eyed",
    "red",
    "garden",
    "cocoa",
)


def _table(
    *,
    removed: tuple[Bean, ...],
    hand_sizes: tuple[int, ...],
    fields: int,
    field_price: int | None,
    draw: int,
    final_exhaustion: int,
) -> Table:
    deck = {bean: KINDS[bean].cards for bean in _BASE_GAME if bean not in removed}
    return Table(len(hand_sizes), deck, hand_sizes, fields, field_price, draw, final_exhaustion)


_CLASSIC = Ruleset(
    name="classic",
    reshuffle="next_draw",
    field_purchase="any_time",
    tie_break="hand_size",
    tables={
        table.players: table
        for table in (
            _table(
                removed=("cocoa",),
                hand_sizes=(5, 5, 5),
                fields=3,
                field_price=None,
                draw=3,
                final_exhaustion=2,
            ),
            _table(
                removed=("coffee",),
                hand_sizes=(5, 5, 5, 5),
                fields=2,
                field_price=3,
                draw=3,
                final_exhaustion=3,
            ),
            _table(
                removed=("coffee",),
                hand_sizes=(5, 5, 5, 5, 5),
                fields=2,
                field_price=3,
                draw=3,
                final_exhaustion=3,
            ),
            _table(
                removed=("garden", "cocoa"),
                hand_sizes=(3, 4, 5, 6, 6, 6),
                fields=2,
                field_price=2,
                draw=4,
                final_exhaustion=3,
            ),
            _table(
                removed=("garden", "cocoa"),
                hand_sizes=(3, 4, 5, 6, 6, 6, 6),
                fields=2,
                field_price=2,
                draw=4,
                final_exhaustion=3,
            ),
        )
    },
)

RULESETS: Final[dict[str, Ruleset]] = {ruleset.name: ruleset for ruleset in (_CLASSIC,)}


def table_for(ruleset: str, seats: int) -> Table:
    """The table for that many players; ValueError names what is on offer instead."""
    edition = RULESETS.get(ruleset)
    if edition is None:
        raise ValueError(f"There is no ruleset {ruleset!r}; choose one of {', '.join(RULESETS)}.")
    table = edition.tables.get(seats)
    if table is None:
        counts = ", ".join(str(count) for count in edition.tables)
        raise ValueError(f"{ruleset} is played by {counts} players, not by {seats}.")
    return table
