"""Editions in which every player draws a card in phase 4, the active one first and then clockwise
(rules, sections 3, 5 and 9)."""

import pytest

from domain.cards import Card
from domain.commands import EndTrading, Harvest, Plant, Reveal
from domain.events import (
    BeanPlanted,
    CardsDrawn,
    CardsRevealed,
    DeckExhausted,
    DeckShuffled,
    FieldHarvested,
    GameEnded,
    TradingEnded,
    TurnStarted,
)
from tests.domain.scenario import At, given

EVERYONE_DRAWS = ["new_beans", "field_beans"]


@pytest.mark.parametrize("ruleset", EVERYONE_DRAWS)
def test_every_player_draws_one_card_clockwise_from_the_active_one(ruleset: str) -> None:
    game = given({}, ruleset=ruleset, phase="trade", active=2, deck="wax blue soy red stink")
    first = game.state.next_card
    game.when(2, EndTrading()).then(
        TradingEnded(2, []),
        CardsDrawn(2, [Card(first, "wax")]),
        CardsDrawn(3, [Card(first + 1, "blue")]),
        CardsDrawn(0, [Card(first + 2, "soy")]),
        CardsDrawn(1, [Card(first + 3, "red")]),
        TurnStarted(10, 3),
    )
    assert game.hand(1) == f"red:{first + 3}"


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_there_are_as_many_draws_as_players(players: int) -> None:
    game = given({}, players=players, ruleset="new_beans", phase="trade")
    events = game.when(0, EndTrading()).legal()
    draws = [event for event in events if isinstance(event, CardsDrawn)]
    assert [(draw.seat, len(draw.cards)) for draw in draws] == [(seat, 1) for seat in range(players)]


def test_the_card_goes_behind_the_hand() -> None:
    game = given({1: At(hand="red:5")}, ruleset="new_beans", phase="trade", deck="wax blue soy red stink")
    first = game.state.next_card
    game.after(0, EndTrading())
    assert game.hand(1) == f"red:5 blue:{first + 1}"


@pytest.mark.parametrize("ruleset", EVERYONE_DRAWS)
def test_an_exhaustion_between_two_players_is_followed_by_the_new_deck_at_once(ruleset: str) -> None:
    game = given({}, ruleset=ruleset, phase="trade", deck="wax blue", discard="soy x4")
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "wax")]),
        CardsDrawn(1, [Card(first + 1, "blue")]),
        DeckExhausted(1, final=False),
        DeckShuffled(2, 4, ["soy"] * 4),
        CardsDrawn(2, [Card(first + 2, "soy")]),
        CardsDrawn(3, [Card(first + 3, "soy")]),
        TurnStarted(10, 1),
    )


def test_67_an_exhaustion_with_the_last_player_is_followed_by_the_new_deck_too() -> None:
    game = given({}, ruleset="new_beans", phase="trade", deck="wax blue red stink", discard="soy x4")
    *_, last, exhausted, shuffled, turn = game.when(0, EndTrading()).legal()
    assert isinstance(last, CardsDrawn)
    assert last.seat == 3
    assert exhausted == DeckExhausted(1, final=False)
    assert shuffled == DeckShuffled(2, 4, ["soy"] * 4)
    assert turn == TurnStarted(10, 1)
    assert len(game.state.deck) == 4


def test_69_a_final_exhaustion_in_the_middle_ends_the_game_at_once() -> None:
    """During phase 4 the game ends immediately: cards already drawn stay in the hand, the rest are not drawn."""
    game = given({0: At(fields="red x5")}, ruleset="new_beans", phase="trade", deck="wax blue", discard="soy x4",
                 exhaustions=2)  # fmt: skip
    first = game.state.next_card
    ended, one, two, exhausted, harvested, over = game.when(0, EndTrading()).legal()
    assert ended == TradingEnded(0, [])
    assert one == CardsDrawn(0, [Card(first, "wax")])
    assert two == CardsDrawn(1, [Card(first + 1, "blue")])
    assert exhausted == DeckExhausted(3, final=True)
    assert harvested.__struct_config__.tag == "field_harvested"
    assert isinstance(over, GameEnded)
    assert {row.seat: row.hand_size for row in over.ranking} == {0: 1, 1: 1, 2: 0, 3: 0}
    assert game.hand(2) == game.hand(3) == ""


