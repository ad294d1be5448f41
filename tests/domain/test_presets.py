"""Every edition is what the table of presets says (rules, section 3): edge case 80 of the rules, section 12, beyond
`classic`, and what the option of the game for two may be."""

import re
from collections import Counter
from typing import Final, get_args

import pytest

from domain.events import Options
from domain.lobby import create
from domain.rulesets import RULESETS, Table, TurnStructure, table_for
from tests.domain.editions import PLAYERS, PRINTING_B, SETUPS, Setup, final_exhaustion
from tests.domain.play import SEED, begun

BASE_GAME: Final = {
    "blue": 20,
    "chili": 18,
    "stink": 16,
    "green": 14,
    "soy": 12,
    "black_eyed": 10,
    "red": 8,
    "garden": 6,
}
LARGE_GAME: Final = {"coffee": 24, "wax": 22, **BASE_GAME, "cocoa": 4}

# reshuffle, tie-break, cards that each drawer draws, who draws, when a field is bought
POLICIES: Final = {
    "boonanza": ("next_draw", "shared", 3, "active", "own_turn"),
    "amigo_classic": ("at_once", "shared", 3, "active", "any_time"),
    "amigo_2023": ("at_once", "farthest_clockwise", 3, "active", None),
    "new_beans": ("at_once", "farthest_clockwise", 1, "everyone", None),
    "field_beans": ("at_once", "farthest_clockwise", 1, "everyone", None),
}
# players: cards in play, deck after dealing, fields at the start, price of a third
NUMBERS: Final[dict[str, dict[int, tuple[int, int, int, int | None]]]] = {
    "boonanza": {3: (104, 89, 2, 3), 4: (104, 84, 2, 3), 5: (104, 79, 2, 3)},
    "amigo_classic": {3: (104, 89, 2, 3), 4: (104, 84, 2, 3), 5: (104, 79, 2, 3)},
    "amigo_2023": {3: (104, 89, 3, None), 4: (104, 84, 2, None), 5: (104, 79, 2, None)},
    "new_beans": {
        3: (150, 135, 3, None),
        4: (130, 110, 2, None),
        5: (130, 105, 2, None),
        6: (144, 114, 2, None),
        7: (144, 109, 2, None),
    },
    "field_beans": {4: (129, 109, 2, None), 5: (129, 104, 2, None)},
}
REMOVED: Final = {3: ("cocoa",), 4: ("coffee",), 5: ("coffee",), 6: ("cocoa", "garden"), 7: ("cocoa", "garden")}
ROWS: Final = [(ruleset, players) for ruleset, counts in NUMBERS.items() for players in counts]


def cards_of(ruleset: str, players: int) -> dict[str, int]:
    match ruleset:
        case "new_beans":
            return {kind: count for kind, count in LARGE_GAME.items() if kind not in REMOVED[players]}
        case "field_beans":
            return {"wax": 22, **BASE_GAME, "field_bean": 3}
        case _:
            return BASE_GAME


def test_there_are_these_editions() -> None:
    assert {name: tuple(ruleset.tables) for name, ruleset in RULESETS.items()} == PLAYERS
    assert next(iter(RULESETS)) == "classic"
    assert all(name == ruleset.name for name, ruleset in RULESETS.items())


@pytest.mark.parametrize(("ruleset", "players"), ROWS)
def test_80_the_cards_and_numbers_of_every_edition(ruleset: str, players: int) -> None:
    """Deck composition and sizes of the table of presets."""
    cards, deck, fields, price = NUMBERS[ruleset][players]
    table = table_for(ruleset, players)
    assert table.deck == cards_of(ruleset, players)
    assert table.cards == cards
    assert table.hand_sizes == (5,) * players
    assert (table.fields, table.field_price, table.reveal) == (fields, price, 2)
    assert table.most_fields == (3 if price or ruleset == "field_beans" else fields)
    assert (table.turn, table.harvest, table.field_payment) == ("trading", "any_time", "discard_pile")
    state = begun(Setup(ruleset, players)).state
    assert len(state.deck) == deck
    assert [len(seat.fields) for seat in state.seats] == [fields] * players
    assert [len(seat.hand) for seat in state.seats] == [5] * players


