"""The editions of the game as data: one row per preset and player count (rules, section 3)."""

from domain.rulesets.choosing import table_for
from domain.rulesets.presets import RULESETS
from domain.rulesets.ruleset import (
    RULES_VERSION,
    Drawers,
    FieldPayment,
    FieldPurchase,
    HarvestTime,
    Reshuffle,
    Ruleset,
    Table,
    TieBreak,
    TurnStructure,
)

__all__ = [
    "RULESETS",
    "RULES_VERSION",
    "Drawers",
    "FieldPayment",
    "FieldPurchase",
    "HarvestTime",
    "Reshuffle",
    "Ruleset",
    "Table",
    "TieBreak",
    "TurnStructure",
    "table_for",
]
