"""The only place where state changes: one event, one step. It decides nothing and never refuses.

Folding a viewer's redacted events works just the same; what was hidden stays None.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from domain.beans import FIELD_GRANTS, Bean, grants_field
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
from domain.rulesets import FieldPayment, TurnStructure
from domain.state import Field, OpenOffer, Phase, Result, Seat, State

_AFTER_REVEAL: Final[dict[TurnStructure, Phase]] = {"trading": "trade", "duel": "keep"}
_PAID_TO: Final[dict[FieldPayment, Callable[[State], list[Bean | None]]]] = {
    "discard_pile": lambda state: state.discard,
    "box": lambda state: state.box,
}


def initial(game: str) -> State:
    """A game before its first event."""
    return State(game)


def fold(game: str, events: Iterable[Event]) -> State:
    """The state that those events, from the first on, add up to."""
    state = initial(game)
    count = 0
    for count, event in enumerate(events, 1):  # noqa: B007 - the count is the version at the end
        # As `evolve` does; a call less for each event is worth it where whole histories are read.
        _STEPS[type(event)](state, event)
    state.version = count
    return state


def evolve(state: State, event: Event) -> None:
    """Take one event into the state."""
    state.version += 1
    _STEPS[type(event)](state, event)


def _bean_planted(state: State, event: BeanPlanted) -> None:
    seat = state.seats[event.seat]
    if event.source == "hand":
        del seat.hand[event.card]
        state.planted += 1
    elif event.source == "pending":
        del seat.pending[event.card]
    elif event.source == "gift":
        del state.gifts[event.card]
        if not state.gifts:
            state.phase = "plant"
    else:
        del state.face_up[event.card]
    field = seat.fields[event.field]
    field.bean = event.bean
    field.cards.append(event.card)


def _field_harvested(state: State, event: FieldHarvested) -> None:
    seat = state.seats[event.seat]
    field = seat.fields[event.field]
    bean = event.bean
    if event.coins:
        coins = seat.coins
        for number in field.cards[: event.coins]:
            coins[number] = bean
    state.discard.extend([bean] * event.discarded)
    field.bean = None
    field.cards = []
    if bean in FIELD_GRANTS:
        _granting_harvested(state, event)


def _granting_harvested(state: State, event: FieldHarvested) -> None:
    fields = state.seats[event.seat].fields
    if grants_field(event.bean, event.count) and not event.final and len(fields) < state.table.most_fields:
        fields.append(Field())


def _trade_offered(state: State, event: TradeOffered) -> None:
    state.offers[event.offer] = OpenOffer(
        event.offer,
        event.author,
        event.to,
        event.give,
        event.want,
        event.want_cards,
        event.answers,
    )
    state.next_offer = event.offer + 1


def _cards_revealed(state: State, event: CardsRevealed) -> None:
    _leave_deck(state, event.cards)
    face_up = state.face_up
    for card in event.cards:
        face_up[card.card] = card.bean
    state.phase = _AFTER_REVEAL[state.table.turn]


def _cards_drawn(state: State, event: CardsDrawn | CardsDealt) -> None:
    _leave_deck(state, event.cards)
    hand = state.seats[event.seat].hand
    for card in event.cards:
        hand[card.card] = card.bean


def _trading_ended(state: State, event: TradingEnded) -> None:
    state.face_up.clear()
    state.offers.clear()
    pending = state.seats[event.seat].pending
    for card in event.kept:
        pending[card.card] = card.bean
    state.phase = "settle"


def _turn_started(state: State, event: TurnStarted) -> None:
    state.turn = event.turn
    state.active = event.seat
    state.phase = "gifts" if state.gifts else "plant"
    state.planted = 0
    state.discarded = False


def _trade_completed(state: State, event: TradeCompleted) -> None:
    del state.offers[event.offer]
    _hand_over(state, event.author, event.to, event.given)
    _hand_over(state, event.to, event.author, event.taken)


def _offer_rejected(state: State, event: OfferRejected) -> None:
    offer = state.offers[event.offer]
    if offer.to is None:
        offer.rejected_by.append(event.seat)
    else:
        del state.offers[event.offer]


def _offer_voided(state: State, event: OfferVoided | OfferWithdrawn) -> None:
    del state.offers[event.offer]


def _field_bought(state: State, event: FieldBought) -> None:
    seat = state.seats[event.seat]
    paid_to = _PAID_TO[state.table.field_payment](state)
    for card in event.paid:
        del seat.coins[card.card]
        paid_to.append(card.bean)
    seat.fields.append(Field())
    seat.bought_field = True


def _deck_exhausted(state: State, event: DeckExhausted) -> None:
    state.exhaustions = event.exhaustion
    state.final_exhaustion = event.final


def _deck_shuffled(state: State, event: DeckShuffled) -> None:
    state.deck = [None] * event.size if event.beans is None else list(event.beans[::-1])
    state.discard.clear()
    state.shuffles = event.shuffle


def _cards_swept(state: State, event: CardsSwept) -> None:
    for card in event.cards:
        state.discard.pop()
        state.face_up[card.card] = card.bean
    state.next_card += len(event.cards)


def _card_discarded(state: State, event: CardDiscarded) -> None:
    if event.card in state.gifts:
        del state.gifts[event.card]
        if not state.gifts:
            state.phase = "plant"
    else:
        del state.seats[event.seat].hand[event.card]
        state.discarded = True
    state.discard.append(event.bean)


def _gifts_left(state: State, event: GiftsLeft) -> None:
    state.face_up.clear()
    state.gifts = {card.card: card.bean for card in event.cards}


def _game_created(state: State, event: GameCreated) -> None:
    state.ruleset = event.ruleset
    state.options = event.options
    state.rules_version = event.rules_version
    state.seats = [Seat() for _ in range(event.seats)]
    state.visibility = event.visibility
    state.clock = event.clock
    state.host = event.host
    state.commitment = event.commitment


def _player_joined(state: State, event: PlayerJoined) -> None:
    state.seats[event.seat] = Seat(player=event.player, nonce=event.nonce)


def _bot_joined(state: State, event: BotJoined) -> None:
    state.seats[event.seat] = Seat(policy=event.policy)


def _player_left(state: State, event: PlayerLeft) -> None:
    state.seats[event.seat] = Seat()


def _game_started(state: State, event: GameStarted) -> None:
    state.status = "running"
    state.start_seat = event.start_seat
    for seat in state.seats:
        seat.fields = [Field() for _ in range(state.table.fields)]


def _seat_handed_over(state: State, event: SeatHandedOver) -> None:
    seat = state.seats[event.seat]
    seat.policy = event.policy
    seat.away = True


def _seat_reclaimed(state: State, event: SeatReclaimed) -> None:
    seat = state.seats[event.seat]
    seat.policy = None
    seat.away = False


def _clock_expired(state: State, event: ClockExpired) -> None:
    pass


def _game_ended(state: State, event: GameEnded) -> None:
    _close(state)
    state.status = "ended"
    state.result = Result(event.reason, event.ranking, event.winners, event.seed)


def _game_abandoned(state: State, event: GameAbandoned) -> None:
    _close(state)
    state.status = "abandoned"
    state.result = Result(event.reason, [], [], event.seed)


def _leave_deck(state: State, cards: list[Card]) -> None:
    deck = state.deck
    count = len(cards)
    del deck[len(deck) - count :]
    state.next_card += count


def _hand_over(state: State, giver: int, receiver: int, cards: list[Card]) -> None:
    hand = state.seats[giver].hand
    pending = state.seats[receiver].pending
    for card in cards:
        if card.card in hand:
            del hand[card.card]
        else:
            del state.face_up[card.card]
        pending[card.card] = card.bean


def _close(state: State) -> None:
    state.phase = None
    state.active = None
    state.offers.clear()
    state.face_up.clear()


# A table instead of a match: a replay spends most of its time here, and a long match tries one class after
# the other. It is as closed as a match with assert_never: a missing event type stops the program at import.
_STEPS: Final[dict[type[Event], Callable[[State, Any], None]]] = {
    BeanPlanted: _bean_planted,
    FieldHarvested: _field_harvested,
    TradeOffered: _trade_offered,
    CardsRevealed: _cards_revealed,
    CardsDrawn: _cards_drawn,
    CardsDealt: _cards_drawn,
    TradingEnded: _trading_ended,
    TurnStarted: _turn_started,
    TradeCompleted: _trade_completed,
    OfferRejected: _offer_rejected,
    OfferVoided: _offer_voided,
    OfferWithdrawn: _offer_voided,
    FieldBought: _field_bought,
    DeckExhausted: _deck_exhausted,
    DeckShuffled: _deck_shuffled,
    CardsSwept: _cards_swept,
    CardDiscarded: _card_discarded,
    GiftsLeft: _gifts_left,
    GameCreated: _game_created,
    PlayerJoined: _player_joined,
    BotJoined: _bot_joined,
    PlayerLeft: _player_left,
    GameStarted: _game_started,
    SeatHandedOver: _seat_handed_over,
    SeatReclaimed: _seat_reclaimed,
    ClockExpired: _clock_expired,
    GameEnded: _game_ended,
    GameAbandoned: _game_abandoned,
}

if set(_STEPS) != set(EVENT_TYPES):
    raise RuntimeError("Every event type needs a step in domain.evolve.")
