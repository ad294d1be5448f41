"""Whatever a history holds, the referee answers; it never raises."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.cards import Card
from domain.events import (
    EVENT_TYPES,
    BeanPlanted,
    Event,
    Options,
    TradeOffered,
    UnknownShape,
    decode_event,
    encode_event,
)
from domain.history import Record
from domain.redaction import redact
from domain.referee import Fault, Referee, judge, judge_records, revealed_seed
from tests.domain.referee.played import GAME, played
from tests.domain.thoroughness import tries

LINES = played("classic", 4, "casual", 0)


def told(version: int, event: Any) -> Fault | None:
    """What is said to that event in place of the one at that version."""
    referee = Referee(GAME)
    for number, (seat, right) in enumerate(LINES[: version - 1], 1):
        assert referee.check(number, seat, right) is None
    return referee.check(version, LINES[version - 1][0], event)


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_any_event_at_any_place(kind: type[Event]) -> None:
    """Also those that are well-formed but say nothing that could be true."""
    chance = Random(kind.__name__)
    examples = [msgspec.convert(_filled(kind, value), kind) for value in (0, -1, 10**9)]
    for version in [1, 2, len(LINES), *(chance.randrange(3, len(LINES)) for _ in range(tries(12, 1)))]:
        for event in examples:
            fault = told(version, event)
            assert fault is None or fault.version == version
            assert fault is None or fault.reason != "malformed" or version == 1


def _filled(kind: type[Event], number: int) -> dict[str, Any]:
    """An event of that type, every number in it the same."""
    card = {"card": number, "bean": "red"}
    by_name: dict[str, Any] = {
        "ruleset": "classic",
        "options": {},
        "visibility": "public",
        "clock": None,
        "host": "player-0",
        "commitment": "0" * 64,
        "player": "player-9",
        "nonce": "",
        "policy": "casual",
        "beans": ["red"],
        "bean": "red",
        "source": "hand",
        "want": {"red": number},
        "want_cards": [number],
        "final": False,
        "winners": [number],
        "ranking": [{"seat": number, "coins": number, "hand_size": number, "rank": number}],
        "seed": "00",
    }
    cards = {"cards": [card], "give": [card], "given": [card], "taken": [card], "kept": [card], "paid": [card]}
    reasons = {"offer_voided": "card_moved", "game_ended": "deck_exhausted", "game_abandoned": "host_left"}
    tag = str(kind.__struct_config__.tag)
    known = by_name | cards | {"reason": reasons.get(tag, "absent"), "type": tag}
    return {name: known.get(name, number) for name in ("type", *kind.__struct_encode_fields__)}


@pytest.mark.parametrize("nonsense", [None, 7, "plant", object(), Options(), [], BeanPlanted])
def test_what_is_no_event(nonsense: object) -> None:
    for version in (1, 2, 20, len(LINES)):
        fault = told(version, nonsense)
        assert fault is not None
        assert fault.version == version
        assert fault.reason in ("malformed", "must_follow", "out_of_place")


@pytest.mark.parametrize("name", BeanPlanted.__struct_fields__)
@pytest.mark.parametrize("nonsense", [None, "x", [], {}, 1.5, Card(1, None)])
def test_fields_of_another_type(name: str, nonsense: object) -> None:
    version = next(number for number, (_, event) in enumerate(LINES, 1) if isinstance(event, BeanPlanted))
    fault = told(version, msgspec.structs.replace(LINES[version - 1][1], **{name: nonsense}))
    assert fault is not None
    assert fault.version == version


@pytest.mark.parametrize("number", range(tries(150, 8)))
def test_histories_with_any_field_exchanged(number: int) -> None:
    """One value anywhere in the encoding of one event is replaced by one from another event."""
    chance = Random(number)
    version = chance.randrange(len(LINES)) + 1
    seat, event = LINES[version - 1]
    document = msgspec.json.decode(encode_event(event))
    other = msgspec.json.decode(encode_event(chance.choice(LINES)[1]))
    name = chance.choice([*document])
    document[name] = chance.choice([*other.values(), None, -1, 2**70, "", [], {}])
    payload = msgspec.json.encode(document)
    try:
        changed = decode_event(payload)
    except UnknownShape:
        changed = None
    records = [
        Record(at, None, line[0], encode_event(line[1]) if at != version else payload, b"")  # type: ignore[arg-type]  # no time is looked at
        for at, line in enumerate(LINES, 1)
    ]
    fault = judge_records(GAME, records)
    if changed is None:
        assert fault is not None
        assert (fault.version, fault.reason) == (version, "malformed")
    elif changed != event and not isinstance(event, TradeOffered):
        # What an offer gives and asks for, and of whom, is its author's free choice as long as nobody accepts it.
        assert fault is not None, (event, changed)
        assert fault.version >= version
    if changed is not None:
        assert judge(GAME, [*LINES[: version - 1], (seat, changed), *LINES[version:]]) == fault


def test_a_redacted_history_cannot_be_judged() -> None:
    lines = [(seat, redact(event, 0)) for seat, event in LINES]
    fault = judge(GAME, lines)
    assert fault is not None
    assert fault.reason == "hidden"


def test_versions_are_counted_from_one() -> None:
    for version in (0, 2, -3):
        fault = Referee(GAME).check(version, *LINES[0])
        assert fault is not None
        assert (fault.version, fault.reason) == (1, "wrong_version")


def test_a_seed_that_is_none() -> None:
    events = [event for _, event in LINES]
    assert revealed_seed([]) is None
    assert revealed_seed(events[:-1]) is None
    assert revealed_seed([*events[:-1], msgspec.structs.replace(events[-1], seed="no seed")]) is None
    assert judge(GAME, LINES, seed=b"another") is None, "a seed that opens nothing is left aside"
