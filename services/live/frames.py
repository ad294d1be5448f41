"""What goes to a client on a stream, encoded once for all who get the same (design, "Live updates")."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from domain.views import View
from services.games.answers import EventItem

FrameType = Literal["events", "view", "presence", "bye"]


class EventsFrame(Struct, frozen=True, tag_field="type", tag="events"):
    """The events from one version to another, both inclusive, without a gap."""

    first: int = field(name="from")
    last: int = field(name="to")
    events: list[EventItem]


class ViewFrame(Struct, frozen=True, tag_field="type", tag="view"):
    """The whole table: where a client begins, or begins anew."""

    view: View


class PresenceFrame(Struct, frozen=True, tag_field="type", tag="presence"):
    """Whose seats are watched by their players just now, and how many others look on."""

    seats: list[int]
    spectators: int


class ByeFrame(Struct, frozen=True, tag_field="type", tag="bye"):
    """The last frame; `retry_ms` until the client should come again, null if that is of no use."""

    retry_ms: int | None


class Frame:
    """One encoded frame. `version` is where a client stands after it, None if it does not move him."""

    __slots__ = ("_sse", "body", "type", "version")

    def __init__(self, kind: FrameType, version: int | None, body: bytes) -> None:
        self.type: Final = kind
        self.version: Final = version
        self.body: Final = body
        self._sse: bytes | None = None

    @property
    def sse(self) -> bytes:
        """As a server-sent event (WHATWG HTML, section 9.2). The JSON has no line breaks."""
        if self._sse is None:
            place = b"" if self.version is None else b"id: %d\n" % self.version
            self._sse = b"event: %s\n%sdata: %s\n\n" % (self.type.encode(), place, self.body)
        return self._sse


_encode: Final = msgspec.json.Encoder().encode


def events_frame(events: Sequence[EventItem]) -> Frame:
    """For some events in a row, at least one."""
    first, last = events[0].version, events[-1].version
    return Frame("events", last, _encode(EventsFrame(first, last, list(events))))


def view_frame(seen: View) -> Frame:
    """For a table as its viewer sees it."""
    return Frame("view", seen.version, _encode(ViewFrame(seen)))


def presence_frame(seats: list[int], spectators: int) -> Frame:
    """For who is there."""
    return Frame("presence", None, _encode(PresenceFrame(seats, spectators)))


def bye_frame(retry_ms: int | None) -> Frame:
    """For the end of the stream."""
    return Frame("bye", None, _encode(ByeFrame(retry_ms)))
