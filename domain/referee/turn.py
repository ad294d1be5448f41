"""From phase to phase: the reveal, phase 4, and the next turn (rules, sections 5 and 10)."""

from domain.cards import Card
from domain.events import CardsRevealed, CardsSwept, DeckShuffled, TurnStarted
from domain.referee.ending import end_of_game
from domain.referee.fault import Wrong
from domain.referee.piles import draw_cards, put, reveal_cards
from domain.referee.tabletop import Follows, Opens, Tabletop

REVEALED = 2
REVEALED_IN_THE_DUEL = 3


def revealed(top: Tabletop, actor: int | None, _: CardsRevealed | DeckShuffled) -> Opens:
    """The active player ends phase 1. A reveal that finds the deck empty begins with a shuffle."""
    top.in_phase("plant", "The reveal")
    place = top.acting_active(actor, top.active)
    if place.hand and not top.planted:
        raise Wrong("must_plant_first", f"Seat {top.active} reveals before the front card is planted.")
    return Opens(_reveal_and_sweep(top) if top.edition.duel else _reveal(top))


def finish_turn(top: Tabletop) -> Follows:
    """Nobody has pending cards: phase 4 and the next turn, or the end."""
    if not top.final:
        everyone = range(len(top.places))
        seats = [top.active] * top.edition.draw
        if top.edition.everyone_draws:
            seats = [(top.active + step) % len(top.places) for step in everyone]
        yield from draw_cards(top, seats)
    if top.final:
        yield from end_of_game(top)
        return
    turn = TurnStarted(top.turn + 1, (top.active + 1) % len(top.places))
    yield turn
    top.turn = turn.turn
    top.active = turn.seat
    top.planted = 0
    top.discarded = False
    top.phase = "gifts" if top.gifts else "plant"


def _reveal(top: Tabletop) -> Follows:
    yield from reveal_cards(top, REVEALED)
    top.phase = "trade"


def _reveal_and_sweep(top: Tabletop) -> Follows:
    """Duel: what lies on the discard pile joins the revealed cards for as long as its kind is among them."""
    yield from reveal_cards(top, REVEALED_IN_THE_DUEL)
    kinds = set(top.face_up.values())
    swept: list[Card] = []
    while top.discard and top.discard[-1] in kinds:
        swept.append(Card(top.next_card, top.discard.pop()))
        top.next_card += 1
    if swept:
        yield CardsSwept(top.active, swept)
        put(swept, top.face_up)
    top.phase = "keep"
