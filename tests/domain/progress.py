"""Whether a game goes on: whoever must act has a way to, and nobody is waited for who has nothing to do."""

import pytest

from domain.actions import actions
from domain.commands import Discard, EndTrading, EndTurn, Harvest, Plant, Reveal
from domain.decide import decide
from domain.evolve import evolve
from domain.state import State, copy_of


def check_that_it_goes_on(state: State, seed: bytes) -> None:
    if state.status != "running":
        assert not any(actions(state, seat) for seat in range(len(state.seats)))
        return
    assert state.active is not None
    match state.phase:
        case "plant":
            ways = [action.command for action in actions(state, state.active)]
            assert Reveal() in ways or can_plant(state, state.active, seed)
        case "trade":
            assert EndTrading() in [action.command for action in actions(state, state.active)]
        case "settle":
            owners = [index for index, seat in enumerate(state.seats) if seat.pending]
            assert owners, "phase 3 does not wait for anybody"
            assert all(can_plant(state, owner, seed) for owner in owners)
        case "gifts":
            ways = [action.command for action in actions(state, state.active)]
            assert {Discard(card) for card in state.gifts} <= set(ways)
            assert state.gifts, "step 1 does not wait for anything"
        case "keep":
            assert EndTurn() in [action.command for action in actions(state, state.active)]
        case None:
            pytest.fail("a running game has a phase")


def can_plant(state: State, seat: int, seed: bytes) -> bool:
    """At once, or after a harvest."""
    ways = [action.command for action in actions(state, seat)]
    if any(isinstance(way, Plant) for way in ways):
        return True
    for way in ways:
        if isinstance(way, Harvest):
            after = copy_of(state)
            for event in decide(after, seat, way, seed):
                evolve(after, event)
            if any(isinstance(action.command, Plant) for action in actions(after, seat)):
                return True
    return False
