"""The deck runs out: edge cases 66 to 75 of the rules, section 12, and the order of the events then."""

from collections import Counter

import pytest

from domain.cards import Card
from domain.commands import Accept, BuyField, EndTrading, Harvest, Offer, Plant, Reveal
from domain.events import (
    BeanPlanted,
    CardsDrawn,
    CardsRevealed,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldHarvested,
    GameEnded,
    TradingEnded,
    TurnStarted,
)
from domain.state import Phase
from tests.domain.editions import PLAYERS
from tests.domain.scenario import At, Scenario, given

ACTIVE_DRAWS = ["classic", "boonanza", "amigo_classic", "amigo_2023"]
"""Both reshuffle policies; where every player draws one card, `test_everyone_draws` tells the same."""


def kinds_of(event: Event) -> Counter[str]:
    assert isinstance(event, DeckShuffled)
    assert event.beans is not None
    assert event.size == len(event.beans)
    return Counter(event.beans)


@pytest.mark.parametrize("ruleset", PLAYERS)
def test_66_an_interrupted_reveal_goes_on_from_the_new_deck(ruleset: str) -> None:
    """4 players, deck 1, discard 5, exhaustions 0, reveal: one card, exhaustion 1, reshuffle of 5, second card
    from the new deck, deck 4. The same under both reshuffle policies."""
    game = given({0: At()}, ruleset=ruleset, deck="chili", discard="blue x3 red x2")
    first = game.state.next_card
    one, exhausted, shuffled, two = game.when(0, Reveal()).legal()
    assert one == CardsRevealed(0, [Card(first, "chili")])
    assert exhausted == DeckExhausted(1, final=False)
    assert isinstance(shuffled, DeckShuffled)
    assert shuffled.shuffle == 2
    assert kinds_of(shuffled) == {"blue": 3, "red": 2}
    assert shuffled.beans is not None
    assert two == CardsRevealed(0, [Card(first + 1, shuffled.beans[0])])
    assert len(game.state.deck) == 4
    assert game.discard == ""
    assert game.state.exhaustions == 1
    assert len(game.state.face_up) == 2


@pytest.mark.parametrize("ruleset", ["classic", "boonanza"])
def test_67_the_draw_takes_the_last_card_and_the_reshuffle_waits(ruleset: str) -> None:
    """4 players, deck exactly 3 in phase 4, exhaustions 0: all three drawn, exhaustion 1, next turn normal.
    `classic`: the deck stays empty until the next reveal, and what is harvested in phase 1 is shuffled in."""
    game = given(
        {0: At(), 1: At(fields="red x4")}, ruleset=ruleset, phase="trade", deck="chili blue soy", discard="stink x2"
    )
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "chili"), Card(first + 1, "blue"), Card(first + 2, "soy")]),
        DeckExhausted(1, final=False),
        TurnStarted(10, 1),
    )
    assert game.state.deck == []
    game.after(1, Harvest(0))
    shuffled, revealed = game.when(1, Reveal()).legal()
    assert kinds_of(shuffled) == {"stink": 2, "red": 1}
    assert isinstance(revealed, CardsRevealed)
    assert len(revealed.cards) == 2
    assert game.state.exhaustions == 1


@pytest.mark.parametrize("ruleset", ["amigo_classic", "amigo_2023"])
def test_67_or_the_reshuffle_comes_at_once(ruleset: str) -> None:
    """`amigo_2023`: reshuffled at once, that harvest stays in the new discard pile."""
    game = given(
        {0: At(), 1: At(fields="red x4")},
        ruleset=ruleset,
        phase="trade",
        deck="chili blue soy",
        discard="stink x2",
    )
    _, drawn, exhausted, shuffled, turn = game.when(0, EndTrading()).legal()
    assert isinstance(drawn, CardsDrawn)
    assert exhausted == DeckExhausted(1, final=False)
    assert kinds_of(shuffled) == {"stink": 2}
    assert turn == TurnStarted(10, 1)
    game.after(1, Harvest(0))
    assert game.discard == "red"


