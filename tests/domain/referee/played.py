"""Whole histories to be judged: games by chance and games of casual players, each line with who acted."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Literal

from domain import lobby
from domain.actions import actions
from domain.bots.casual import choose
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, Options
from domain.evolve import evolve, initial
from domain.referee.history import Line
from domain.rulesets import RULESETS
from domain.state import State
from domain.views import view
from tests.domain.random_play import legal_commands

GAME = "a-game"
Style = Literal["casual", "chance"]


@lru_cache(maxsize=256)
def played(ruleset: str, players: int, style: Style, number: int) -> tuple[Line, ...]:
    """One game from its first event to its last; the same for the same arguments."""
    chance = Random(f"{ruleset} {players} {style} {number}")
    return tuple(_lines(ruleset, players, style, chance))


def every_table() -> list[tuple[str, int]]:
    """Every edition with every number of players."""
    return [(name, players) for name, ruleset in RULESETS.items() for players in ruleset.tables]


def _lines(ruleset: str, players: int, style: Style, chance: Random) -> Iterator[Line]:
    seed = chance.randbytes(32)
    state = initial(GAME)

    def happen(seat: int, events: list[Event]) -> Iterator[Line]:
        for event in events:
            evolve(state, event)
            yield seat, event

    options = Options(start_when_full=chance.random() < 0.5)
    yield from happen(
        0,
        lobby.create(
            ruleset=ruleset,
            seats=players,
            visibility="public",
            options=options,
            host="player-0",
            seed=seed,
            nonce="nonce-0",
        ),
    )
    if chance.random() < 0.5:
        yield from happen(1, lobby.join(state, 1, "a-guest", "", seed) if players > 2 else [])
        yield from happen(1, lobby.leave(state, 1, seed) if players > 2 else [])
    for seat in range(1, players):
        yield from happen(seat, lobby.join(state, seat, f"player-{seat}", f"nonce-{seat}", seed))
    if state.status == "open":
        yield from happen(0, lobby.start(state, seed))
    while state.status == "running":
        seat, command = _casual(state, chance) if style == "casual" else _by_chance(state, chance)
        yield from happen(seat, decide(state, seat, command, seed))


def _by_chance(state: State, chance: Random) -> tuple[int, Command]:
    return next(legal_commands(state, chance))


def _casual(state: State, chance: Random) -> tuple[int, Command]:
    while True:
        seat = chance.randrange(len(state.seats))
        command = choose(view(state, seat), actions(state, seat), chance)
        if command is not None:
            return seat, command
