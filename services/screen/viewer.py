"""Through whose eyes a recorded game is looked at, by name."""

from typing import Final, Literal

from domain.replay import Viewpoint


def viewers(seats: int) -> list[Viewpoint]:
    """All that there are at a table of so many, in the order in which they are gone through."""
    return ["all", *range(seats), "spectator"]


def viewer_named(text: str, seats: int) -> Viewpoint:
    """The viewer that is meant. ValueError says who there is."""
    found = {str(viewer): viewer for viewer in viewers(seats)}.get(text)
    if found is None:
        raise ValueError(f"There is no viewer {text!r} here; choose a seat from 0 to {seats - 1}, spectator or all.")
    return found


def name_of(viewer: Viewpoint) -> str:
    """As whom one looks, in words."""
    return f"as seat {viewer}" if isinstance(viewer, int) else _NAMES[viewer]


_NAMES: Final[dict[Literal["spectator", "all"], str]] = {"spectator": "as a spectator", "all": "all hands open"}
