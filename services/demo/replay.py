"""Plays a game again from what its clients did: the table, the start and every accepted command, each once and
decided anew with the seed, give the history to the letter. So no command was lost, doubled, or made up.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from domain import lobby
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, GameCreated, GameEnded, PlayerJoined
from domain.evolve import evolve, initial
from domain.refusal import Refused
from domain.state import State
from services.demo.fault import DOES_NOT_FOLD, Fault


class Move(NamedTuple):
    """A command, who sent it, and the versions of the events that its answer told, inclusive."""

    first: int
    last: int
    seat: int
    command: Command


def replay(game: str, events: Sequence[Event], moves: Sequence[Move]) -> list[Fault]:
    """What is wrong first; `events` is the full history of an ended game that folds."""
    state = initial(game)
    try:
        for decided in _decided(state, events, sorted(moves, key=lambda move: move.first)):
            for event in decided:
                if state.version == len(events) or events[state.version] != event:
                    return [Fault(state.version + 1, "The same command, decided again, gives another event.")]
                evolve(state, event)
    except _NotOnce as fault:
        return [Fault(state.version + 1, str(fault))]
    except (Refused, *DOES_NOT_FOLD) as error:
        return [Fault(state.version + 1, f"The command that this came from, decided again, is refused: {error}")]
    if state.version != len(events):
        return [Fault(state.version + 1, "No client sent the command that this came from.")]
    return []


class _NotOnce(Exception):
    """Commands and events do not match one to one."""


def _decided(state: State, events: Sequence[Event], moves: Sequence[Move]) -> Iterator[list[Event]]:
    """The events of one command after the other; `state` has those before when the next is asked for."""
    seed = _seed(events)
    yield from _opened(state, events, seed)
    for move in moves:
        following = state.version + 1
        if move.first > following:
            raise _NotOnce("No client sent the command that this came from.")
        if move.first < following:
            raise _NotOnce(f"Version {move.first} answers two commands, one of them from seat {move.seat}.")
        decided = decide(state, move.seat, move.command, seed)
        yield decided
        if state.version != move.last:
            raise _NotOnce(f"The answer to seat {move.seat} ends at version {move.last}, its events do not.")


def _opened(state: State, events: Sequence[Event], seed: bytes) -> Iterator[list[Event]]:
    """Table, seats and start, from what the players chose freely: edition, ids and nonces."""
    created, host = events[0], events[1]
    if not (isinstance(created, GameCreated) and isinstance(host, PlayerJoined)):
        raise TypeError("a game begins with game_created and its host")
    yield lobby.create(
        ruleset=created.ruleset,
        seats=created.seats,
        visibility=created.visibility,
        options=created.options,
        host=created.host,
        seed=seed,
        nonce=host.nonce,
    )
    for place in count(2):
        joined = events[place]
        if not isinstance(joined, PlayerJoined):
            break
        yield lobby.join(state, lobby.free_seat(state), joined.player, joined.nonce, seed)
    if state.status == "open":
        yield lobby.start(state, seed)


def _seed(events: Sequence[Event]) -> bytes:
    last = events[-1]
    if not isinstance(last, GameEnded):
        raise TypeError("an ended game ends with game_ended")
    return bytes.fromhex(last.seed)
