"""The draw deck and the discard pile while a draw is worked out: exhaustion, reshuffle and the
numbers of the drawn cards (rules, sections 4 and 9)."""

from collections.abc import Callable

from domain.cards import Card
from domain.events import DeckExhausted, DeckShuffled, Event
from domain.shuffle import shuffled
from domain.state import State

Taken = Callable[[list[Card]], Event]
"""Makes the event that tells which cards were taken."""


class Stock:
    """A scratch copy of what a draw changes. The state itself stays as it is."""

    def __init__(self, state: State, seed: bytes) -> None:
        self._state = state
        self._seed = seed
        self._deck = state.deck.copy()
        self._discard = state.discard
        self._shuffles = state.shuffles
        self._next_card = state.next_card
        self._exhaustions = state.exhaustions
        self.final = state.final_exhaustion

    def draw(self, count: int, taken: Taken) -> list[Event]:
        """The events of drawing that many cards one after the other.

        An event that takes cards ends where the deck ends. A final exhaustion ends the draw.
        """
        events: list[Event] = []
        cards: list[Card] = []
        for _ in range(count):
            if not self._deck and not self._reshuffle(events):
                events.append(self._exhaust(final=True))
                break
            cards.append(Card(self._next_card, self._deck.pop()))
            self._next_card += 1
            if not self._deck:
                events.append(taken(cards))
                cards = []
                last = self._exhaustions + 1 == self._state.table.final_exhaustion
                events.append(self._exhaust(final=last))
                if last:
                    break
                if self._state.edition.reshuffle == "at_once":
                    self._reshuffle(events)
        if cards:
            events.append(taken(cards))
        return events

    def _exhaust(self, *, final: bool) -> DeckExhausted:
        # With both piles empty the draw counts as the final exhaustion (section 9.4).
        table = self._state.table
        self._exhaustions = table.final_exhaustion if final else self._exhaustions + 1
        self.final = final
        return DeckExhausted(self._exhaustions, final)

    def _reshuffle(self, events: list[Event]) -> bool:
        if not self._discard:
            return False
        self._shuffles += 1
        nonces = [seat.nonce for seat in self._state.seats]
        deck = shuffled(self._seed, self._state.game, nonces, self._shuffles, self._discard)
        events.append(DeckShuffled(self._shuffles, len(deck), list(deck)))
        self._deck = list(reversed(deck))
        self._discard = []
        return True
