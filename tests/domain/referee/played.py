"""Whole histories to be judged: games by chance and games of casual players, each line with who acted."""

from functools import lru_cache
from random import Random

from domain.evolve import initial
from domain.referee.history import Line
from domain.rulesets import RULESETS
from tests.domain.editions import Setup
from tests.domain.whole_game import Style, steps

GAME = "a-game"


@lru_cache(maxsize=256)
def played(ruleset: str, players: int, style: Style, number: int) -> tuple[Line, ...]:
    """One game from its first event to its last; the same for the same arguments."""
    chance = Random(f"{ruleset} {players} {style} {number}")
    seed = chance.randbytes(32)
    game = steps(initial(GAME), Setup(ruleset, players), style, chance, seed)
    return tuple((step.seat, event) for step in game for event in step.events)


def every_table() -> list[tuple[str, int]]:
    """Every edition with every number of players."""
    return [(name, players) for name, ruleset in RULESETS.items() for players in ruleset.tables]
