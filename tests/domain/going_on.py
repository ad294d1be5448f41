"""No game gets stuck: whoever must act can (rules, edge case 12)."""

from domain.actions import actions
from domain.commands import Discard, EndTrading, EndTurn, Harvest, Plant, Reveal
from domain.decide import decide
from domain.evolve import evolve
from domain.state import State, copy_of


def due(state: State) -> list[int]:
    """The seats that a running game waits for."""
    if state.phase == "settle":
        return [index for index, seat in enumerate(state.seats) if seat.pending]
    return [state.active or 0]


def check_that_it_goes_on(state: State, seed: bytes) -> None:
    """Each of them has a move that brings the game on; nobody has any when it does not run."""
    if state.status != "running":
        assert not any(actions(state, seat) for seat in range(len(state.seats))), "moves in a game that does not run"
        return
    assert state.active is not None, "a running game has an active seat"
    match state.phase:
        case "plant":
            ways = [action.command for action in actions(state, state.active)]
            assert Reveal() in ways or can_plant(state, state.active, seed), "no way out of phase plant"
        case "trade":
            ways = [action.command for action in actions(state, state.active)]
            assert EndTrading() in ways, "no way out of phase trade"
        case "settle":
            owners = due(state)
            assert owners, "phase settle does not wait for anybody"
            assert all(can_plant(state, owner, seed) for owner in owners), "a pending card that cannot be planted"
        case "gifts":
            ways = [action.command for action in actions(state, state.active)]
            assert {Discard(card) for card in state.gifts} <= set(ways), "no way out of phase gifts"
            assert state.gifts, "phase gifts does not wait for anything"
        case "keep":
            assert EndTurn() in [action.command for action in actions(state, state.active)], "no way out of phase keep"
        case None:
            raise AssertionError("a running game has a phase")


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
