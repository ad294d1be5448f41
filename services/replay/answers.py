"""What a replay answers, as it goes over the wire."""

from msgspec import Struct

from domain.actions import Action
from domain.beans import Bean
from domain.events import Event
from domain.views import View


class StepLink(Struct, frozen=True):
    """Another step of the same replay, and where it is."""

    version: int
    href: str


class StepLinks(Struct, frozen=True):
    """The steps around one: that before and behind it, and the nearest in which a turn begins or a trade is made.
    None where there is none yet."""

    previous: StepLink | None
    next: StepLink | None
    previous_turn: StepLink | None
    next_turn: StepLink | None
    previous_trade: StepLink | None
    next_trade: StepLink | None


class ReplayStep(Struct, frozen=True):
    """The table after one event of a game that has come to version `last`. `seat` acted, None for the server;
    `thinking_ms`: whole milliseconds since the event before. `actions` are what the viewer could do then, none for
    who has no seat. `deck` from top to bottom, only where everything is shown."""

    version: int
    last: int
    at: str
    seat: int | None
    thinking_ms: int | None
    event: Event
    view: View
    actions: list[Action]
    deck: list[Bean] | None
    links: StepLinks
