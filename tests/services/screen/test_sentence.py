"""What an event is called by people."""

import pytest

from domain.cards import Card
from domain.events import (
    EVENT_TYPES,
    BeanPlanted,
    BotJoined,
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    ClockExpired,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldBought,
    FieldHarvested,
    GameAbandoned,
    GameCreated,
    GameEnded,
    GameStarted,
    GiftsLeft,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    Options,
    PlayerJoined,
    PlayerLeft,
    Rank,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.replay import told
from services.screen.sentence import sentence
from tests.services.screen.recordings import golden

WAX, RED, HIDDEN = Card(12, "wax"), Card(7, "red"), Card(8, None)
PLAYER = "0b4f7c52-1d7e-4a53-8a6e-3f9d3c0f8a77"

SENTENCES: list[tuple[Event, str]] = [
    (
        GameCreated("classic", Options(start_when_full=True, duel_fields=3), 1, 2, "private", None, PLAYER, "ab"),
        "A table for 2 players is set up: classic, private, starts when full, duel_fields 3.",
    ),
    (PlayerJoined(1, PLAYER, ""), "Player 0b4f7c52 takes seat 1."),
    (BotJoined(2, "casual"), "A bot (casual) takes seat 2."),
    (PlayerLeft(1), "Seat 1 is free again."),
    (GameStarted(3, 4), "The game starts with 4 players; seat 3 begins."),
    (DeckShuffled(1, 130, None), "Shuffle 1: the deck has 130 cards."),
    (DeckShuffled(2, 2, ["red", "wax"]), "Shuffle 2: the deck has 2 cards, from the top Red, Wax."),
    (
        DeckShuffled(2, 6, ["red", "wax", "blue", "soy", "cocoa", "chili"]),
        "Shuffle 2: the deck has 6 cards, from the top Red, Wax, Blue, Soy, Cocoa …",
    ),
    (CardsDealt(0, [WAX, RED]), "Seat 0 is dealt 2 cards: Wax, Red."),
    (CardsDealt(0, [HIDDEN, HIDDEN]), "Seat 0 is dealt 2 cards."),
    (TurnStarted(9, 1), "Turn 9: seat 1."),
    (BeanPlanted(0, 1, 12, "wax", "hand"), "Seat 0 plants a Wax bean from the hand in field 1."),
    (BeanPlanted(0, 1, 12, "wax", "gift"), "Seat 0 plants a Wax bean that was left over in field 1."),
    (CardsRevealed(0, [WAX, RED]), "Seat 0 turns up Wax #12, Red #7."),
    (CardsSwept(0, [WAX]), "Seat 0 takes Wax #12 from the discard pile, to the cards that were turned up."),
    (
        TradeOffered(3, 0, None, [WAX], {"red": 1, "wax": 2}, [31], None),
        "Seat 0 offers anyone Wax #12 for 2 Wax, 1 Red, #31 (offer 3).",
    ),
    (
        TradeOffered(4, 1, 0, [], {"black_eyed": 1}, [], 3),
        "Seat 1 offers seat 0 nothing for 1 Black-eyed (offer 4, in answer to offer 3).",
    ),
    (OfferWithdrawn(3), "Offer 3 is withdrawn."),
    (OfferRejected(3, 2), "Seat 2 rejects offer 3."),
    (OfferVoided(3, "card_moved"), "Offer 3 is void: a card in it has gone elsewhere."),
    (OfferVoided(3, "rejected_by_all"), "Offer 3 is void: everybody has rejected it."),
    (TradeCompleted(3, 0, 2, [WAX], [RED]), "Trade: seat 0 gives seat 2 Wax #12 for Red #7 (offer 3)."),
    (TradeCompleted(3, 0, 2, [WAX], []), "Trade: seat 0 gives seat 2 Wax #12 for nothing (offer 3)."),
    (TradingEnded(0, []), "Seat 0 ends the trading and keeps nothing."),
    (TradingEnded(0, [RED]), "Seat 0 ends the trading and keeps Red #7."),
    (FieldHarvested(1, 0, "red", 5, 4, 1, False), "Seat 1 harvests 5 Red beans from field 0: 4 coins, 1 discarded."),
    (
        FieldHarvested(1, 0, "red", 1, 0, 1, True),
        "At the end seat 1 harvests 1 Red bean from field 0: 0 coins, 1 discarded.",
    ),
    (FieldBought(1, 3, [RED]), "Seat 1 buys a field for 3 coins."),
    (CardDiscarded(1, 12, "wax"), "Seat 1 discards a Wax bean."),
    (GiftsLeft(1, [WAX]), "Seat 1 leaves Wax #12 to the opponent."),
    (CardsDrawn(1, [RED]), "Seat 1 draws 1 card: Red."),
    (CardsDrawn(1, [HIDDEN]), "Seat 1 draws 1 card."),
    (CardsDrawn(1, []), "Seat 1 draws 0 cards."),
    (DeckExhausted(1, False), "The deck is used up, exhaustion 1."),
    (DeckExhausted(3, True), "The deck is used up, exhaustion 3: the game will end."),
    (ClockExpired(1), "The time of seat 1 has run out."),
    (SeatHandedOver(1, "casual", "absent"), "A bot (casual) plays on for seat 1: absent."),
    (SeatReclaimed(1), "The player of seat 1 is back."),
    (
        GameEnded("deck_exhausted", [Rank(1, 9, 2, 1), Rank(0, 1, 2, 2)], [1], "ab"),
        "The deck is used up: seat 1 wins with 9 coins.",
    ),
    (
        GameEnded("deck_exhausted", [Rank(0, 1, 2, 1), Rank(2, 1, 2, 1), Rank(1, 0, 2, 3)], [0, 2], "ab"),
        "The deck is used up: seat 0 and seat 2 win with 1 coin.",
    ),
    (GameAbandoned("host_left", "ab"), "The game is abandoned: the host has left."),
]


@pytest.mark.parametrize(("event", "expected"), SENTENCES)
def test_an_event_in_words(event: Event, expected: str) -> None:
    assert sentence(event) == expected


def test_every_type_of_event_is_among_them() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(EVENT_TYPES)


def test_what_others_wrote_is_harmless() -> None:
    said = sentence(SeatHandedOver(1, "\x1b[2J[red]" + "x" * 5000, "a\u202eb\r\n\x9b"))
    assert said.isprintable()
    assert "�[2J[red]xxx" in said
    assert len(said) < 1000


def test_the_seed_is_not_said() -> None:
    timeline = golden("classic-4")
    ended = timeline.entry(timeline.last).event
    assert isinstance(ended, GameEnded)
    assert ended.seed not in sentence(told(ended, "all"))
