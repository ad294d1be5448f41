"""The draw deck and the discard pile: numbers, exhaustion, reshuffle (rules, sections 4 and 9)."""

from collections.abc import Generator, Iterable, Sequence

from domain.beans import Bean
from domain.cards import Card
from domain.events import CardsDrawn, CardsRevealed, DeckExhausted, DeckShuffled, Event
from domain.referee.fault import Wrong
from domain.referee.seed import check_shuffle
from domain.referee.tabletop import Follows, Shuffle, Tabletop


def take(top: Tabletop, count: int) -> list[Card]:
    """That many cards off the deck, with the next numbers."""
    first = top.next_card
    deck = top.deck
    cards = [Card(number, deck.pop()) for number in range(first, first + count)]
    top.next_card = first + count
    return cards


def put(cards: Iterable[Card], where: dict[int, Bean]) -> None:
    """Those cards lie there now, behind what lies there already."""
    for card in cards:
        if card.bean is None:
            raise Wrong("hidden", f"The kind of card {card.card} is left out.")
        where[card.card] = card.bean


def taken_in(top: Tabletop, event: Event, pool: list[Bean]) -> None:
    """A shuffle of exactly those cards becomes the deck. Its order is compared with the seed, now or at the end."""
    if not isinstance(event, DeckShuffled):
        raise Wrong("must_follow", "A shuffle must follow.")
    if event.beans is None:
        raise Wrong("hidden", "The order of the deck is left out; a redacted history cannot be checked.")
    number = len(top.shuffles) + 1
    if event.shuffle != number:
        raise Wrong("wrong_shuffle", f"This is shuffle {number}, not {event.shuffle}.")
    if event.size != len(pool) or sorted(event.beans) != sorted(pool):
        raise Wrong("wrong_shuffle", f"Shuffle {number} has other cards than the {len(pool)} that were to be shuffled.")
    shuffle = Shuffle(top.version, number, pool, event.beans)
    if top.seed is not None:
        check_shuffle(top, top.seed, shuffle)
    top.shuffles.append(shuffle)
    top.deck = event.beans[::-1]


def reveal_cards(top: Tabletop, count: int) -> Follows:
    """The top cards, face up before the active player. The final exhaustion ends the reveal."""
    seat = top.active
    if not top.deck and not top.discard:
        # Phases 2 and 3 are still played, and begin like every other time.
        yield CardsRevealed(seat, [])
    left = count
    while left and not top.final:
        if not top.deck and (yield from _made_final_or_shuffled(top)):
            return
        cards = take(top, min(left, len(top.deck)))
        left -= len(cards)
        yield CardsRevealed(seat, cards)
        put(cards, top.face_up)
        if not top.deck:
            yield from _exhausted(top)


def draw_cards(top: Tabletop, seats: Sequence[int]) -> Follows:
    """One card for each of `seats` in that order, to the back of the hand. The final exhaustion ends it."""
    place = 0
    while place < len(seats) and not top.final:
        if not top.deck and (yield from _made_final_or_shuffled(top)):
            return
        seat = seats[place]
        most = min(len(top.deck), len(seats) - place)
        run = next((step for step in range(most) if seats[place + step] != seat), most)
        cards = take(top, run)
        place += run
        yield CardsDrawn(seat, cards)
        put(cards, top.places[seat].hand)
        if not top.deck:
            yield from _exhausted(top)


def _exhausted(top: Tabletop) -> Follows:
    """The deck gave its last card."""
    top.exhaustions += 1
    top.final = top.exhaustions == top.edition.final_exhaustion
    yield DeckExhausted(top.exhaustions, top.final)
    if top.edition.at_once and top.discard and not top.final:
        yield from _reshuffled(top)


def _made_final_or_shuffled(top: Tabletop) -> Generator[Event | type[Event], Event, bool]:
    """A card is due and the deck is empty: a new deck, or with both piles empty the end (section 9.4)."""
    if top.discard:
        yield from _reshuffled(top)
        return False
    top.exhaustions = top.edition.final_exhaustion
    top.final = True
    yield DeckExhausted(top.exhaustions, final=True)
    return True


def _reshuffled(top: Tabletop) -> Follows:
    event = yield DeckShuffled
    pool, top.discard = top.discard, []
    taken_in(top, event, pool)
