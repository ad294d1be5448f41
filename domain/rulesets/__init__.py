"""The editions of the game as data: one row per preset and player count (rules, section 3)."""

from domain.rulesets.choosing import table_for
from domain.rulesets.ruleset import (
    Drawers,
    FieldPayment,
    FieldPurchase,
    HarvestTime,
    Reshuffle,
    Rulebook,
    Ruleset,
    Table,
    TieBreak,
    TurnStructure,
)
from domain.rulesets.versions import RULEBOOKS, RULES_VERSION, RULESETS

__all__ = [
    "RULEBOOKS",
    "RULESETS",
    "RULES_VERSION",
    "Drawers",
    "FieldPayment",
    "FieldPurchase",
    "HarvestTime",
    "Reshuffle",
    "Rulebook",
    "Ruleset",
    "Table",
    "TieBreak",
    "TurnStructure",
    "table_for",
]
