"""The game for two: discarding, and what is left for the opponent (rules, section 10)."""

from domain.cards import Card
from domain.events import CardDiscarded, GiftsLeft
from domain.referee.fault import Wrong
from domain.referee.tabletop import Follows, Opens, Tabletop
from domain.referee.turn import finish_turn


def discarded(top: Tabletop, actor: int | None, event: CardDiscarded) -> None:
    """A gift that is not planted; or, after planting, one card from anywhere in the hand."""
    if not top.edition.duel:
        raise Wrong("out_of_place", "Cards are discarded in the game for two only.")
    place = top.acting_active(actor, event.seat)
    cards = top.gifts
    if top.phase != "gifts":
        top.in_phase("plant", "A discard")
        cards = place.hand
        if not top.planted:
            raise Wrong("must_plant_first", "A card is discarded only after planting.")
        if top.discarded:
            raise Wrong("planted_enough", "One card was discarded in this turn already.")
        top.discarded = True
    bean = cards.get(event.card)
    if bean is None or bean != event.bean:
        raise Wrong("wrong_card", f"Card {event.card} ({event.bean}) is not there to be discarded.")
    del cards[event.card]
    top.discard.append(bean)
    if top.phase == "gifts" and not top.gifts:
        top.phase = "plant"


def left_over(top: Tabletop, actor: int | None, _: GiftsLeft) -> Opens:
    """The active player ends the turn: what he has not planted, be it nothing, is left, and the rest goes by itself."""
    top.in_phase("keep", "The end of a turn")
    top.acting_active(actor, top.active)
    return Opens(_leave(top))


def _leave(top: Tabletop) -> Follows:
    yield GiftsLeft(top.active, [Card(number, bean) for number, bean in top.face_up.items()])
    top.gifts, top.face_up = top.face_up, {}
    yield from finish_turn(top)
