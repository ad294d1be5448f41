"""Whole games of casual players, recorded once so that a measurement repeats the very same moves."""

import random
from collections.abc import Sequence

from msgspec import Struct

from domain import lobby
from domain.actions import actions
from domain.bots.casual import choose
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, Options
from domain.evolve import evolve, initial
from domain.state import State
from domain.views import view


class Move(Struct, frozen=True):
    """One accepted command, and the version to which it brought the game."""

    seat: int
    command: Command
    version: int


class RecordedGame(Struct, frozen=True):
    """What is needed to play a game again, and the events that it gave. `opening` of them came before
    the start, `started` when the first move could be made."""

    game: str
    seed: bytes
    players: Sequence[str]
    opening: int
    started: int
    moves: list[Move]
    events: list[Event]


def record(
    game: str,
    seed: bytes,
    players: Sequence[str],
    dice: random.Random,
    *,
    ruleset: str = "classic",
    options: Options = Options(),  # noqa: B008 - it is frozen
    most_moves: int | None = None,
) -> RecordedGame:
    """Play it to its end, or for so many moves."""
    state = initial(game)
    events: list[Event] = []
    moves: list[Move] = []

    def happen(caused: list[Event]) -> None:
        for event in caused:
            evolve(state, event)
        events.extend(caused)

    happen(
        lobby.create(
            ruleset=ruleset,
            seats=len(players),
            visibility="public",
            options=options,
            host=players[0],
            seed=seed,
            nonce="",
        )
    )
    for seat, player in enumerate(players[1:], 1):
        happen(lobby.join(state, seat, player, "", seed))
    opening = len(events)
    happen(lobby.start(state, seed))
    started = len(events)
    while state.status == "running" and len(moves) != most_moves:
        seat, command = _next_move(state, dice)
        happen(decide(state, seat, command, seed))
        moves.append(Move(seat, command, len(events)))
    return RecordedGame(game, seed, players, opening, started, moves, events)


def _next_move(state: State, dice: random.Random) -> tuple[int, Command]:
    """Somebody wants to move sooner or later: the dice are thrown until then."""
    seats = list(range(len(state.seats)))
    while True:
        dice.shuffle(seats)
        for seat in seats:
            command = choose(view(state, seat), actions(state, seat), dice)
            if command is not None:
                return seat, command
