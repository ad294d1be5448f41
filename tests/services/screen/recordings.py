"""Recordings to be looked at, and what is on the screen then."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

from rich.console import Console, RenderableType

from domain.events import Event
from services.screen.reading import read
from services.screen.recording import Entry, Recording
from services.screen.timeline import Timeline
from tests.exports import golden_export

BEGINNING: Final = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@cache
def golden(setup: str, number: int = 1) -> Timeline:
    """A golden game, by way of its export."""
    return Timeline(read(golden_export(setup, number), "game"))


def recorded(events: Sequence[Event], *, seconds: Sequence[float] = ()) -> Recording:
    """Those events, each so many seconds after the one before."""
    at = BEGINNING
    entries = []
    for place, event in enumerate(events):
        at += timedelta(seconds=seconds[place] if place < len(seconds) else 1)
        entries.append(Entry(place + 1, at, None, event))
    return Recording("a-game", "classic", 1, entries)


def on_screen(shown: RenderableType, width: int = 80, height: int = 24) -> str:
    """What a terminal of that size shows, without its colours."""
    file = io.StringIO()
    console = Console(file=file, width=width, height=height, color_system=None, highlight=False)
    console.print(shown, end="")
    return file.getvalue()
