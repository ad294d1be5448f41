"""Re-checks the whole history of an ended game, card by card and coin by coin."""

from domain.recheck.recheck import DOES_NOT_FOLD, Fault, recheck

__all__ = ["DOES_NOT_FOLD", "Fault", "recheck"]
