"""The bytes of a history, and the hash chain that anyone can check with a SHA-256 tool (pitfall T43)."""

import hashlib
from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest
from hypothesis import given
from hypothesis.strategies import booleans, datetimes, timezones

from domain.events import TurnStarted, encode_event
from domain.history import Record, first_hash, header, line, next_hash, records, timestamp
from tests.domain.play import started

AT = datetime(2026, 11, 30, 5, 11, 35, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "written"),
    [
        (AT, "2026-11-30T05:11:35.123456Z"),
        (AT.replace(microsecond=0), "2026-11-30T05:11:35.000000Z"),
        (AT.replace(microsecond=120000), "2026-11-30T05:11:35.120000Z"),
        (AT.astimezone(timezone(timedelta(hours=2))), "2026-11-30T05:11:35.123456Z"),
    ],
)
def test_a_time_has_six_digits_and_is_utc(at: datetime, written: str) -> None:
    assert timestamp(at) == written


def test_the_header_line() -> None:
    assert header("a-game", "classic", 1) == (
        b'{"format":"bohnanza-log","format_version":1,"game":"a-game","ruleset":"classic","rules_version":1}'
    )


@pytest.mark.parametrize(("seat", "written"), [(0, b"0"), (3, b"3"), (None, b"null")])
def test_a_line_holds_the_event_as_it_was_stored(seat: int | None, written: bytes) -> None:
    payload = encode_event(TurnStarted(9, 1))
    assert line(57, AT, seat, payload) == (
        b'{"version":57,"at":"2026-11-30T05:11:35.123456Z","seat":' + written + b',"event":' + payload + b"}"
    )


def test_the_chain_of_a_history() -> None:
    """`hash_0 = SHA-256(header)`, `hash_n = SHA-256(hash_{n-1} ‖ line_n)` over the exact bytes."""
    game = started(3)
    head = first_hash(header("a-game", "classic", 1))
    assert head == hashlib.sha256(header("a-game", "classic", 1)).digest()
    chain = records(head, 0, AT, 0, game.history)
    assert [record.version for record in chain] == [*range(1, len(game.history) + 1)]
    for record, event in zip(chain, game.history, strict=True):
        assert record.payload == encode_event(event)
        head = hashlib.sha256(head + line(record.version, AT, 0, record.payload)).digest()
        assert record.hash == head
    assert next_hash(chain[-2].hash, line(len(chain), AT, 0, chain[-1].payload)) == chain[-1].hash


def test_a_history_in_two_pieces_has_the_same_chain() -> None:
    events = started(3).history
    head = first_hash(header("a-game", "classic", 1))
    whole = records(head, 0, AT, None, events)
    one = records(head, 0, AT, None, events[:4])
    assert [*one, *records(one[-1].hash, 4, AT, None, events[4:])] == whole


def test_whatever_is_changed_breaks_the_chain() -> None:
    record = Record(1, AT, 0, encode_event(TurnStarted(9, 1)), b"")
    head = first_hash(header("a-game", "classic", 1))
    real = next_hash(head, line(record.version, record.at, record.seat, record.payload))
    for changed in (
        msgspec.structs.replace(record, version=2),
        msgspec.structs.replace(record, at=AT + timedelta(microseconds=1)),
        msgspec.structs.replace(record, seat=None),
        msgspec.structs.replace(record, payload=encode_event(TurnStarted(9, 2))),
    ):
        assert next_hash(head, line(changed.version, changed.at, changed.seat, changed.payload)) != real


@given(
    at=datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=timezones()),  # noqa: DTZ001
    whole=booleans(),
)
def test_a_time_is_written_as_the_calendar_has_it(at: datetime, *, whole: bool) -> None:
    at = at.replace(microsecond=0) if whole else at
    utc = at.astimezone(UTC)
    digits = f"{utc.year:04}-{utc.month:02}-{utc.day:02}T{utc.hour:02}:{utc.minute:02}:{utc.second:02}"
    assert timestamp(at) == f"{digits}.{utc.microsecond:06}Z"
    assert f'"at":"{timestamp(at)}"'.encode() in line(1, at, None, b"{}")
