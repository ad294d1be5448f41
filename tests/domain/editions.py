"""Every edition with every number of players, typed from the table of presets (rules, section 3)."""

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET, Struct

from domain.events import Options

PLAYERS: Final[Mapping[str, tuple[int, ...]]] = {
    "classic": (2, 3, 4, 5, 6, 7),
    "boonanza": (3, 4, 5),
    "amigo_classic": (3, 4, 5),
    "amigo_2023": (3, 4, 5),
    "new_beans": (3, 4, 5, 6, 7),
    "field_beans": (4, 5),
}


class Setup(Struct, frozen=True):
    """What a game is set up with."""

    ruleset: str
    players: int
    options: Options = Options()

    def __str__(self) -> str:
        printing = self.options.duel_fields
        return f"{self.ruleset}-{self.players}" + ("" if printing is UNSET else f"-duel_fields={printing}")


PRINTING_B: Final = Options(duel_fields=3)
SETUPS: Final = [
    *(Setup(ruleset, players) for ruleset, counts in PLAYERS.items() for players in counts),
    Setup("classic", 2, PRINTING_B),
]


def final_exhaustion(setup: Setup) -> int:
    """The exhaustion that ends the game."""
    match setup.ruleset, setup.players:
        case "classic", 2:
            return 1
        case (("classic" | "new_beans"), 3):
            return 2
        case _:
            return 3