@pytest.mark.parametrize("ruleset", ACTIVE_DRAWS)
def test_68_the_third_exhaustion_in_phase_4_ends_the_game_at_once(ruleset: str) -> None:
    """Deck exactly 3 in phase 4, exhaustions 2: the third draw is the third exhaustion: game over immediately."""
    game = given({0: At()}, ruleset=ruleset, phase="trade", deck="chili blue soy", discard="stink x2", exhaustions=2)
    events = game.when(0, EndTrading()).legal()
    assert [type(event) for event in events] == [TradingEnded, CardsDrawn, DeckExhausted, GameEnded]
    assert events[2] == DeckExhausted(3, final=True)
    assert game.state.status == "ended"
    assert game.discard == "stink stink"


def test_69_what_was_drawn_before_the_end_counts_for_the_tie_break() -> None:
    """Deck 2 in phase 4, exhaustions 2: two cards drawn, the third draw is lost, game over."""
    game = given({0: At(), 1: At(hand="red:1")}, phase="trade", deck="chili blue", discard="stink", exhaustions=2)
    first = game.state.next_card
    _, drawn, exhausted, ended = game.when(0, EndTrading()).legal()
    assert drawn == CardsDrawn(0, [Card(first, "chili"), Card(first + 1, "blue")])
    assert exhausted == DeckExhausted(3, final=True)
    assert isinstance(ended, GameEnded)
    assert [(row.seat, row.hand_size, row.rank) for row in ended.ranking] == [
        (0, 2, 1),
        (1, 1, 2),
        (2, 0, 3),
        (3, 0, 3),
    ]
    assert ended.winners == [0]


@pytest.mark.parametrize("ruleset", ["boonanza", "amigo_classic", "amigo_2023"])
def test_69_what_was_not_drawn_before_the_end_is_lost(ruleset: str) -> None:
    """Deck 2 in phase 4, exhaustions 2: two cards drawn, the third draw is lost, game over."""
    game = given({0: At()}, ruleset=ruleset, phase="trade", deck="chili blue", discard="stink", exhaustions=2)
    events = game.when(0, EndTrading()).legal()
    assert [type(event) for event in events] == [TradingEnded, CardsDrawn, DeckExhausted, GameEnded]
    assert len(game.state.seats[0].hand) == 2
    assert game.discard == "stink"


def before_a_final_reveal(deck: str, ruleset: str) -> Scenario:
    return given({0: At(), 2: At(hand="green:5")}, ruleset=ruleset, deck=deck, discard="stink x9", exhaustions=2)


@pytest.mark.parametrize("ruleset", ACTIVE_DRAWS)
def test_70_a_final_exhaustion_with_the_first_card_of_the_reveal(ruleset: str) -> None:
    """Deck 1 at the reveal, exhaustions 2: one face-up card, trade and phase 3 are played, no phase 4, game over."""
    game = before_a_final_reveal("chili", ruleset)
    first = game.state.next_card
    game.when(0, Reveal()).then(CardsRevealed(0, [Card(first, "chili")]), DeckExhausted(3, final=True))
    assert game.state.phase == "trade"
    game.after(2, Offer(to=0, give=[5], want_cards=[first])).after(0, EndTrading())
    planted, harvested, ended = game.when(0, Plant(first, 0)).legal()
    assert planted == BeanPlanted(0, 0, first, "chili", "pending")
    assert harvested == FieldHarvested(0, 0, "chili", count=1, coins=0, discarded=1, final=True)
    assert isinstance(ended, GameEnded)
    assert game.hand(0) == ""


@pytest.mark.parametrize("ruleset", ACTIVE_DRAWS)
def test_71_a_final_exhaustion_with_the_second_card_of_the_reveal(ruleset: str) -> None:
    """Deck 2 at the reveal, exhaustions 2: both revealed, same ending."""
    game = before_a_final_reveal("chili chili", ruleset)
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "chili"), Card(first + 1, "chili")]), DeckExhausted(3, final=True)
    )
    game.after(0, EndTrading()).after(0, Plant(first, 0))
    assert [type(event) for event in game.when(0, Plant(first + 1, 0)).legal()] == [
        BeanPlanted,
        FieldHarvested,
        GameEnded,
    ]


def test_71_without_pending_cards_the_game_ends_with_the_trading() -> None:
    game = given({0: At()}, phase="trade", deck="", exhaustions=3, final=True)
    events = game.when(0, EndTrading()).legal()
    assert [type(event) for event in events] == [TradingEnded, GameEnded]


