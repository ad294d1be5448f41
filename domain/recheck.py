"""Re-checks the whole history of an ended game, card by card and coin by coin.

Works from the events alone, without asking the code that decided them: what the events say must follow from the seed
that the last one reveals, and from the rules' tables. Whether each move was allowed is not asked here: for that the
moves are decided again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.beans import Bean, payout
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldBought,
    FieldHarvested,
    GameEnded,
    GameStarted,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
    event_type,
)
from domain.evolve import evolve, initial
from domain.shuffle import commitment, shuffled, start_seat
from domain.state import State

DOES_NOT_FOLD: Final = (KeyError, IndexError, ValueError, TypeError, AttributeError)
"""What folding a history that contradicts itself raises: a card that is nowhere, a seat that does not exist."""


class Fault(Struct, frozen=True):
    """What is wrong, and at which version."""

    version: int
    what: str


def recheck(game: str, events: Sequence[Event]) -> list[Fault]:
    """Everything that is wrong with the full history of an ended game; nothing may follow on what does not fold."""
    if not events or not isinstance(events[-1], GameEnded):
        return [Fault(len(events), "The history does not end with game_ended.")]
    try:
        seed = bytes.fromhex(events[-1].seed)
    except ValueError:
        return [Fault(len(events), "The seed is no hexadecimal number.")]
    checker = _Checker(game, seed)
    faults: list[Fault] = []
    for version, event in enumerate(events, 1):
        following = events[version] if version < len(events) else None
        try:
            faults += [Fault(version, what) for what in checker.take(event, following)]
        except DOES_NOT_FOLD as error:
            what = f"{event_type(event)} does not fit what came before ({type(error).__name__}: {error})."
            return [*faults, Fault(version, what)]
    if commitment(seed) != checker.state.commitment:
        faults.append(Fault(len(events), "The seed is not the one that game_created committed to."))
    return faults


class _Checker:
    """The history so far: its state, and the kind with which each card left the deck."""

    def __init__(self, game: str, seed: bytes) -> None:
        self.state: State = initial(game)
        self._seed = seed
        self._kinds: dict[int, Bean | None] = {}
        self._last_harvests: list[tuple[int, int]] = []

    def take(self, event: Event, following: Event | None) -> list[str]:
        """What is wrong with the next event."""
        wrong = [*self._of(event), *self._kept_kinds(event)]
        evolve(self.state, event)
        wrong += self._conserved()
        if isinstance(event, CardsDrawn | CardsRevealed) and not self.state.deck:
            exhausted = event.cards and isinstance(following, DeckExhausted)
            if event.cards and not exhausted:
                wrong.append("The deck gave its last card, and deck_exhausted does not follow.")
        return wrong

    def _of(self, event: Event) -> Iterator[str]:
        match event:
            case GameStarted():
                yield from self._start(event)
            case DeckShuffled():
                yield from self._shuffle(event)
            case CardsDealt() | CardsDrawn() | CardsRevealed():
                yield from self._off_the_deck(event)
            case TurnStarted():
                yield from self._turn(event)
            case FieldHarvested():
                yield from self._harvest(event)
            case FieldBought():
                yield from self._purchase(event)
            case BeanPlanted():
                yield from self._planting(event)
            case DeckExhausted():
                yield from self._exhaustion(event)
            case GameEnded():
                yield from self._end(event)
            case _:
                # Nothing that these say can be worked out from the cards.
                return

    def _start(self, event: GameStarted) -> Iterator[str]:
        nonces = [seat.nonce for seat in self.state.seats]
        expected = start_seat(self._seed, self.state.game, nonces)
        if event.start_seat != expected:
            yield f"Seat {event.start_seat} starts; the seed chooses seat {expected}."

    def _shuffle(self, event: DeckShuffled) -> Iterator[str]:
        state = self.state
        if event.shuffle != state.shuffles + 1:
            yield f"Shuffle {event.shuffle} follows shuffle {state.shuffles}."
        if state.deck:
            yield f"The deck still has {len(state.deck)} cards."
        first = [bean for bean, count in state.table.deck.items() for _ in range(count)]
        pool = state.discard if state.shuffles else first
        nonces = [seat.nonce for seat in state.seats]
        deck = shuffled(self._seed, state.game, nonces, event.shuffle, pool)
        if event.beans != deck:
            yield f"Shuffle {event.shuffle} is not the one that the seed gives."
        if event.size != len(deck):
            yield f"{event.size} cards are shuffled; there are {len(deck)}."

    def _off_the_deck(self, event: CardsDealt | CardsDrawn | CardsRevealed) -> Iterator[str]:
        state = self.state
        count = len(event.cards)
        numbers = range(state.next_card, state.next_card + count)
        top = state.deck[len(state.deck) - count :][::-1]
        expected = [Card(number, bean) for number, bean in zip(numbers, top, strict=False)]
        if event.cards != expected:
            yield f"{event_type(event)} names other cards than the deck has on top."
        if isinstance(event, CardsDealt):
            place = (event.seat - state.start_seat) % len(state.seats)
            dealt = sum(bool(seat.hand) for seat in state.seats)
            if place != dealt or count != state.table.hand_sizes[place]:
                yield f"Seat {event.seat} is dealt {count} cards out of turn, or not as many as the rules give."
        elif event.seat != state.active:
            yield f"Seat {event.seat} takes cards in the turn of seat {state.active}."
        self._kinds.update({card.card: card.bean for card in event.cards})

    def _turn(self, event: TurnStarted) -> Iterator[str]:
        state = self.state
        expected = state.start_seat if state.active is None else (state.active + 1) % len(state.seats)
        if event.turn != state.turn + 1 or event.seat != expected:
            yield f"Turn {event.turn} of seat {event.seat} follows turn {state.turn} of seat {state.active}."

    def _harvest(self, event: FieldHarvested) -> Iterator[str]:
        field = self.state.seats[event.seat].fields[event.field]
        if (event.bean, event.count) != (field.bean, len(field.cards)):
            yield f"{event.count} {event.bean} are harvested from a field of {len(field.cards)} {field.bean}."
        coins = payout(event.bean, event.count)
        if event.coins != coins or event.discarded != event.count - coins:
            yield f"{event.count} {event.bean} give {coins} coins, not {event.coins}."
        if event.final:
            self._last_harvests.append((event.seat, event.field))
        elif self._last_harvests:
            yield "A harvest that is not final comes after a final one."

    def _purchase(self, event: FieldBought) -> Iterator[str]:
        owner = self.state.seats[event.seat]
        price = self.state.table.field_price
        topmost = list(owner.coins)[::-1][: price or 0]
        if event.price != price or [card.card for card in event.paid] != topmost or len(event.paid) != price:
            yield f"A field costs {price}, paid with the topmost coins."

    def _planting(self, event: BeanPlanted) -> Iterator[str]:
        if self._kinds.get(event.card) != event.bean:
            yield f"Card {event.card} is planted as {event.bean}; it is {self._kinds.get(event.card)}."
        field = self.state.seats[event.seat].fields[event.field]
        if field.bean not in (None, event.bean):
            yield f"{event.bean} is planted on {field.bean}."

    def _exhaustion(self, event: DeckExhausted) -> Iterator[str]:
        state = self.state
        last = state.table.final_exhaustion
        # With both piles empty a draw counts as the final exhaustion, whatever the count.
        expected = state.exhaustions + 1 if state.discard or state.exhaustions + 1 == last else event.exhaustion
        if state.deck or event.exhaustion != expected or event.final != (event.exhaustion == last):
            yield f"Exhaustion {event.exhaustion} follows exhaustion {state.exhaustions}; number {last} is final."

    def _end(self, event: GameEnded) -> Iterator[str]:
        state = self.state
        clockwise = [(state.start_seat + step) % len(state.seats) for step in range(len(state.seats))]
        in_order = sorted(self._last_harvests, key=lambda place: (clockwise.index(place[0]), place[1]))
        left = any(field.bean is not None for seat in state.seats for field in seat.fields)
        if left or self._last_harvests != in_order:
            yield "The last harvest leaves a field out, or is out of order."
        scores = [self._score(seat) for seat in range(len(state.seats))]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        told = {row.seat: (row.coins, row.hand_size, row.rank) for row in event.ranking}
        expected = {index: (len(seat.coins), len(seat.hand), ranks[index]) for index, seat in enumerate(state.seats)}
        if told != expected or len(event.ranking) != len(expected):
            yield "The ranking is not what coins and hands give."
        elif [row.rank for row in event.ranking] != sorted(ranks):
            yield "The ranking is not in order."
        if event.winners != [index for index, rank in enumerate(ranks) if rank == 1]:
            yield "The winners are not those who have rank 1."

    def _score(self, index: int) -> tuple[int, int]:
        """The larger tuple wins."""
        state = self.state
        seat = state.seats[index]
        match state.edition.tie_break:
            case "hand_size":
                second = len(seat.hand)
            case "farthest_clockwise":
                second = (index - state.start_seat) % len(state.seats)
            case "shared":
                second = 0
        return len(seat.coins), second

    def _kept_kinds(self, event: Event) -> Iterator[str]:
        for card in _named(event):
            if self._kinds.get(card.card) != card.bean:
                yield f"Card {card.card} is called {card.bean}; it is {self._kinds.get(card.card)}."

    def _conserved(self) -> Iterator[str]:
        state = self.state
        if not state.shuffles:
            return
        found = Counter[Bean | None]([*state.deck, *state.discard, *state.box])
        found.update(state.face_up.values())
        found.update(state.gifts.values())
        for seat in state.seats:
            for cards in (seat.hand, seat.pending, seat.coins):
                found.update(cards.values())
            for field in seat.fields:
                found[field.bean] += len(field.cards)
        if +found != Counter(state.table.deck):
            yield "Cards are missing or too many."


def _named(event: Event) -> list[Card]:
    """The cards that an event names after they have left the deck."""
    match event:
        case TradeOffered():
            return event.give
        case TradeCompleted():
            return [*event.given, *event.taken]
        case TradingEnded():
            return event.kept
        case FieldBought():
            return event.paid
        case _:
            return []
