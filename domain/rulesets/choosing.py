"""Which table a game is played by. What no edition offers is refused with a sentence that says what there is."""

from msgspec import UNSET

from domain.events import Options
from domain.rulesets.ruleset import Rulebook, Table
from domain.rulesets.versions import RULEBOOKS, RULES_VERSION


def table_for(
    ruleset: str,
    seats: int,
    options: Options = Options(),  # noqa: B008 - it is frozen
    rules_version: int = RULES_VERSION,
) -> Table:
    """The table for that many players; ValueError names what is on offer instead."""
    rulebook = RULEBOOKS.get(rules_version)
    if rulebook is None:
        raise ValueError(f"There is no version {rules_version} of the rules here; the newest is {max(RULEBOOKS)}.")
    edition = rulebook.get(ruleset)
    if edition is None:
        raise ValueError(f"There is no ruleset {ruleset!r}; choose one of {', '.join(rulebook)}.")
    table = edition.tables.get(seats)
    if table is None:
        raise ValueError(f"{ruleset} is played by {_listed(edition.tables)} players, not by {seats}.")
    if options.duel_fields is UNSET:
        return table
    if table.turn != "duel":
        raise ValueError(
            f"The option duel_fields belongs to a game for two ({_with_duels(rulebook)}); "
            f"{ruleset} with {seats} players has no such option."
        )
    printing = edition.duels.get(options.duel_fields)
    if printing is None:
        raise ValueError(f"The option duel_fields is {_listed(edition.duels)}, not {options.duel_fields}.")
    return printing


def _with_duels(rulebook: Rulebook) -> str:
    return ", ".join(f"{edition.name} with 2 players" for edition in rulebook.values() if edition.duels)


def _listed(numbers: dict[int, Table]) -> str:
    *most, last = (str(number) for number in numbers)
    return f"{', '.join(most)} or {last}" if most else last
