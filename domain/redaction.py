"""What a viewer may get of an event. Fails closed: an event type without a declared audience
stops the program at import.
"""

from typing import Final, Literal

import msgspec

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
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)

Audience = Literal["everyone", "kinds_for_its_seat", "order_for_nobody"]
"""`everyone`: the whole event. `kinds_for_its_seat`: the others get the cards without their kinds.
`order_for_nobody`: the order of the deck is left out for all."""

AUDIENCES: Final[dict[type[Event], Audience]] = {
    GameCreated: "everyone",
    PlayerJoined: "everyone",
    BotJoined: "everyone",
    PlayerLeft: "everyone",
    GameStarted: "everyone",
    DeckShuffled: "order_for_nobody",
    CardsDealt: "kinds_for_its_seat",
    TurnStarted: "everyone",
    BeanPlanted: "everyone",
    CardsRevealed: "everyone",
    CardsSwept: "everyone",
    TradeOffered: "everyone",
    OfferWithdrawn: "everyone",
    OfferRejected: "everyone",
    OfferVoided: "everyone",
    TradeCompleted: "everyone",
    TradingEnded: "everyone",
    FieldHarvested: "everyone",
    FieldBought: "everyone",
    CardDiscarded: "everyone",
    GiftsLeft: "everyone",
    CardsDrawn: "kinds_for_its_seat",
    DeckExhausted: "everyone",
    ClockExpired: "everyone",
    SeatHandedOver: "everyone",
    SeatReclaimed: "everyone",
    GameEnded: "everyone",
    GameAbandoned: "everyone",
}

if set(AUDIENCES) != set(EVENT_TYPES):
    raise RuntimeError("Every event type needs an audience in domain.redaction.AUDIENCES.")


def redact(event: Event, viewer: int | None, *, revealed: bool = False) -> Event:
    """The event as that seat (None: a spectator) may see it; all of it when `revealed`, which is
    only ever right after the end of the game."""
    audience = AUDIENCES[type(event)]
    if revealed or audience == "everyone":
        return event
    if isinstance(event, CardsDealt | CardsDrawn):
        if event.seat == viewer:
            return event
        hidden = [Card(card.card, None) for card in event.cards]
        return msgspec.structs.replace(event, cards=hidden)
    if isinstance(event, DeckShuffled):
        return msgspec.structs.replace(event, beans=None)
    raise RuntimeError(f"{type(event).__name__} has an audience that nothing carries out.")
