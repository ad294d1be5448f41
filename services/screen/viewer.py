"""Through whose eyes a recorded game is looked at. A seat and a spectator see what they saw while it was played, also
after its end; only `all` sees every hand and the deck."""

from typing import Final, Literal, assert_never

from domain.beans import Bean
from domain.events import Event
from domain.redaction import redact
from domain.state import State
from domain.views import View, view, whole_view

Viewer = int | Literal["spectator", "all"]


def viewers(seats: int) -> list[Viewer]:
    """All that there are at a table of so many, in the order in which they are gone through."""
    return ["all", *range(seats), "spectator"]


def viewer_named(text: str, seats: int) -> Viewer:
    """The viewer that is meant. ValueError says who there is."""
    found = {str(viewer): viewer for viewer in viewers(seats)}.get(text)
    if found is None:
        raise ValueError(f"There is no viewer {text!r} here; choose a seat from 0 to {seats - 1}, spectator or all.")
    return found


def name_of(viewer: Viewer) -> str:
    """As whom one looks, in words."""
    return f"as seat {viewer}" if isinstance(viewer, int) else _NAMES[viewer]


def seen(state: State, viewer: Viewer) -> View:
    """The table as that viewer has it."""
    match viewer:
        case "all":
            return whole_view(state)
        case "spectator":
            return view(state, None)
        case int():
            return view(state, viewer)
        case _:
            assert_never(viewer)


def told(event: Event, viewer: Viewer) -> Event:
    """The event as that viewer has it."""
    match viewer:
        case "all":
            return event
        case "spectator":
            return redact(event, None)
        case int():
            return redact(event, viewer)
        case _:
            assert_never(viewer)


def deck_from_top(state: State, viewer: Viewer) -> list[Bean | None] | None:
    """The deck, for who may know it."""
    return state.deck[::-1] if viewer == "all" else None


_NAMES: Final[dict[Literal["spectator", "all"], str]] = {"spectator": "as a spectator", "all": "all hands open"}