def test_72_three_players_end_with_the_second_exhaustion() -> None:
    """`new_beans`: 2nd with three, else 3rd."""
    game = given({}, players=3, ruleset="new_beans", phase="trade", deck="wax blue", discard="soy x4", exhaustions=1)
    events = game.when(0, EndTrading()).legal()
    assert DeckExhausted(2, final=True) in events
    assert isinstance(events[-1], GameEnded)


@pytest.mark.parametrize("ruleset", EVERYONE_DRAWS)
def test_68_a_final_exhaustion_with_the_last_player_ends_the_game_at_once(ruleset: str) -> None:
    """The last draw is the third exhaustion: game over immediately, next player gets no turn."""
    game = given({}, ruleset=ruleset, phase="trade", deck="chili blue red stink", discard="soy x4", exhaustions=2)
    events = game.when(0, EndTrading()).legal()
    assert [type(event) for event in events] == [TradingEnded, *[CardsDrawn] * 4, DeckExhausted, GameEnded]
    assert events[-2] == DeckExhausted(3, final=True)
    assert game.discard == "soy soy soy soy"


@pytest.mark.parametrize("ruleset", EVERYONE_DRAWS)
@pytest.mark.parametrize("deck", ["chili", "chili blue"])
def test_70_71_a_final_reveal_is_played_to_the_end_without_a_draw(deck: str, ruleset: str) -> None:
    """Deck 1 or 2 at the reveal, exhaustions 2: trade and phase 3 are played, no phase 4, game over."""
    game = given({0: At()}, ruleset=ruleset, deck=deck, discard="soy x9", exhaustions=2)
    assert game.when(0, Reveal()).legal()[1:] == [DeckExhausted(3, final=True)]
    *before, last = game.state.face_up
    assert len(before) + 1 == len(deck.split())
    game.after(0, EndTrading())
    for card in before:
        game.after(0, Plant(card, 0))
    _, *harvests, ended = game.when(0, Plant(last, 1)).legal()
    assert [type(event) for event in harvests] == [FieldHarvested] * len(deck.split())
    assert isinstance(ended, GameEnded)
    assert not any(seat.hand for seat in game.state.seats)


def test_one_round_of_draws_may_exhaust_two_decks() -> None:
    game = given({}, ruleset="new_beans", phase="trade", deck="wax", discard="soy x2")
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "wax")]),
        DeckExhausted(1, final=False),
        DeckShuffled(2, 2, ["soy", "soy"]),
        CardsDrawn(1, [Card(first + 1, "soy")]),
        CardsDrawn(2, [Card(first + 2, "soy")]),
        DeckExhausted(2, final=False),
        # Nothing is left to be shuffled, so the fourth draw finds both piles empty: that is the final exhaustion.
        DeckExhausted(3, final=True),
        *game_over(),
    )


def game_over() -> list[GameEnded]:
    """Nobody has coins or fields; the farthest clockwise from the starting seat 0 wins."""
    game = given({0: At(hand="wax"), 1: At(hand="soy"), 2: At(hand="soy")}, ruleset="new_beans", phase="trade",
                 deck="", exhaustions=3, final=True)  # fmt: skip
    last = game.when(0, EndTrading()).legal()[-1]
    assert isinstance(last, GameEnded)
    assert last.winners == [3]
    return [last]


def test_74_with_an_empty_discard_pile_the_deck_stays_empty_until_the_next_draw() -> None:
    """Empty discard at exhaustion 1: deck stays empty; the next draw reshuffles it without raising the count."""
    game = given({0: At(), 2: At(fields="stink x5")}, ruleset="new_beans", deck="wax blue", discard="")
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "wax"), Card(first + 1, "blue")]), DeckExhausted(1, final=False)
    )
    game.after(2, Harvest(0)).after(0, EndTrading()).after(0, Plant(first, 0))
    assert game.when(0, Plant(first + 1, 1)).legal()[:3] == [
        BeanPlanted(0, 1, first + 1, "blue", "pending"),
        DeckShuffled(2, 3, ["stink"] * 3),
        CardsDrawn(0, [Card(first + 2, "stink")]),
    ]
