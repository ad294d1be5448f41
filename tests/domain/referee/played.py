"""Whole histories to be judged: games by chance and games of casual players, each line with who acted."""

from functools import lru_cache
from random import Random
from typing import Literal

from domain.actions import actions
from domain.bots.casual import choose
from domain.commands import Command
from domain.events import PlayerJoined
from domain.referee.history import Line
from domain.state import State
from domain.views import view
from tests.domain.play import Game
from tests.domain.random_play import legal_commands

GAME = "a-game"
Style = Literal["casual", "chance"]


@lru_cache(maxsize=64)
def played(players: int, style: Style, number: int) -> tuple[Line, ...]:
    """One game from its first event to its last; the same for the same arguments."""
    chance = Random(f"{players} {style} {number}")
    game = Game(players, game=GAME, seed=chance.randbytes(32))
    lines: list[Line] = [(event.seat if isinstance(event, PlayerJoined) else 0, event) for event in game.history]
    lines += [(0, event) for event in game.start()]
    while game.state.status == "running":
        seat, command = _casual(game.state, chance) if style == "casual" else _by_chance(game.state, chance)
        lines += [(seat, event) for event in game.act(seat, command)]
    return tuple(lines)


def _by_chance(state: State, chance: Random) -> tuple[int, Command]:
    return next(legal_commands(state, chance))


def _casual(state: State, chance: Random) -> tuple[int, Command]:
    while True:
        seat = chance.randrange(len(state.seats))
        command = choose(view(state, seat), actions(state, seat), chance)
        if command is not None:
            return seat, command
