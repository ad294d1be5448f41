"""Planting from the hand in phase 1 and from the pending cards in phase 3 (rules, section 5)."""

from domain.beans import Bean
from domain.commands import Plant
from domain.decide.turn import finish_turn
from domain.events import BeanPlanted, Event, PlantSource
from domain.refusal import Refused
from domain.state import Seat, State

MOST_PLANTINGS = 2


def plant(state: State, seat: int, command: Plant, seed: bytes) -> list[Event]:
    """Phase 1: the front card, at most twice. Phase 3: any own pending card; the last one of all
    players ends the turn."""
    owner = state.seats[seat]
    if state.phase == "plant":
        return [plant_from_hand(state, seat, owner, command)]
    if state.phase == "settle":
        bean = bean_of(owner.pending, command.card, "among the cards that you have to plant")
        events: list[Event] = [planted(owner, seat, command, bean, "pending")]
        if len(owner.pending) == 1 and not any(other.pending for other in state.seats if other is not owner):
            events += finish_turn(state, seed, events)
        return events
    raise Refused("wrong_phase", "Nothing is planted while trading; that comes after end_trading.")


def plant_from_hand(state: State, seat: int, owner: Seat, command: Plant) -> BeanPlanted:
    """The front card of the active player's hand. Raises Refused."""
    if seat != state.active:
        raise Refused("not_your_turn", f"Seat {state.active} plants from the hand now.")
    if state.planted >= MOST_PLANTINGS:
        raise Refused("already_planted_two", "Two cards are planted; go on with reveal.")
    bean = bean_of(owner.hand, command.card, "in your hand")
    if command.card != next(iter(owner.hand)):
        raise Refused("not_front_card", "Only the front card of the hand can be planted.")
    return planted(owner, seat, command, bean, "hand")


def bean_of(cards: dict[int, Bean | None], number: int, where: str) -> Bean:
    """The kind of that card, if it is among these; else Refused, saying where it was looked for."""
    bean = cards.get(number)
    if bean is None:
        raise Refused("unknown_card", f"There is no card {number} {where}.")
    return bean


def planted(owner: Seat, seat: int, command: Plant, bean: Bean, source: PlantSource) -> BeanPlanted:
    """The card goes into that field, which is empty or holds the same kind. Raises Refused."""
    if command.field >= len(owner.fields):
        raise Refused("no_such_field", f"You have the fields 0 to {len(owner.fields) - 1}.")
    field = owner.fields[command.field]
    if field.bean is not None and field.bean != bean:
        raise Refused("field_occupied", f"Field {command.field} holds {field.bean}; harvest first.")
    return BeanPlanted(seat, command.field, command.card, bean, source)
