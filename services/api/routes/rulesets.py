"""The editions of the game. They are part of the program, so this asks nobody."""

from litestar import get
from litestar.types import ASGIApp

from domain.beans import KINDS
from domain.rulesets import RULES_VERSION, RULESETS, Ruleset
from services.api.answers import answer
from services.api.reference import rulesets as reference
from services.api.shapes import OptionValue, Preset, Presets, TableOption


def _options(edition: Ruleset) -> list[TableOption]:
    if not edition.duels:
        return []
    values = [OptionValue(fields, table) for fields, table in edition.duels.items()]
    players = values[0].table.players
    return [TableOption("duel_fields", players, edition.tables[players].fields, values)]


PRESETS = Presets(
    RULES_VERSION,
    [
        Preset(
            edition.name,
            edition.reshuffle,
            edition.tie_break,
            list(edition.tables.values()),
            _options(edition),
        )
        for edition in RULESETS.values()
    ],
    list(KINDS.values()),
)


@get("/rulesets", opt=reference.LIST_RULESETS.opt(), sync_to_thread=False)
def list_rulesets() -> ASGIApp:
    """Every edition that can be played here."""
    return answer(PRESETS, headers={"Cache-Control": "public, max-age=300"})
