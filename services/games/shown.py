"""The one place where a stored event becomes what a viewer gets: in answers, pages and live frames alike."""

from domain.events import Event
from domain.history import Record, timestamp
from domain.redaction import redact
from services.games.answers import EventItem


def shown(record: Record, event: Event, viewer: int | None, *, revealed: bool) -> EventItem:
    """The event as that seat (None: a spectator) may see it; `revealed` only ever after the end of the game."""
    return EventItem(record.version, timestamp(record.at), redact(event, viewer, revealed=revealed))
