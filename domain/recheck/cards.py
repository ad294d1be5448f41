"""Where the cards come from and where they are: every shuffle is the one that the seed gives, every card comes off
the deck in its order, keeps its kind, and is never lost or doubled."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    DeckExhausted,
    DeckShuffled,
    Event,
    GameStarted,
    GiftsLeft,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    event_type,
)
from domain.shuffle import shuffled, start_seat
from domain.state import State


class Cards:
    """Looks at the state before each event; `state` is folded by somebody else."""

    def __init__(self, state: State, seed: bytes) -> None:
        self._state = state
        self._seed = seed
        self._kinds: dict[int, Bean | None] = {}
        self._drawn: tuple[int, int] = (0, 0)

    def of(self, event: GameStarted | DeckShuffled | CardsDealt | DeckExhausted | BeanPlanted) -> Iterator[str]:
        """What is wrong with it."""
        match event:
            case GameStarted():
                return self._start(event)
            case DeckShuffled():
                return self._shuffle(event)
            case CardsDealt():
                return self._deal(event)
            case DeckExhausted():
                return self._exhaustion(event)
            case BeanPlanted():
                return self._planting(event)
            case _:
                assert_never(event)

    def of_trading(self, event: TradeOffered | TradeCompleted | TradingEnded) -> Iterator[str]:
        """What is wrong with the cards that it names."""
        match event:
            case TradeOffered():
                return self.kinds(event.give)
            case TradeCompleted():
                return self.kinds([*event.given, *event.taken])
            case TradingEnded():
                return self.kinds(event.kept)
            case _:
                assert_never(event)

    def of_duel(self, event: CardsSwept | CardDiscarded | GiftsLeft) -> Iterator[str]:
        """What is wrong with the cards that it names."""
        match event:
            case CardsSwept():
                return self._sweep(event)
            case CardDiscarded():
                return self.kinds([Card(event.card, event.bean)])
            case GiftsLeft():
                return self._gifts(event)
            case _:
                assert_never(event)

    def draw(self, event: CardsDrawn | CardsRevealed, following: Event | None) -> Iterator[str]:
        """Who is to draw takes what is on top; with the last card the deck is exhausted."""
        state = self._state
        expected = state.active if isinstance(event, CardsRevealed) else self._drawer(len(event.cards))
        if event.seat != expected:
            yield f"Seat {event.seat} takes cards in the turn of seat {state.active}; seat {expected} was to do it."
        if event.cards and len(event.cards) == len(state.deck) and not isinstance(following, DeckExhausted):
            yield "The deck gives its last card, and deck_exhausted does not follow."
        yield from self._off_the_deck(event)

    def _drawer(self, cards: int) -> int | None:
        """The active player, or all clockwise from there."""
        state = self._state
        turn, before = self._drawn
        before = before if turn == state.turn else 0
        self._drawn = state.turn, before + cards
        if state.active is None or state.table.drawers == "active":
            return state.active
        return (state.active + before // state.table.draw) % len(state.seats)

    def _sweep(self, event: CardsSwept) -> Iterator[str]:
        """As much of the discard pile, from its top on, as is of the kinds that were revealed."""
        state = self._state
        kinds = set(state.face_up.values())
        top = list(reversed(state.discard))
        count = next((place for place, bean in enumerate(top) if bean not in kinds), len(top))
        if event.cards != [Card(number, bean) for number, bean in enumerate(top[:count], state.next_card)]:
            yield "The sweep takes other cards than it should."
        self._kinds.update({card.card: card.bean for card in event.cards})

    def _gifts(self, event: GiftsLeft) -> Iterator[str]:
        if event.cards != [Card(number, bean) for number, bean in self._state.face_up.items()]:
            yield "The gifts are not the cards that nobody planted."

    def kinds(self, cards: Iterable[Card]) -> Iterator[str]:
        """A card keeps the kind with which it left the deck."""
        for card in cards:
            known = self._kinds.get(card.card)
            if known != card.bean:
                yield f"Card {card.card} is called {card.bean}; it left the deck as {known}."

    def not_conserved(self) -> Iterator[str]:
        """The state after an event: every card of the game is somewhere, once."""
        state = self._state
        if not state.shuffles:
            return
        found: Counter[Bean | None] = Counter([*state.deck, *state.discard, *state.box])
        found.update([*state.face_up.values(), *state.gifts.values()])
        for seat in state.seats:
            found.update([*seat.hand.values(), *seat.pending.values(), *seat.coins.values()])
            for field in seat.fields:
                found[field.bean] += len(field.cards)
        if +found != Counter(state.table.deck):
            yield "Cards are missing or too many."

    def _start(self, event: GameStarted) -> Iterator[str]:
        """The seed chooses who begins."""
        nonces = [seat.nonce for seat in self._state.seats]
        expected = start_seat(self._seed, self._state.game, nonces)
        if event.start_seat != expected:
            yield f"Seat {event.start_seat} starts; the seed chooses seat {expected}."

    def _shuffle(self, event: DeckShuffled) -> Iterator[str]:
        """From the seed, the game, the nonces, the number of the shuffle, and what lay in the discard pile."""
        state = self._state
        if event.shuffle != state.shuffles + 1:
            yield f"Shuffle {event.shuffle} follows shuffle {state.shuffles}."
        if state.deck:
            yield f"The deck is shuffled while it has {len(state.deck)} cards."
        whole = [bean for bean, count in state.table.deck.items() for _ in range(count)]
        nonces = [seat.nonce for seat in state.seats]
        deck = shuffled(self._seed, state.game, nonces, event.shuffle, state.discard if state.shuffles else whole)
        if event.beans != deck:
            yield f"Shuffle {event.shuffle} is not the one that the seed gives."
        if event.size != len(deck):
            yield f"{event.size} cards are shuffled; there are {len(deck)}."

    def _deal(self, event: CardsDealt) -> Iterator[str]:
        """Clockwise from the starting seat, each as many as the rules give."""
        state = self._state
        place = (event.seat - state.start_seat) % len(state.seats)
        dealt = sum(bool(seat.hand) for seat in state.seats)
        if place != dealt or len(event.cards) != state.table.hand_sizes[place]:
            yield f"Seat {event.seat} is dealt {len(event.cards)} cards: not its turn, or not as many as it gets."
        yield from self._off_the_deck(event)

    def _exhaustion(self, event: DeckExhausted) -> Iterator[str]:
        """One more each time. With both piles empty a draw counts as the final one, whatever the count."""
        state = self._state
        final = state.table.final_exhaustion
        counts = {state.exhaustions + 1} | (set() if state.discard else {final})
        if state.deck or event.exhaustion not in counts or event.final != (event.exhaustion == final):
            yield f"Exhaustion {event.exhaustion} follows number {state.exhaustions} with {len(state.deck)} cards left."

    def _planting(self, event: BeanPlanted) -> Iterator[str]:
        """Onto the same kind or into an empty field."""
        yield from self.kinds([Card(event.card, event.bean)])
        field = self._state.seats[event.seat].fields[event.field]
        if field.bean not in (None, event.bean):
            yield f"{event.bean} is planted on {field.bean}."

    def _off_the_deck(self, event: CardsDealt | CardsDrawn | CardsRevealed) -> Iterator[str]:
        state = self._state
        top = state.deck[len(state.deck) - len(event.cards) :][::-1]
        numbered = [Card(number, bean) for number, bean in enumerate(top, state.next_card)]
        if event.cards != numbered:
            yield f"{event_type(event)} names other cards than lie on top of the deck."
        self._kinds.update({card.card: card.bean for card in event.cards})
