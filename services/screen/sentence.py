"""An event in words. One entry for each type of event; one without a sentence stops the program at import."""

from collections.abc import Callable
from typing import Any, Final, get_args

from msgspec import UNSET

from domain.cards import Card
from domain.events import (
    EVENT_TYPES,
    AbandonReason,
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
    EndReason,
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
    PlantSource,
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
    VoidReason,
)
from services.screen.harmless import harmless, short
from services.screen.words import NOTHING, counted, kind, kinds, listed, numbered, seat, wanted

SHOWN_OF_DECK: Final = 5

SOURCES: Final[dict[PlantSource, str]] = {
    "hand": "from the hand",
    "pending": "that was turned up or traded",
    "gift": "that was left over",
    "face_up": "that was turned up",
}
VOIDED: Final[dict[VoidReason, str]] = {
    "card_moved": "a card in it has gone elsewhere",
    "rejected_by_all": "everybody has rejected it",
}
ENDED: Final[dict[EndReason, str]] = {"deck_exhausted": "The deck is used up"}
ABANDONED: Final[dict[AbandonReason, str]] = {"host_left": "the host has left"}


def sentence(event: Event) -> str:
    """What has happened. What the reader may not know must be gone from the event already."""
    return _SENTENCES[type(event)](event)


def _game_created(event: GameCreated) -> str:
    words = [harmless(event.ruleset), event.visibility]
    if event.options.start_when_full:
        words.append("starts when full")
    if event.options.duel_fields is not UNSET:
        words.append(f"duel_fields {event.options.duel_fields}")
    return f"A table for {counted(event.seats, 'player')} is set up: {', '.join(words)}."


def _player_joined(event: PlayerJoined) -> str:
    return f"Player {short(event.player)} takes seat {event.seat}."


def _bot_joined(event: BotJoined) -> str:
    return f"A bot ({harmless(event.policy)}) takes seat {event.seat}."


def _player_left(event: PlayerLeft) -> str:
    return f"Seat {event.seat} is free again."


def _game_started(event: GameStarted) -> str:
    return f"The game starts with {counted(event.seats, 'player')}; seat {event.start_seat} begins."


def _deck_shuffled(event: DeckShuffled) -> str:
    told = f"Shuffle {event.shuffle}: the deck has {counted(event.size, 'card')}"
    if event.beans is None:
        return f"{told}."
    top = ", ".join(kind(bean) for bean in event.beans[:SHOWN_OF_DECK])
    return f"{told}, from the top {top} …" if event.size > SHOWN_OF_DECK else f"{told}, from the top {top}."


def _cards_dealt(event: CardsDealt) -> str:
    return f"Seat {event.seat} is dealt {_taken(event.cards)}."


def _turn_started(event: TurnStarted) -> str:
    return f"Turn {event.turn}: seat {event.seat}."


def _bean_planted(event: BeanPlanted) -> str:
    return f"Seat {event.seat} plants a {kind(event.bean)} bean {SOURCES[event.source]} in field {event.field}."


def _cards_revealed(event: CardsRevealed) -> str:
    return f"Seat {event.seat} turns up {_named(event.cards)}."


def _cards_swept(event: CardsSwept) -> str:
    return f"Seat {event.seat} takes {_named(event.cards)} from the discard pile, to the cards that were turned up."


def _trade_offered(event: TradeOffered) -> str:
    answers = "" if event.answers is None else f", in answer to offer {event.answers}"
    gives, wants = _named(event.give), wanted(event.want, event.want_cards)
    return f"Seat {event.author} offers {seat(event.to)} {gives} for {wants} (offer {event.offer}{answers})."


def _offer_withdrawn(event: OfferWithdrawn) -> str:
    return f"Offer {event.offer} is withdrawn."


def _offer_rejected(event: OfferRejected) -> str:
    return f"Seat {event.seat} rejects offer {event.offer}."


def _offer_voided(event: OfferVoided) -> str:
    return f"Offer {event.offer} is void: {VOIDED[event.reason]}."


def _trade_completed(event: TradeCompleted) -> str:
    given, taken = _named(event.given), _named(event.taken)
    return f"Trade: seat {event.author} gives seat {event.to} {given} for {taken} (offer {event.offer})."