def test_72_three_players_end_with_the_second_exhaustion() -> None:
    """3 players: the second exhaustion is final; the first reshuffles."""
    first = given({0: At()}, players=3, deck="wax", discard="blue x5")
    assert [type(event) for event in first.when(0, Reveal()).legal()] == [
        CardsRevealed,
        DeckExhausted,
        DeckShuffled,
        CardsRevealed,
    ]
    second = given({0: At()}, players=3, deck="wax", discard="blue x5", exhaustions=1)
    _, exhausted = second.when(0, Reveal()).legal()
    assert exhausted == DeckExhausted(2, final=True)


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_72_more_players_end_with_the_third(players: int) -> None:
    second = given({0: At()}, players=players, deck="wax blue", discard="blue x5", exhaustions=1)
    assert DeckExhausted(2, final=False) in second.when(0, Reveal()).legal()
    third = given({0: At()}, players=players, deck="wax blue", discard="blue x5", exhaustions=2)
    assert DeckExhausted(3, final=True) in third.when(0, Reveal()).legal()


@pytest.mark.parametrize("ruleset", ["boonanza", "amigo_classic", "amigo_2023"])
def test_72_with_104_cards_three_players_end_with_the_third(ruleset: str) -> None:
    """Section 3: 3rd, also with 3 players."""
    second = given({0: At()}, players=3, ruleset=ruleset, deck="chili blue", discard="blue x5", exhaustions=1)
    assert DeckExhausted(2, final=False) in second.when(0, Reveal()).legal()
    third = given({0: At()}, players=3, ruleset=ruleset, deck="chili blue", discard="blue x5", exhaustions=2)
    assert DeckExhausted(3, final=True) in third.when(0, Reveal()).legal()


@pytest.mark.parametrize("phase", ["plant", "trade", "settle"])
def test_73_a_field_is_bought_in_the_own_turn_only(phase: Phase) -> None:
    """`boonanza`: buying a field outside the own turn is rejected; during it, in any phase, accepted."""
    game = given({0: At(coins="green x3"), 1: At(coins="stink x3")}, ruleset="boonanza", phase=phase)
    game.when(1, BuyField()).refused("not_your_turn")
    game.when(0, BuyField()).legal()


@pytest.mark.parametrize("ruleset", ACTIVE_DRAWS)
def test_74_a_reshuffle_that_found_no_cards_is_made_up_for(ruleset: str) -> None:
    """Empty discard at exhaustion 1 (constructed): deck stays empty; a harvest later in the turn fills the discard;
    the next draw reshuffles it without raising the count."""
    game = given({0: At(), 2: At(fields="stink x5")}, ruleset=ruleset, deck="chili blue", discard="")
    first = game.state.next_card
    game.when(0, Reveal()).then(
        CardsRevealed(0, [Card(first, "chili"), Card(first + 1, "blue")]), DeckExhausted(1, final=False)
    )
    game.when(2, Harvest(0)).then(FieldHarvested(2, 0, "stink", count=5, coins=2, discarded=3, final=False))
    game.after(0, EndTrading()).after(0, Plant(first, 0))
    planted, shuffled, drawn, exhausted, turn = game.when(0, Plant(first + 1, 1)).legal()
    assert isinstance(planted, BeanPlanted)
    assert kinds_of(shuffled) == {"stink": 3}
    assert drawn == CardsDrawn(0, [Card(first + 2 + place, "stink") for place in range(3)])
    # The three cards were a deck of their own, and its last card was drawn: that is the second exhaustion.
    assert exhausted == DeckExhausted(2, final=False)
    assert turn == TurnStarted(10, 1)


def test_74_the_count_is_not_raised_by_the_shuffle_itself() -> None:
    game = given({0: At(fields="stink x6")}, deck="", discard="", exhaustions=1)
    game.after(0, Harvest(0))
    assert game.discard == "stink stink stink stink"
    game.after(0, Reveal())
    assert game.state.exhaustions == 1
    assert not game.state.final_exhaustion
    assert len(game.state.deck) == 2


