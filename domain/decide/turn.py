"""From phase to phase: the reveal, phase 4, the next turn, and the end of the game
(rules, sections 5, 9 and 10a)."""

from collections.abc import Sequence
from functools import partial

from domain.decide.ending import final_scoring
from domain.decide.stock import Stock
from domain.events import CardsDrawn, CardsRevealed, Event, TurnStarted
from domain.evolve import evolve
from domain.refusal import Refused
from domain.state import State, copy_of


def revealed(state: State, seat: int, seed: bytes) -> list[Event]:
    """Planting from the hand is over: the top cards of the deck are turned up, one after the other. Raises Refused."""
    if state.phase != "plant":
        raise Refused("wrong_phase", "The cards of this turn are revealed already.")
    if seat != state.active:
        raise Refused("not_your_turn", f"Seat {state.active} reveals in this turn.")
    if state.planted == 0 and state.seats[seat].hand:
        raise Refused("must_plant_first", "Plant the front card of your hand before the reveal.")
    events = Stock(state, seed).draw(state.table.reveal, partial(CardsRevealed, seat))
    if not any(isinstance(event, CardsRevealed) for event in events):
        # Both piles are empty: what follows in this turn is still played, without face-up cards.
        events.insert(0, CardsRevealed(seat, []))
    return events


def finish_turn(state: State, seed: bytes, so_far: Sequence[Event]) -> list[Event]:
    """What follows by itself once nobody has cards left to plant: phase 4 and the next turn, or the end.

    `so_far` are the events of the same command that `state` does not hold yet.
    """
    active = state.active
    if active is None:
        raise ValueError("nobody has a turn to finish")
    if state.final_exhaustion:
        return _end(state, seed, so_far)
    stock = Stock(state, seed)
    events: list[Event] = []
    for seat in _drawers(state, active):
        events += stock.draw(state.table.draw, partial(CardsDrawn, seat))
        if stock.final:
            return [*events, *_end(state, seed, [*so_far, *events])]
    return [*events, TurnStarted(state.turn + 1, (active + 1) % len(state.seats))]


def _drawers(state: State, active: int) -> list[int]:
    match state.table.drawers:
        case "active":
            return [active]
        case "everyone":
            seats = len(state.seats)
            return [(active + step) % seats for step in range(seats)]


def _end(state: State, seed: bytes, so_far: Sequence[Event]) -> list[Event]:
    after = copy_of(state)
    for event in so_far:
        evolve(after, event)
    return final_scoring(after, seed)
