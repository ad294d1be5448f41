"""Every version of the rules that games are played by. A game goes on, and is re-checked, under the version that its
first event names, however many came after it.

A fix that changes what is decided, and a new edition, get the next version: rows of their own, and a new named policy
where the rule differs in kind. What a version says is never changed once a game was played by it.
"""

from typing import Final

from domain.rulesets.ruleset import Rulebook
from domain.rulesets.version_1 import VERSION_1

RULEBOOKS: Final[dict[int, Rulebook]] = {1: VERSION_1}

RULES_VERSION: Final = max(RULEBOOKS)
"""The one that new games are played by; stands in `game_created`."""

RULESETS: Final[Rulebook] = RULEBOOKS[RULES_VERSION]
"""What a new game can be played as."""