@pytest.mark.parametrize("ruleset", PLAYERS)
def test_75_both_piles_empty_at_a_draw_end_the_game(ruleset: str) -> None:
    """Both piles empty at a phase 4 draw (constructed): game over. The draw counts as the final exhaustion, with four
    players the third everywhere, although only one was before it."""
    game = given({0: At(hand="red:1")}, ruleset=ruleset, phase="trade", deck="", discard="", exhaustions=1)
    ended, exhausted, over = game.when(0, EndTrading()).legal()
    assert ended == TradingEnded(0, [])
    assert exhausted == DeckExhausted(3, final=True)
    assert isinstance(over, GameEnded)


@pytest.mark.parametrize("ruleset", PLAYERS)
def test_75_both_piles_empty_at_a_reveal_finish_the_turn(ruleset: str) -> None:
    """... at a reveal: phases 2-3 finished with no face-up cards, game over. It begins with a reveal as ever."""
    game = given({0: At()}, ruleset=ruleset, deck="", discard="", exhaustions=1)
    game.when(0, Reveal()).then(CardsRevealed(0, []), DeckExhausted(3, final=True))
    assert game.state.phase == "trade"
    assert game.face_up == ""
    assert isinstance(game.when(0, EndTrading()).legal()[-1], GameEnded)


def test_75_trading_with_hand_cards_is_still_possible_then() -> None:
    """Section 9.4: in phase 2 finish phases 2-3 (trading with hand cards is still possible) and end."""
    game = given({0: At(hand="wax:9"), 1: At(hand="green:5")}, deck="", discard="", exhaustions=1, planted=1)
    game.after(0, Reveal()).after(1, Offer(to=0, give=[5], want={"wax": 1})).after(0, Accept(1, [9]))
    game.after(0, EndTrading()).after(0, Plant(5, 0))
    assert game.state.status == "running"
    assert isinstance(game.when(1, Plant(9, 0)).legal()[-1], GameEnded)


def test_75_the_second_card_of_a_reveal_finds_both_piles_empty() -> None:
    game = given({0: At()}, deck="wax", discard="")
    first = game.state.next_card
    revealed, exhausted, final = game.when(0, Reveal()).legal()
    assert revealed == CardsRevealed(0, [Card(first, "wax")])
    assert exhausted == DeckExhausted(1, final=False)
    assert isinstance(final, DeckExhausted)
    assert final.final
    game.after(0, EndTrading())
    assert isinstance(game.when(0, Plant(first, 0)).legal()[-1], GameEnded)


@pytest.mark.parametrize("ruleset", ["classic", "amigo_2023"])
def test_an_interrupted_draw_goes_on_from_the_new_deck(ruleset: str) -> None:
    """An event that takes cards ends where the deck ends; then the exhaustion, the shuffle, and the rest."""
    game = given({0: At()}, ruleset=ruleset, phase="trade", deck="chili blue", discard="soy x4")
    first = game.state.next_card
    _, two, exhausted, shuffled, one, turn = game.when(0, EndTrading()).legal()
    assert two == CardsDrawn(0, [Card(first, "chili"), Card(first + 1, "blue")])
    assert exhausted == DeckExhausted(1, final=False)
    assert shuffled == DeckShuffled(2, 4, ["soy"] * 4)
    assert one == CardsDrawn(0, [Card(first + 2, "soy")])
    assert turn == TurnStarted(10, 1)


def test_one_draw_may_exhaust_two_decks() -> None:
    game = given({0: At()}, phase="trade", deck="wax", discard="soy x2")
    first = game.state.next_card
    game.when(0, EndTrading()).then(
        TradingEnded(0, []),
        CardsDrawn(0, [Card(first, "wax")]),
        DeckExhausted(1, final=False),
        DeckShuffled(2, 2, ["soy", "soy"]),
        CardsDrawn(0, [Card(first + 1, "soy"), Card(first + 2, "soy")]),
        DeckExhausted(2, final=False),
        TurnStarted(10, 1),
    )


def test_a_reshuffled_card_gets_a_new_number() -> None:
    """A number is never reused, so that it never lets anyone follow a hidden card."""
    game = given({0: At(fields="soy:11 soy:12")}, deck="", discard="", exhaustions=1)
    first = game.state.next_card
    game.after(0, Harvest(0))
    game.when(0, Reveal()).then(
        DeckShuffled(3, 1, ["soy"]),
        CardsRevealed(0, [Card(first, "soy")]),
        DeckExhausted(2, final=False),
        DeckExhausted(3, final=True),
    )
