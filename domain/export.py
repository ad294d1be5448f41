"""Reads the lines of an export, and takes each of them in one spelling only: written anew it must give the same bytes.

So two keys in one object, a space, or a number in another form are found, whatever a lenient reader would make of them.
"""

import codecs
import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from domain.events import Event, UnknownShape, decode_event, encode_event, event_type
from domain.history import FORMAT, FORMAT_VERSION, Header, Trailer, line, timestamp
from domain.upcasting import UPCASTS

LONGEST_LINE: Final = 65_536
"""Bytes. No event comes near it: the longest holds a whole deck."""

_Shape = TypeVar("_Shape")
_HEX_256: Final = re.compile(r"[0-9a-f]{64}")
_BASE64: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_GAME: Final = re.compile(r"[!-~]{1,64}")
_GZIP: Final = b"\x1f\x8b"
_LONGEST_REASON: Final = 200
_SHOWN: Final = 40


class Unreadable(ValueError):
    """The line is none of an export; the message is a sentence for people."""


class Entry(Struct, frozen=True):
    """One event of an export. `at` in UTC with microseconds; `seat` acted, None for the server; `payload` are the
    bytes of `event`, and `line` those of the whole line without its end."""

    version: int
    at: datetime
    seat: int | None
    event: Event
    payload: bytes
    line: bytes


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    at: str
    seat: Annotated[int, Meta(ge=0, le=2**15 - 1)] | None
    event: Raw


class _AnyFormat(Struct, frozen=True):
    format: str
    format_version: Annotated[int, Meta(ge=1)]


_any_format = msgspec.json.Decoder(_AnyFormat)
_header = msgspec.json.Decoder(Header)
_line = msgspec.json.Decoder(_Line)
_trailer = msgspec.json.Decoder(Trailer)


def read_header(text: bytes) -> Header:
    """The first line, without its end. Unreadable."""
    if text.startswith(codecs.BOM_UTF8):
        raise Unreadable("It begins with a byte order mark: some program has written the file anew.")
    if text.startswith(_GZIP):
        raise Unreadable("It is compressed (gzip): unpack it first; `curl --compressed` does that by itself.")
    try:
        any_format = _any_format.decode(text.decode())
    except UnicodeDecodeError:
        raise Unreadable("It is not UTF-8, so it is no export.") from None
    except _NO_JSON:
        raise Unreadable("It does not begin with the header of an export.") from None
    if any_format.format != FORMAT:
        raise Unreadable(f"It is of another format: {any_format.format[:_SHOWN]!r}, not {FORMAT!r}.")
    if any_format.format_version > FORMAT_VERSION:
        raise Unreadable(
            f"It is written in version {any_format.format_version} of the format, and this program knows "
            f"version {FORMAT_VERSION}: use a newer one."
        )
    header = _decoded(_header, text, "The header")
    if not _GAME.fullmatch(header.game):
        raise Unreadable("The game of the header is no id.")
    _same(msgspec.json.encode(header), text)
    return header


def read_entry(text: bytes) -> Entry:
    """The line of an event, without its end. Unreadable."""
    found = _decoded(_line, text, "The line")
    payload = bytes(found.event)
    try:
        event = decode_event(payload)
    except UnknownShape:
        raise Unreadable("It holds an event that is not known here.") from None
    at = _time(found.at)
    _same(line(found.version, at, found.seat, payload), text)
    check_spelling(event, payload)
    return Entry(found.version, at, found.seat, event, payload, text)


def read_trailer(text: bytes) -> Trailer:
    """The last line, without its end. Unreadable."""
    trailer = _decoded(_trailer, text, "The trailer")
    if not _HEX_256.fullmatch(trailer.head):
        raise Unreadable("The head is not 64 hexadecimal digits.")
    if not _BASE64.fullmatch(trailer.key) or not _BASE64.fullmatch(trailer.signature):
        raise Unreadable("The key or the signature is no base64url.")
    _same(msgspec.json.encode(trailer), text)
    return trailer


def is_trailer(text: bytes) -> bool:
    """Whether a line looks like the last one."""
    return text.startswith(b'{"head":')


def check_spelling(event: Event, payload: bytes) -> None:
    """Unreadable unless those bytes are the canonical encoding of the event, or of an older shape of it."""
    if encode_event(event) == payload:
        return
    if event_type(event) in UPCASTS and msgspec.json.encode(msgspec.json.decode(payload)) == payload:
        return
    raise Unreadable(_ANOTHER_SPELLING)


_NO_JSON: Final = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError)
_ANOTHER_SPELLING: Final = "It is not spelt as an export is: other spaces, another order, or something twice."


def _decoded(decoder: "msgspec.json.Decoder[_Shape]", text: bytes, what: str) -> _Shape:
    try:
        return decoder.decode(text)
    except UnicodeDecodeError:
        raise Unreadable(f"{what} is not UTF-8.") from None
    except msgspec.ValidationError as error:
        raise Unreadable(f"{what} does not hold what it should: {str(error)[:_LONGEST_REASON]}.") from None
    except _NO_JSON:
        raise Unreadable(f"{what} is no JSON, or is cut off.") from None


def _same(written: bytes, text: bytes) -> None:
    if written == text:
        return
    if text == written + b"\r":
        raise Unreadable("It ends with a carriage return: some program has written the file anew.")
    raise Unreadable(_ANOTHER_SPELLING)


# The events of one command share their time.
@lru_cache(maxsize=1024)
def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None and timestamp(at) == text:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Unreadable("The time is none, or not written in UTC with six digits and a Z.")
