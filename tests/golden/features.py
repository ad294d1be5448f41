"""What is worth remembering about a game: the corpus is chosen by it, and must have all of it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from domain.beans import FIELD_GRANTS
from domain.events import (
    EVENT_TYPES,
    BotJoined,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    ClockExpired,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldBought,
    FieldHarvested,
    GameEnded,
    GameStarted,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    PlayerJoined,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    event_type,
)
from domain.evolve import evolve, initial
from domain.state import OpenOffer, State

NOT_EMITTED: Final = {BotJoined, ClockExpired, SeatHandedOver, SeatReclaimed}
"""Nothing in the engine decides these yet. Whoever changes that takes them out and records games that have them."""

WANTED: Final = frozenset(
    {
        *(str(kind.__struct_config__.tag) for kind in EVENT_TYPES if kind not in NOT_EMITTED),
        # The lobby.
        "started by the host",
        "started by the last guest",
        "a seat taken again",
        # How an open offer ends.
        "offer accepted",
        "offer rejected",
        "offer rejected by all",
        "offer countered",
        "offer withdrawn",
        "offer void for a moved card",
        "offer lapsed",
        # Deals.
        "a gift",
        "a gift asked for",
        "two cards for one",
        "an offer to anyone accepted",
        "a face-up card asked for and given",
        # Fields.
        "field for 2 onto the discard pile",
        "field for 3 onto the discard pile",
        "field for 3 into the box",
        "field bought by another than the active player",
        "field granted by field beans",
        "three field beans for coins",
        "harvest by another than the active player",
        # The duel.
        "a sweep of one card",
        "a sweep of two cards",
        "a sweep of three cards or more",
        # The deck.
        "reshuffled at once",
        "reshuffled at the next draw",
        "reveal across a shuffle",
        "draw across a shuffle",
        "the end in a reveal",
        "the end in a draw",
        # The end: equal coins, by what decides between them.
        "tie: hand_size",
        "tie: hand_size, shared",
        "tie: shared, shared",
        "tie: farthest_clockwise",
    }
)


def features(game: str, events: Sequence[Event]) -> set[str]:
    """Those that this game has."""
    state = initial(game)
    found = {event_type(event) for event in events}
    for event, following in pairwise([*events, None]):
        if event is not None:
            found |= {*_of(state, event, following)}
            evolve(state, event)
    return found


def _of(state: State, event: Event, following: Event | None) -> Iterator[str]:
    """What that event adds, before it is taken into the state."""
    match event:
        case PlayerJoined() | GameStarted():
            yield from _of_lobby(state, event, following)
        case TradeOffered() | OfferRejected() | OfferVoided() | OfferWithdrawn() | TradingEnded():
            yield from _of_offers(state, event)
        case TradeCompleted():
            yield from _of_deal(state.offers[event.offer], event)
        case FieldBought() | FieldHarvested():
            yield from _of_fields(state, event)
        case CardsSwept() | DeckShuffled() | DeckExhausted() | CardsRevealed() | CardsDrawn():
            yield from _of_deck(state, event, following)
        case GameEnded():
            yield from _of_ranking(state, event)
        case _:
            return


def _of_lobby(state: State, event: Event, following: Event | None) -> Iterator[str]:
    if isinstance(event, PlayerJoined):
        if isinstance(following, GameStarted) and state.options.start_when_full:
            yield "started by the last guest"
        if f"player-{event.seat}" != event.player:
            yield "a seat taken again"
    if isinstance(event, GameStarted) and not state.options.start_when_full:
        yield "started by the host"


def _of_offers(state: State, event: Event) -> Iterator[str]:
    match event:
        case TradeOffered(answers=int()):
            yield "offer countered"
        case OfferRejected() if state.offers[event.offer].to is not None:
            yield "offer rejected"
        case OfferVoided(reason="rejected_by_all"):
            yield "offer rejected by all"
        case OfferVoided():
            yield "offer void for a moved card"
        case OfferWithdrawn():
            yield "offer withdrawn"
        case TradingEnded() if state.offers:
            yield "offer lapsed"
        case _:
            return


def _of_deal(offer: OpenOffer, event: TradeCompleted) -> Iterator[str]:
    yield "offer accepted"
    if offer.to is None:
        yield "an offer to anyone accepted"
    if offer.want_cards:
        yield "a face-up card asked for and given"
    if not event.taken:
        yield "a gift"
    if not event.given:
        yield "a gift asked for"
    if {len(event.given), len(event.taken)} == {1, 2}:
        yield "two cards for one"


def _of_fields(state: State, event: FieldBought | FieldHarvested) -> Iterator[str]:
    away = event.seat != state.active
    if isinstance(event, FieldBought):
        where = "into the box" if state.table.field_payment == "box" else "onto the discard pile"
        yield f"field for {event.price} {where}"
        if away:
            yield "field bought by another than the active player"
        return
    if away and not event.final:
        yield "harvest by another than the active player"
    if event.bean in FIELD_GRANTS and not event.final:
        fields = len(state.seats[event.seat].fields)
        if event.count == FIELD_GRANTS[event.bean] and fields < state.table.most_fields:
            yield "field granted by field beans"
        if event.coins:
            yield "three field beans for coins"


def _of_deck(state: State, event: Event, following: Event | None) -> Iterator[str]:
    match event:
        case CardsSwept():
            yield {1: "a sweep of one card", 2: "a sweep of two cards"}.get(
                len(event.cards), "a sweep of three cards or more"
            )
        case DeckExhausted(final=True):
            yield "the end in a reveal" if state.phase in ("trade", "keep") and state.face_up else "the end in a draw"
        case DeckShuffled() if event.shuffle > 1:
            yield "reshuffled at once" if state.edition.reshuffle == "at_once" else "reshuffled at the next draw"
            if isinstance(following, CardsRevealed) and state.face_up:
                yield "reveal across a shuffle"
            if isinstance(following, CardsDrawn) and state.phase == "settle":
                yield "draw across a shuffle"
        case _:
            return


def _of_ranking(state: State, event: GameEnded) -> Iterator[str]:
    most = event.ranking[0].coins
    tied = [row for row in event.ranking if row.coins == most]
    if len(tied) > 1:
        shared = ", shared" if tied[1].rank == 1 else ""
        yield f"tie: {state.edition.tie_break}{shared}"
