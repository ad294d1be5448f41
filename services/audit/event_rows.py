"""Do the event rows of a game follow each other up to the head, each as it was hashed? The first one that does not is
named, and as far as its neighbours tell, the column."""

from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Event, GameCreated, event_type
from domain.export import Entry, Unreadable
from domain.history import first_hash, header, line, next_hash
from infra.postgres.inspection import EventRow
from services.audit.audits import entry_of

_SEATS: Final = (None, *range(8))


class _Doubt(Struct, frozen=True):
    """A row whose hash is not that of its line; what comes behind it tells which of the two is wrong. `previous` is the
    hash before it and `computed` the one that its line gives."""

    row: EventRow
    previous: bytes
    computed: bytes
    previous_at: datetime | None


def read_row(row: EventRow) -> Entry | Unreadable:
    """The row as the line that it is in an export. It is read once, for all who look at it."""
    try:
        return entry_of(row.version, row.at, row.seat, row.payload)
    except Unreadable as error:
        return error


class EventRows:
    """Takes the rows of one game in the order of their versions. `version` and `head_hash` are those of its head row.

    `wrong` is the first thing that is wrong, a sentence; after it nothing more is looked at. `count` rows were right,
    the last of which ends the chain with `hash`.
    """

    def __init__(self, game: str, version: int, head_hash: bytes) -> None:
        self.count = 0
        self.hash = b""
        self.header_hash = b""
        self.first_at: datetime | None = None
        self.last_at: datetime | None = None
        self.wrong: str | None = None
        self._game = game
        self._version = version
        self._head_hash = head_hash
        self._hash_at_head: bytes | None = None
        self._doubt: _Doubt | None = None

    def take(self, row: EventRow, entry: Entry | Unreadable) -> Event | None:
        """The next row, and what was read of it; the event in it if it is right."""
        if self._doubt is not None:
            self._settle(self._doubt, row)
        elif self.wrong is None:
            self.wrong = self._misplaced(row)
        if self.wrong is not None:
            return None
        if isinstance(entry, Unreadable):
            self.wrong = f"events.payload, version {row.version}: it is no event that is known here."
            return None
        event = entry.event
        previous = self.hash or self._start(event)
        if previous is None:
            self.wrong = "events.payload, version 1: a game does not begin with it."
            return None
        computed = next_hash(previous, entry.line)
        if computed != row.hash:
            self._doubt = _Doubt(row, previous, computed, self.last_at)
            return None
        if row.type != event_type(event):
            self.wrong = f"events.type, version {row.version}: it is not that of the payload."
            return None
        self.count = row.version
        self.hash = computed
        if row.version == self._version:
            self._hash_at_head = computed
        self.first_at = self.first_at or row.at
        self.last_at = row.at
        return event

    def finish(self) -> None:
        """Nothing comes any more."""
        if self._doubt is not None:
            self.wrong = self._last_doubt(self._doubt)
        elif self.wrong is None and self.count < self._version and self.hash != self._head_hash:
            self.wrong = f"events, version {self.count + 1}: the row is missing."
        elif self.wrong is None and self.count > self._version and self._hash_at_head == self._head_hash:
            self.wrong = f"events, version {self._version + 1}: the row comes behind the head."

    def _last_doubt(self, doubt: _Doubt) -> str:
        """Where no row follows, the head tells."""
        row = doubt.row
        if row.version > self._version:
            return f"events, version {row.version}: the row comes behind the head."
        if self._head_hash == row.hash:
            return _not_what_was_hashed(doubt, None)
        return _not_the_hash(row) if self._head_hash == doubt.computed else _foreign(row)

    def _misplaced(self, row: EventRow) -> str | None:
        expected = self.count + 1
        if row.version == expected:
            return None
        if row.version < expected:
            return f"events.version, version {row.version}: there is no such version."
        return f"events, version {expected}: the row is missing."

    def _start(self, event: Event) -> bytes | None:
        if not isinstance(event, GameCreated):
            return None
        self.header_hash = first_hash(header(self._game, event.ruleset, event.rules_version))
        return self.header_hash

    def _settle(self, doubt: _Doubt, following: EventRow) -> None:
        self._doubt = None
        row = doubt.row
        follows = following.version == row.version + 1
        text = line(following.version, following.at, following.seat, following.payload)
        if follows and next_hash(row.hash, text) == following.hash:
            self.wrong = _not_what_was_hashed(doubt, following.at)
        elif follows and next_hash(doubt.computed, text) == following.hash:
            self.wrong = _not_the_hash(row)
        else:
            self.wrong = _foreign(row)


def _not_what_was_hashed(doubt: _Doubt, following_at: datetime | None) -> str:
    """The hash is right. The seat and, where it is shared with a neighbour, the time can be found out."""
    row = doubt.row
    where = f"version {row.version}"
    for seat in _SEATS:
        if _gives(doubt, replace(row, seat=seat)):
            return f"events.seat, {where}: it is not what was hashed."
    for at in (doubt.previous_at, following_at):
        if at is not None and _gives(doubt, replace(row, at=at)):
            return f"events.at, {where}: it is not what was hashed."
    return f"events.at, events.seat or events.payload, {where}: not what was hashed."


def _gives(doubt: _Doubt, row: EventRow) -> bool:
    return next_hash(doubt.previous, line(row.version, row.at, row.seat, row.payload)) == row.hash


def _not_the_hash(row: EventRow) -> str:
    return f"events.hash, version {row.version}: it is not that of its line."


def _foreign(row: EventRow) -> str:
    return f"events, version {row.version}: it is not the row that was stored; neither its line nor its hash follows."
