"""From a command to the events that it causes, all consequences included."""

from typing import assert_never

from domain.commands import (
    Accept,
    BuyField,
    Command,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.decide.duel import decide_in_duel
from domain.decide.harvesting import buy_field, harvest
from domain.decide.planting import plant
from domain.decide.trading import accept, end_trading, offer, reject, withdraw
from domain.decide.turn import revealed
from domain.events import Event
from domain.refusal import Refused
from domain.state import State


def decide(state: State, seat: int, command: Command, seed: bytes) -> list[Event]:
    """What happens when that seat asks for that command.

    `seed` is the game's secret, needed when the deck is shuffled or the game ends. Raises Refused.
    """
    if state.status != "running":
        raise Refused("game_not_running", f"The game is {state.status}; nobody can act in it.")
    structure = state.table.turn
    match structure:
        case "trading":
            return _decide_with_trading(state, seat, command, seed)
        case "duel":
            return decide_in_duel(state, seat, command, seed)
        case _:
            assert_never(structure)


def _decide_with_trading(state: State, seat: int, command: Command, seed: bytes) -> list[Event]:
    match command:
        case Plant():
            return plant(state, seat, command, seed)
        case Reveal():
            return revealed(state, seat, seed)
        case Offer():
            return offer(state, seat, command)
        case Accept():
            return accept(state, seat, command)
        case Reject():
            return reject(state, seat, command)
        case Withdraw():
            return withdraw(state, seat, command)
        case EndTrading():
            return end_trading(state, seat, seed)
        case Harvest():
            return harvest(state, seat, command)
        case BuyField():
            return buy_field(state, seat)
        case Discard() | EndTurn():
            raise Refused("wrong_phase", "Only the game for two has this command.")
        case _:
            assert_never(command)
