"""Planting: from the hand in phase 1, the pending cards in phase 3, in the duel also gifts and face-up cards
(rules, sections 5 and 10)."""

from domain.beans import Bean
from domain.events import BeanPlanted
from domain.referee.fault import Wrong
from domain.referee.tabletop import Follows, Place, Tabletop
from domain.referee.turn import finish_turn

MOST_PLANTINGS = 2
_SOURCES = {"plant": "hand", "settle": "pending", "gifts": "gift", "keep": "face_up"}


def planted(top: Tabletop, actor: int | None, event: BeanPlanted) -> Follows | None:
    """A card goes into a field of its owner. With the last pending card of all the turn ends by itself."""
    phase = top.phase
    if event.source != _SOURCES.get(phase):
        raise Wrong("wrong_phase", f"Nothing is planted from {event.source} in phase {phase}.")
    if phase == "settle":
        place = top.acting(actor, event.seat)
        _plant(place, place.pending, event)
        if place.pending or any(other.pending for other in top.places):
            return None
        return finish_turn(top)
    place = top.acting_active(actor, event.seat)
    if phase == "plant":
        _plant_from_hand(top, place, event)
    elif phase == "gifts":
        _plant(place, top.gifts, event)
        if not top.gifts:
            top.phase = "plant"
    else:
        _plant(place, top.face_up, event)
    return None


def _plant_from_hand(top: Tabletop, place: Place, event: BeanPlanted) -> None:
    if top.planted >= MOST_PLANTINGS or top.discarded:
        raise Wrong("planted_enough", f"Seat {event.seat} may not plant from the hand any more in this turn.")
    hand = place.hand
    # Numbers only grow, so a hand in order of its numbers is the hand in order.
    if hand and event.card != min(hand):
        raise Wrong("not_front_card", f"Card {event.card} is planted; the front card is {min(hand)}.")
    _plant(place, hand, event)
    top.planted += 1


def _plant(place: Place, cards: dict[int, Bean], event: BeanPlanted) -> None:
    bean = cards.get(event.card)
    if bean is None:
        raise Wrong("wrong_card", f"Card {event.card} is not there to be planted from {event.source}.")
    if bean != event.bean:
        raise Wrong("wrong_card", f"Card {event.card} is {bean}, not {event.bean}.")
    plots = place.plots
    if not 0 <= event.field < len(plots):
        raise Wrong("no_such_field", f"Seat {event.seat} has {len(plots)} fields, and none with number {event.field}.")
    plot = plots[event.field]
    if plot.bean is None:
        plot.bean = bean
    elif plot.bean != bean:
        raise Wrong("field_occupied", f"{bean} is planted on {plot.bean}.")
    plot.cards.append(event.card)
    del cards[event.card]
