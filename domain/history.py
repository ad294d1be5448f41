"""The history of a game as bytes: log lines and the hash chain over them.

`hash_0` is SHA-256 of the header line, `hash_n` is SHA-256 of `hash_{n-1}` (32 raw bytes) followed
by line n, without a line end. The lines are the very bytes of the export file, so that nothing but a
SHA-256 tool is needed to check the chain.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from domain.events import Event, encode_event

FORMAT: Final = "bohnanza-log"
FORMAT_VERSION: Final = 1


class Record(Struct, frozen=True):
    """One stored event. `at` in UTC with microseconds; `seat` acted, None for the server;
    `payload` is the event's canonical encoding; `hash` ends the chain at this version."""

    version: int
    at: datetime
    seat: int | None
    payload: bytes
    hash: bytes


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an export."""

    format: str
    format_version: int
    game: str
    ruleset: str
    rules_version: int


def header(game: str, ruleset: str, rules_version: int) -> bytes:
    """The header line of a game's history."""
    return msgspec.json.encode(Header(FORMAT, FORMAT_VERSION, game, ruleset, rules_version))


def timestamp(at: datetime) -> str:
    """RFC 3339 in UTC, always with six digits: what is stored is what is hashed."""
    return _quoted(at)[1:-1].decode()


def line(version: int, at: datetime, seat: int | None, payload: bytes) -> bytes:
    """One event as it stands in the export, without a line end."""
    actor = b"null" if seat is None else b"%d" % seat
    return b'{"version":%d,"at":%b,"seat":%b,"event":%b}' % (version, _quoted(at), actor, payload)


def _quoted(at: datetime) -> bytes:
    # Many times faster than datetime's own writing, but it leaves out a fraction of zero.
    text = _encode(at if at.tzinfo is UTC else at.astimezone(UTC))
    return text if at.microsecond else text[: -len('Z"')] + b'.000000Z"'


_encode = msgspec.json.Encoder().encode


def first_hash(header_line: bytes) -> bytes:
    """The start of the chain."""
    return sha256(header_line).digest()


def next_hash(previous: bytes, log_line: bytes) -> bytes:
    """The chain after one more line."""
    return sha256(previous + log_line).digest()


def records(previous: bytes, version: int, at: datetime, seat: int | None, events: Iterable[Event]) -> list[Record]:
    """The records that carry `events` on from that version, chained to `previous`."""
    chained = []
    for event in events:
        version += 1
        payload = encode_event(event)
        previous = next_hash(previous, line(version, at, seat, payload))
        chained.append(Record(version, at, seat, payload, previous))
    return chained


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of an export: the end of the chain in hexadecimal, and who has signed its 32 bytes."""

    head: str
    key: str
    signature: str


def trailer(head: bytes, key: str, signature: str) -> bytes:
    """The trailer line of an export, without a line end."""
    return msgspec.json.encode(Trailer(head.hex(), key, signature))
