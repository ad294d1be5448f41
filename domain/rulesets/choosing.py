"""Which table a new game is played by. What no edition offers is refused with a sentence that says what there is."""

from msgspec import UNSET

from domain.events import Options
from domain.rulesets.presets import RULESETS
from domain.rulesets.ruleset import Table


def table_for(ruleset: str, seats: int, options: Options = Options()) -> Table:  # noqa: B008 - it is frozen
    """The table for that many players; ValueError names what is on offer instead."""
    edition = RULESETS.get(ruleset)
    if edition is None:
        raise ValueError(f"There is no ruleset {ruleset!r}; choose one of {', '.join(RULESETS)}.")
    table = edition.tables.get(seats)
    if table is None:
        raise ValueError(f"{ruleset} is played by {_listed(edition.tables)} players, not by {seats}.")
    if options.duel_fields is UNSET:
        return table
    if table.turn != "duel":
        raise ValueError(
            f"The option duel_fields belongs to a game for two ({_with_duels()}); {ruleset} with {seats} players"
            " has no such option."
        )
    printing = edition.duels.get(options.duel_fields)
    if printing is None:
        raise ValueError(f"The option duel_fields is {_listed(edition.duels)}, not {options.duel_fields}.")
    return printing


def _with_duels() -> str:
    return ", ".join(f"{edition.name} with 2 players" for edition in RULESETS.values() if edition.duels)


def _listed(numbers: dict[int, Table]) -> str:
    *most, last = (str(number) for number in numbers)
    return f"{', '.join(most)} or {last}" if most else last
