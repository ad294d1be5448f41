"""Re-checks a whole history, event by event, from the rules alone: no code that decides or folds is asked."""

from domain.referee.fault import Fault, Reason
from domain.referee.history import judge, judge_events, judge_records, revealed_seed
from domain.referee.referee import Referee

__all__ = ["Fault", "Reason", "Referee", "judge", "judge_events", "judge_records", "revealed_seed"]
