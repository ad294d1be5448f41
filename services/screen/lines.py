"""A recording as plain lines, one for each event, to be read in a file and found with grep."""

from collections.abc import Iterator

from domain.events import event_type
from domain.history import timestamp
from domain.replay import Viewpoint, told
from services.screen.sentence import sentence
from services.screen.timeline import Timeline
from services.screen.words import seat


def lines(timeline: Timeline, viewer: Viewpoint) -> Iterator[str]:
    """Version, time, turn, who acted, the type of the event, and what has happened as that viewer may know it."""
    width, turns = len(str(timeline.last)), len(str(timeline.last_turn))
    for entry in timeline.entries:
        actor = "server" if entry.seat is None else seat(entry.seat)
        event = told(entry.event, viewer)
        yield (
            f"{entry.version:>{width}}  {timestamp(entry.at)}  turn {timeline.turn(entry.version):>{turns}}  "
            f"{actor}  {event_type(event):16}  {sentence(event)}"
        )
