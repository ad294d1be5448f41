"""Every edition for every number of players, by version 1 of the rules (rules, section 3). Games are played by these
rows for as long as they are kept: a fix goes into the next version, not in here."""

from typing import Final

from msgspec import structs

from domain.beans import KINDS, Bean
from domain.rulesets.ruleset import Drawers, FieldPurchase, Rulebook, Ruleset, Table

_LARGE_GAME: Final[tuple[Bean, ...]] = (
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
_BASE_KINDS: Final[tuple[Bean, ...]] = ("blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden")
_FIELD_BEAN_GAME: Final[tuple[Bean, ...]] = ("wax", *_BASE_KINDS, "field_bean")

_GROWING_HANDS: Final = (3, 4, 5, 6, 6, 6, 6)
_MOST_FIELDS: Final = 3
_DEALT: Final = 5
"""Cards in a starting hand, but for `classic` with six or seven players."""


def _without(*removed: Bean) -> tuple[Bean, ...]:
    return tuple(bean for bean in _LARGE_GAME if bean not in removed)


def _table(
    players: int,
    kinds: tuple[Bean, ...],
    *,
    fields: int = 2,
    field_price: int | None = None,
    field_purchase: FieldPurchase = "any_time",
    hand_sizes: tuple[int, ...] | None = None,
    draw: int = 3,
    drawers: Drawers = "active",
    final_exhaustion: int = 3,
) -> Table:
    return Table(
        players=players,
        turn="trading",
        deck={bean: KINDS[bean].cards for bean in kinds},
        hand_sizes=hand_sizes or (_DEALT,) * players,
        fields=fields,
        most_fields=_MOST_FIELDS if field_price or _grant_fields(kinds) else fields,
        field_price=field_price,
        field_purchase=field_purchase,
        field_payment="discard_pile",
        harvest="any_time",
        reveal=2,
        draw=draw,
        drawers=drawers,
        final_exhaustion=final_exhaustion,
    )


def _grant_fields(kinds: tuple[Bean, ...]) -> bool:
    return any(KINDS[bean].field_grant for bean in kinds)


def _by_players(*tables: Table) -> dict[int, Table]:
    return {table.players: table for table in tables}


_DUEL_A: Final = Table(
    players=2,
    turn="duel",
    deck={bean: KINDS[bean].cards for bean in _without("garden", "cocoa")},
    hand_sizes=(_DEALT, _DEALT),
    fields=2,
    most_fields=_MOST_FIELDS,
    field_price=3,
    field_purchase="own_turn",
    field_payment="box",
    harvest="own_turn",
    reveal=3,
    draw=2,
    drawers="active",
    final_exhaustion=1,
)
_DUEL_B: Final = structs.replace(_DUEL_A, fields=3, field_price=None)

_CLASSIC: Final = Ruleset(
    name="classic",
    reshuffle="next_draw",
    tie_break="hand_size",
    tables=_by_players(
        _DUEL_A,
        _table(3, _without("cocoa"), fields=3, final_exhaustion=2),
        _table(4, _without("coffee"), field_price=3),
        _table(5, _without("coffee"), field_price=3),
        _table(6, _without("garden", "cocoa"), hand_sizes=_GROWING_HANDS[:6], field_price=2, draw=4),
        _table(7, _without("garden", "cocoa"), hand_sizes=_GROWING_HANDS, field_price=2, draw=4),
    ),
    duels={table.fields: table for table in (_DUEL_A, _DUEL_B)},
)

_BOONANZA: Final = Ruleset(
    name="boonanza",
    reshuffle="next_draw",
    tie_break="shared",
    tables=_by_players(
        *(_table(players, _BASE_KINDS, field_price=3, field_purchase="own_turn") for players in (3, 4, 5))
    ),
)

_AMIGO_CLASSIC: Final = Ruleset(
    name="amigo_classic",
    reshuffle="at_once",
    tie_break="shared",
    tables=_by_players(*(_table(players, _BASE_KINDS, field_price=3) for players in (3, 4, 5))),
)

_AMIGO_2023: Final = Ruleset(
    name="amigo_2023",
    reshuffle="at_once",
    tie_break="farthest_clockwise",
    tables=_by_players(
        _table(3, _BASE_KINDS, fields=3),
        _table(4, _BASE_KINDS),
        _table(5, _BASE_KINDS),
    ),
)

_NEW_BEANS: Final = Ruleset(
    name="new_beans",
    reshuffle="at_once",
    tie_break="farthest_clockwise",
    tables=_by_players(
        _table(3, _without("cocoa"), fields=3, draw=1, drawers="everyone", final_exhaustion=2),
        _table(4, _without("coffee"), draw=1, drawers="everyone"),
        _table(5, _without("coffee"), draw=1, drawers="everyone"),
        _table(6, _without("garden", "cocoa"), draw=1, drawers="everyone"),
        _table(7, _without("garden", "cocoa"), draw=1, drawers="everyone"),
    ),
)

_FIELD_BEANS: Final = Ruleset(
    name="field_beans",
    reshuffle="at_once",
    tie_break="farthest_clockwise",
    tables=_by_players(*(_table(players, _FIELD_BEAN_GAME, draw=1, drawers="everyone") for players in (4, 5))),
)

VERSION_1: Final[Rulebook] = {
    ruleset.name: ruleset for ruleset in (_CLASSIC, _BOONANZA, _AMIGO_CLASSIC, _AMIGO_2023, _NEW_BEANS, _FIELD_BEANS)
}