@pytest.mark.parametrize(("ruleset", "players"), ROWS)
def test_80_the_policies_of_every_edition(ruleset: str, players: int) -> None:
    reshuffle, tie_break, draw, drawers, purchase = POLICIES[ruleset]
    edition, table = RULESETS[ruleset], table_for(ruleset, players)
    assert (edition.reshuffle, edition.tie_break) == (reshuffle, tie_break)
    assert (table.draw, table.drawers) == (draw, drawers)
    assert purchase is None or table.field_purchase == purchase


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_72_every_edition_ends_with_its_exhaustion(setup: Setup) -> None:
    """`boonanza` and the Amigo presets: the 3rd, also with three players; `new_beans`: 2nd with three, else 3rd."""
    table = table_for(setup.ruleset, setup.players, setup.options)
    assert table.final_exhaustion == final_exhaustion(setup)
    # A deal at setup can never exhaust the deck: smallest deck after dealing is 79.
    assert table.cards - sum(table.hand_sizes) >= 79


@pytest.mark.parametrize("options", [Options(), Options(duel_fields=2)])
def test_80_the_duel_in_printing_a(options: Options) -> None:
    """Two fields each; a third may be bought once for 3 coins, which go into the box; only in the own turn."""
    table = table_for("classic", 2, options)
    assert table.deck == {kind: count for kind, count in LARGE_GAME.items() if kind not in ("garden", "cocoa")}
    assert (table.cards, table.hand_sizes) == (144, (5, 5))
    assert (table.fields, table.field_price, table.field_purchase, table.field_payment) == (2, 3, "own_turn", "box")
    assert (table.turn, table.harvest, table.most_fields) == ("duel", "own_turn", 3)
    assert (table.reveal, table.draw, table.drawers, table.final_exhaustion) == (3, 2, "active", 1)


def test_80_the_duel_in_printing_b() -> None:
    """Three fields from the start, no purchase."""
    state = begun(Setup("classic", 2, PRINTING_B)).state
    assert [len(seat.fields) for seat in state.seats] == [3, 3]
    assert state.table.field_price is None
    assert table_for("classic", 2).deck == state.table.deck
    assert (state.table.reveal, state.table.draw, state.table.final_exhaustion) == (3, 2, 1)
    assert len(state.deck) == 134


@pytest.mark.parametrize(
    ("ruleset", "players", "printing", "sentence"),
    [
        ("classic", 4, 3, "duel_fields belongs to a game for two (classic with 2 players); classic with 4 players"),
        ("classic", 4, 2, "duel_fields belongs to a game for two"),
        ("amigo_2023", 3, 3, "amigo_2023 with 3 players has no such option"),
        ("classic", 2, 4, "duel_fields is 2 or 3, not 4"),
        ("classic", 2, 0, "duel_fields is 2 or 3, not 0"),
        ("boonanza", 2, 3, "boonanza is played by 3, 4 or 5 players, not by 2"),
        ("classic", 8, None, "classic is played by 2, 3, 4, 5, 6 or 7 players, not by 8"),
        ("field_beans", 3, None, "field_beans is played by 4 or 5 players, not by 3"),
        ("chess", 2, None, "choose one of classic, boonanza, amigo_classic, amigo_2023, new_beans, field_beans"),
    ],
)
def test_what_is_not_offered_is_refused_with_what_is(
    ruleset: str, players: int, printing: int | None, sentence: str
) -> None:
    options = Options() if printing is None else Options(duel_fields=printing)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        create(
            ruleset=ruleset,
            seats=players,
            visibility="public",
            options=options,
            host="player",
            seed=SEED,
            nonce="",
        )


@pytest.mark.parametrize("ruleset", PLAYERS)
@pytest.mark.parametrize("players", [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 99])
def test_80_other_numbers_of_players_are_rejected(ruleset: str, players: int) -> None:
    """1 and 8 players rejected."""
    if players in PLAYERS[ruleset]:
        assert table_for(ruleset, players).players == players
    else:
        with pytest.raises(ValueError, match=f"not by {players}"):
            table_for(ruleset, players)


def all_tables() -> list[Table]:
    return [table for edition in RULESETS.values() for table in (*edition.tables.values(), *edition.duels.values())]


def test_every_turn_structure_is_played_by_an_edition() -> None:
    assert {table.turn for table in all_tables()} == set(get_args(TurnStructure))


def test_every_table_has_as_many_hands_as_players() -> None:
    for table in all_tables():
        assert len(table.hand_sizes) == table.players
        assert Counter(table.deck).total() == table.cards
