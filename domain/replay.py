"""Looking back on a game: what is to be seen of a state and of an event, and from where. A seat and a spectator have
what they had live, also when the game is over; `all` has every hand and the deck, and is only ever for a game that is
over. And where turns begin and trades are made, which is where one goes from there."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, cast

from domain.actions import Action, actions
from domain.beans import Bean
from domain.events import Event, TradeCompleted, TurnStarted
from domain.redaction import redact
from domain.state import State
from domain.views import View, view, whole_view

Viewpoint = int | Literal["spectator", "all"]
"""A seat, somebody who looks on, or everything at once."""

_MILLISECOND: Final = timedelta(milliseconds=1)


def seat_of(viewpoint: Viewpoint) -> int | None:
    """None for who has none."""
    return viewpoint if isinstance(viewpoint, int) else None


def seen(state: State, viewpoint: Viewpoint) -> View:
    """The table from there, without names."""
    return whole_view(state) if viewpoint == "all" else view(state, seat_of(viewpoint))


def told(event: Event, viewpoint: Viewpoint) -> Event:
    """The event from there."""
    return redact(event, seat_of(viewpoint), revealed=viewpoint == "all")


def open_to(state: State, viewpoint: Viewpoint) -> list[Action]:
    """What a seat could do then; nothing for who has none."""
    seat = seat_of(viewpoint)
    return [] if seat is None else actions(state, seat)


def deck_from_top(state: State, viewpoint: Viewpoint) -> list[Bean] | None:
    """The deck, for who may know it. The state must know every kind, as the server's own does."""
    # Its top is at the end.
    return cast("list[Bean]", state.deck[::-1]) if viewpoint == "all" else None


def thinking_ms(before: datetime | None, at: datetime) -> int | None:
    """Whole milliseconds from the event before to this one; None for the first. A history never goes back in time."""
    return None if before is None else (at - before) // _MILLISECOND


class Landmarks:
    """The versions at which a turn has begun, and those at which a trade was made, as far as the history was passed."""

    def __init__(self) -> None:
        self.turns: Final[list[int]] = []
        self.trades: Final[list[int]] = []

    def notice(self, version: int, event: Event) -> None:
        """The event of that version; to be told of each in its order."""
        if isinstance(event, TurnStarted):
            self.turns.append(version)
        elif isinstance(event, TradeCompleted):
            self.trades.append(version)

    def are_passed(self, version: int) -> bool:
        """Whether one of each has been found behind that version."""
        return all(found and found[-1] > version for found in (self.turns, self.trades))


def following(versions: Sequence[int], version: int) -> int | None:
    """The first of them after that one."""
    place = bisect_right(versions, version)
    return versions[place] if place < len(versions) else None


def preceding(versions: Sequence[int], version: int) -> int | None:
    """The last of them before that one."""
    place = bisect_left(versions, version)
    return versions[place - 1] if place else None
