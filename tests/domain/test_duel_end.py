"""The end of the game for two: edge cases 94 and 95 of the rules, section 12, and the ranking."""

import pytest

from domain.cards import Card
from domain.commands import BuyField, EndTurn, Harvest, Plant, Reveal
from domain.events import (
    BeanPlanted,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    DeckExhausted,
    FieldHarvested,
    GameEnded,
    GiftsLeft,
    Options,
    Rank,
    TurnStarted,
)
from tests.domain.editions import PRINTING_B
from tests.domain.scenario import SEED, At, Scenario, given


def duel(
    seats: dict[int, At] | None = None,
    *,
    deck: str,
    discard: str = "",
    face_up: str = "",
    start: int = 0,
    options: Options = Options(),  # noqa: B008 - it is frozen
) -> Scenario:
    return given(
        seats or {},
        players=2,
        options=options,
        phase="keep" if face_up else "plant",
        deck=deck,
        discard=discard,
        face_up=face_up,
        start=start,
    )


def test_94_an_exhaustion_in_step_3_lets_step_3_be_finished() -> None:
    """Deck 2 at step 3: two revealed, exhaustion, step 3 finished, game over without step 4 and without the
    opponent's step 1."""
    game = duel({0: At(fields="wax x3")}, deck="wax blue", discard="stink x9 blue")
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "wax"), Card(first + 1, "blue")]),
        DeckExhausted(1, final=True),
        CardsSwept(0, [Card(first + 2, "blue")]),
    )
    game.when(0, Plant(first, 0)).then(BeanPlanted(0, 0, first, "wax", "face_up"))
    assert game.state.status == "running"
    left, harvested, ended = game.when(0, EndTurn()).legal()
    assert left == GiftsLeft(0, [Card(first + 1, "blue"), Card(first + 2, "blue")])
    assert harvested == FieldHarvested(0, 0, "wax", count=4, coins=1, discarded=3, final=True)
    assert isinstance(ended, GameEnded)
    # The unplanted cards are worth nothing: not even for the tie-break.
    assert ended.ranking == [Rank(0, 1, 0, 1), Rank(1, 0, 0, 2)]
    assert game.hand(0) == ""
    assert game.state.phase is None


@pytest.mark.parametrize("options", [Options(), PRINTING_B])
@pytest.mark.parametrize("deck", ["wax", "wax blue", "wax blue soy"])
def test_94_with_any_of_the_three_cards(deck: str, options: Options) -> None:
    """During step 3: no further reveal, no reshuffle."""
    game = duel(deck=deck, discard="stink x9", options=options)
    events = game.when(0, Reveal()).legal()
    assert [type(event) for event in events] == [CardsRevealed, DeckExhausted]
    assert events[1] == DeckExhausted(1, final=True)
    assert len(game.state.face_up) == len(deck.split())
    assert isinstance(game.when(0, EndTurn()).legal()[-1], GameEnded)


def test_94_harvests_and_purchases_go_on_until_the_turn_is_ended() -> None:
    game = duel({0: At(fields="red x2 | blue", coins="stink x2")}, deck="wax", discard="soy")
    game.after(0, Reveal()).after(0, Harvest(0)).after(0, BuyField())
    game.when(1, Harvest(0)).refused("not_your_turn")


def test_95_an_exhaustion_in_step_4_ends_the_game_at_once() -> None:
    """Deck 1 at step 4: one card drawn, game over at once."""
    game = duel({1: At(fields="red x2")}, deck="wax", discard="stink x9", face_up="blue:31")
    first = game.state.next_card
    left, drawn, exhausted, harvested, ended = game.when(0, EndTurn()).legal()
    assert left == GiftsLeft(0, [Card(31, "blue")])
    assert drawn == CardsDrawn(0, [Card(first, "wax")])
    assert exhausted == DeckExhausted(1, final=True)
    assert harvested == FieldHarvested(1, 0, "red", count=2, coins=1, discarded=1, final=True)
    assert isinstance(ended, GameEnded)
    # An offer on the table is worth nothing.
    assert ended.ranking == [Rank(1, 1, 0, 1), Rank(0, 0, 1, 2)]
    assert ended.seed == SEED.hex()
    assert game.gifts == "blue:31"


@pytest.mark.parametrize("options", [Options(), PRINTING_B])
def test_95_the_last_two_cards_end_the_game_too(options: Options) -> None:
    """Exhaustion happens the moment the last card leaves the draw deck."""
    game = duel(deck="wax soy", face_up="blue:31", options=options)
    events = game.when(0, EndTurn()).legal()
    assert [type(event) for event in events] == [GiftsLeft, CardsDrawn, DeckExhausted, GameEnded]
    assert len(game.state.seats[0].hand) == 2


def test_95_with_three_cards_left_the_game_goes_on() -> None:
    game = duel(deck="wax soy red", face_up="blue:31")
    assert game.when(0, EndTurn()).legal()[-1] == TurnStarted(10, 1)
    assert game.state.exhaustions == 0


def test_77_among_equals_the_larger_hand_wins_in_a_duel_too() -> None:
    """Scoring and tie-break as for more players."""
    game = duel(
        {0: At(coins="red x3", hand="wax"), 1: At(coins="soy x3", hand="blue x3")}, deck="wax", face_up="stink:31"
    )
    last = game.when(0, EndTurn()).legal()[-1]
    assert isinstance(last, GameEnded)
    assert last.ranking == [Rank(1, 3, 3, 1), Rank(0, 3, 2, 2)]
    assert last.winners == [1]


def test_77_full_equals_share_the_victory_in_a_duel_too() -> None:
    game = duel(
        {0: At(coins="red x3", hand="wax"), 1: At(coins="soy x3", hand="blue x2")}, deck="wax", face_up="stink:31"
    )
    last = game.when(0, EndTurn()).legal()[-1]
    assert isinstance(last, GameEnded)
    assert last.winners == [0, 1]
    assert [row.rank for row in last.ranking] == [1, 1]


def test_76_the_last_harvest_goes_from_the_starting_player_on() -> None:
    game = duel({0: At(fields="red x2 | blue"), 1: At(fields="soy x2 | wax")}, deck="wax", face_up="stink:31", start=1)
    events = game.when(0, EndTurn()).legal()
    assert [(event.seat, event.field) for event in events if isinstance(event, FieldHarvested)] == [
        (1, 0),
        (1, 1),
        (0, 0),
        (0, 1),
    ]
    assert game.coins(0) == 1
    assert game.coins(1) == 1


def test_93_what_was_bought_with_is_out_of_the_game_at_the_end() -> None:
    """Final totals conserved with the box."""
    game = duel({0: At(coins="green x3 stink x1"), 1: At(coins="soy x2")}, deck="wax", face_up="red:31")
    before = len(game.state.box)
    game.after(0, BuyField())
    last = game.when(0, EndTurn()).legal()[-1]
    assert isinstance(last, GameEnded)
    assert last.ranking == [Rank(1, 2, 0, 1), Rank(0, 1, 1, 2)]
    assert len(game.state.box) == before + 3
