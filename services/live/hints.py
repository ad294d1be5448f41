"""What processes tell each other over the bus. Whatever is heard may be old, doubled or nonsense."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct

from domain.history import Record

MOST_BYTES: Final = 65_536
"""Of the events in one hint. What is longer is read from the store by whoever needs it."""


class Told(Struct, frozen=True, array_like=True, gc=False):
    """A stored event without its hash: the bus is not where a chain is checked."""

    version: int
    at: datetime
    seat: int | None
    payload: bytes


class Moved(Struct, frozen=True, array_like=True, tag=1):
    """The game has come to that version; `told` are the events that led there, or none of them."""

    origin: str
    version: int
    told: list[Told]

    def records(self) -> list[Record]:
        """With an empty hash."""
        return [Record(one.version, one.at, one.seat, one.payload, b"") for one in self.told]


class CameOrWent(Struct, frozen=True, array_like=True, tag=2):
    """Somebody has begun or ceased to watch the game."""

    origin: str


Hint = Moved | CameOrWent

encode_hint = msgspec.msgpack.Encoder().encode
_decoder: Final = msgspec.msgpack.Decoder(Hint)


def decode_hint(message: bytes) -> Hint | None:
    """None if it makes no sense: a gap in the versions of the events included."""
    try:
        hint: Hint = _decoder.decode(message)
    except msgspec.MsgspecError:
        return None
    if isinstance(hint, Moved):
        for version, one in enumerate(hint.told, hint.version - len(hint.told) + 1):
            if one.version != version or one.at.tzinfo is None:
                return None
    return hint


def moved(origin: str, records: Sequence[Record]) -> bytes:
    """The hint that those, at least one, were stored."""
    told = [Told(record.version, record.at, record.seat, record.payload) for record in records]
    if sum(len(record.payload) for record in records) > MOST_BYTES:
        told = []
    return encode_hint(Moved(origin, records[-1].version, told))