def _trading_ended(event: TradingEnded) -> str:
    return f"Seat {event.seat} ends the trading and keeps {_named(event.kept)}."


def _field_harvested(event: FieldHarvested) -> str:
    sold = f"{counted(event.count, f'{kind(event.bean)} bean')} from field {event.field}"
    brought = f"{counted(event.coins, 'coin')}, {event.discarded} discarded"
    if event.final:
        return f"At the end seat {event.seat} harvests {sold}: {brought}."
    return f"Seat {event.seat} harvests {sold}: {brought}."


def _field_bought(event: FieldBought) -> str:
    return f"Seat {event.seat} buys a field for {counted(event.price, 'coin')}."


def _card_discarded(event: CardDiscarded) -> str:
    return f"Seat {event.seat} discards a {kind(event.bean)} bean."


def _gifts_left(event: GiftsLeft) -> str:
    return f"Seat {event.seat} leaves {_named(event.cards)} to the opponent."


def _cards_drawn(event: CardsDrawn) -> str:
    return f"Seat {event.seat} draws {_taken(event.cards)}."


def _deck_exhausted(event: DeckExhausted) -> str:
    times = f"The deck is used up, exhaustion {event.exhaustion}"
    return f"{times}: the game will end." if event.final else f"{times}."


def _clock_expired(event: ClockExpired) -> str:
    return f"The time of seat {event.seat} has run out."


def _seat_handed_over(event: SeatHandedOver) -> str:
    return f"A bot ({harmless(event.policy)}) plays on for seat {event.seat}: {harmless(event.reason)}."


def _seat_reclaimed(event: SeatReclaimed) -> str:
    return f"The player of seat {event.seat} is back."


def _game_ended(event: GameEnded) -> str:
    coins = {row.seat: row.coins for row in event.ranking}
    winners = [f"seat {number}" for number in event.winners]
    if not winners:
        return f"{ENDED[event.reason]}, and nobody wins."
    wins = "wins" if len(winners) == 1 else "win"
    return f"{ENDED[event.reason]}: {listed(winners)} {wins} with {counted(coins[event.winners[0]], 'coin')}."


def _game_abandoned(event: GameAbandoned) -> str:
    return f"The game is abandoned: {ABANDONED[event.reason]}."


def _taken(cards: list[Card]) -> str:
    """How many cards, and which where that is known."""
    if any(card.bean is None for card in cards) or not cards:
        return counted(len(cards), "card")
    return f"{counted(len(cards), 'card')}: {kinds(cards)}"


def _named(cards: list[Card]) -> str:
    return ", ".join(numbered(card) for card in cards) or NOTHING


_SENTENCES: Final[dict[type[Event], Callable[[Any], str]]] = {
    GameCreated: _game_created,
    PlayerJoined: _player_joined,
    BotJoined: _bot_joined,
    PlayerLeft: _player_left,
    GameStarted: _game_started,
    DeckShuffled: _deck_shuffled,
    CardsDealt: _cards_dealt,
    TurnStarted: _turn_started,
    BeanPlanted: _bean_planted,
    CardsRevealed: _cards_revealed,
    CardsSwept: _cards_swept,
    TradeOffered: _trade_offered,
    OfferWithdrawn: _offer_withdrawn,
    OfferRejected: _offer_rejected,
    OfferVoided: _offer_voided,
    TradeCompleted: _trade_completed,
    TradingEnded: _trading_ended,
    FieldHarvested: _field_harvested,
    FieldBought: _field_bought,
    CardDiscarded: _card_discarded,
    GiftsLeft: _gifts_left,
    CardsDrawn: _cards_drawn,
    DeckExhausted: _deck_exhausted,
    ClockExpired: _clock_expired,
    SeatHandedOver: _seat_handed_over,
    SeatReclaimed: _seat_reclaimed,
    GameEnded: _game_ended,
    GameAbandoned: _game_abandoned,
}

if set(_SENTENCES) != set(EVENT_TYPES):
    raise RuntimeError("Every event type needs a sentence in services.screen.sentence.")
if any(
    set(words) != set(get_args(tags))
    for words, tags in ((SOURCES, PlantSource), (VOIDED, VoidReason), (ENDED, EndReason), (ABANDONED, AbandonReason))
):
    raise RuntimeError("Every source and every reason in an event needs its words in services.screen.sentence.")
