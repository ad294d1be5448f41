"""From the first event to the last: what each says must follow from what came before, from the seed that the last
one reveals, and from the tables of the rules.

Nothing here asks the code that decided the events. Whether a move was allowed is not asked at all: for that the moves
are decided again.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from msgspec import Struct

from domain.events import (
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
    event_type,
)
from domain.evolve import evolve, initial
from domain.recheck.cards import Cards
from domain.recheck.coins import Coins
from domain.shuffle import commitment
from domain.state import State

DOES_NOT_FOLD: Final = (KeyError, IndexError, ValueError, TypeError, AttributeError)
"""What folding a history that contradicts itself raises: a card that is nowhere, a seat that does not exist."""


class Fault(Struct, frozen=True):
    """What is wrong, and at which version."""

    version: int
    what: str


def recheck(game: str, events: Sequence[Event]) -> list[Fault]:
    """Everything that is wrong with the full history of an ended game, up to the first event that does not fold."""
    if not events or not isinstance(events[-1], GameEnded):
        return [Fault(len(events), "The history does not end with game_ended.")]
    try:
        seed = bytes.fromhex(events[-1].seed)
    except ValueError:
        return [Fault(len(events), "The seed is no hexadecimal number.")]
    state = initial(game)
    cards, coins = Cards(state, seed), Coins(state)
    faults: list[Fault] = []
    for version, event in enumerate(events, 1):
        following = events[version] if version < len(events) else None
        try:
            wrong = [*_wrong_before(event, following, cards, coins, state)]
            evolve(state, event)
            wrong += cards.not_conserved()
        except DOES_NOT_FOLD as error:
            what = f"{event_type(event)} does not fit what came before ({type(error).__name__}: {error})."
            return [*faults, Fault(version, what)]
        faults += [Fault(version, what) for what in wrong]
    if commitment(seed) != state.commitment:
        faults.append(Fault(len(events), "The seed is not the one that game_created committed to."))
    return faults


def _wrong_before(event: Event, following: Event | None, cards: Cards, coins: Coins, state: State) -> Iterator[str]:
    match event:
        case CardsDrawn() | CardsRevealed():
            yield from cards.draw(event, following)
        case GameStarted() | DeckShuffled() | CardsDealt() | DeckExhausted() | BeanPlanted():
            yield from cards.of(event)
        case TradeOffered() | TradeCompleted() | TradingEnded():
            yield from cards.of_trading(event)
        case FieldHarvested() | GameEnded():
            yield from coins.of(event)
        case FieldBought():
            yield from cards.kinds(event.paid)
            yield from coins.purchase(event)
        case TurnStarted():
            yield from _turn(state, event)
        case OfferWithdrawn() | OfferRejected() | OfferVoided():
            pass  # names no card
        case GameCreated() | PlayerJoined() | BotJoined() | PlayerLeft():
            pass  # before the first card
        case ClockExpired() | SeatHandedOver() | SeatReclaimed():
            pass  # moves no card
        case CardsSwept() | CardDiscarded() | GiftsLeft():
            yield from cards.of_duel(event)
        case GameAbandoned():
            yield f"{event_type(event)} has no place in this history."
        case _:
            assert_never(event)


def _turn(state: State, event: TurnStarted) -> Iterator[str]:
    expected = state.start_seat if state.active is None else (state.active + 1) % len(state.seats)
    if event.turn != state.turn + 1 or event.seat != expected:
        yield f"Turn {event.turn} of seat {event.seat} follows turn {state.turn} of seat {state.active}."
