"""How much is tried of what is left to chance: all of it in a usual run; a few where mutants are tested, as there every
mutant has a run of its own and must rather fall to a test written by hand."""

import os
from typing import Final

from hypothesis import HealthCheck, Phase, settings

_TESTS_MUTANTS: Final = "MUTANT_UNDER_TEST" in os.environ
"""Set by mutmut before it starts pytest."""


def tries(usual: int, few: int) -> int:
    """How many to try in this run."""
    return few if _TESTS_MUTANTS else usual


def by_chance(usual: int) -> settings:
    """For a property of so many games by chance: the same games in every run, and no limit on their time."""
    return settings(
        max_examples=tries(usual, 3),
        # A mutant need only be found; the shortest way to it is worth nothing.
        phases=(Phase.explicit, Phase.generate) if _TESTS_MUTANTS else tuple(Phase),
        deadline=None,
        derandomize=True,
        print_blob=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
