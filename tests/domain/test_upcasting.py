"""Older shapes of events are read as what they meant, and only those (pitfalls E1, E3, E8)."""

import ast
from pathlib import Path

import msgspec
import pytest

from domain.events import (
    EVENT_TYPES,
    GameCreated,
    OfferWithdrawn,
    Options,
    TradeOffered,
    UnknownShape,
    decode_event,
    encode_event,
)
from domain.upcasting import UPCASTS, Shape, upcast

ROOT = Path(__file__).parents[2]
ALLOWED_WITHOUT_VALUE = {(Options, "start_when_full"), (Options, "duel_fields")}


def with_want_cards(shape: Shape) -> Shape:
    """First there were offers for kinds only."""
    return {"want_cards": [], **shape}


def with_answers(shape: Shape) -> Shape:
    """Then none could answer another."""
    return {"answers": None, **shape}


@pytest.fixture
def offers_grew_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(UPCASTS, "trade_offered", (with_want_cards, with_answers))


FIRST = '{"type":"trade_offered","offer":1,"from":0,"to":2,"give":[{"card":7,"bean":"red"}],"want":{"soy":1}}'
SECOND = FIRST[:-1] + ',"want_cards":[9]}'
PRESENT = SECOND[:-1] + ',"answers":4}'


@pytest.mark.usefixtures("offers_grew_twice")
@pytest.mark.parametrize(
    ("stored", "want_cards", "answers"), [(FIRST, [], None), (SECOND, [9], None), (PRESENT, [9], 4)]
)
def test_every_shape_that_an_event_ever_had_is_read(stored: str, want_cards: list[int], answers: int | None) -> None:
    event = decode_event(stored)
    assert isinstance(event, TradeOffered)
    assert (event.offer, event.author, event.to, event.want) == (1, 0, 2, {"soy": 1})
    assert [(card.card, card.bean) for card in event.give] == [(7, "red")]
    assert (event.want_cards, event.answers) == (want_cards, answers)


@pytest.mark.usefixtures("offers_grew_twice")
def test_the_other_events_do_not_notice() -> None:
    assert decode_event('{"type":"offer_withdrawn","offer":3}') == OfferWithdrawn(3)
    with pytest.raises(UnknownShape):
        decode_event('{"type":"offer_withdrawn"}')


@pytest.mark.parametrize(
    "stored",
    [
        FIRST,
        SECOND,
        '{"type":"bean_eaten","seat":1}',
        '{"seat":1}',
        "[]",
        "null",
        "",
        '{"type":"turn_started"',
        "\udc80",
    ],
)
def test_a_shape_that_nobody_knows_is_named_as_such(stored: str) -> None:
    """Not taken for a present one with something left out."""
    with pytest.raises(UnknownShape):
        decode_event(stored.encode(errors="surrogateescape"))


def test_an_older_shape_cannot_pass_for_the_present_one() -> None:
    """No field of an event has a default, or old bytes would be read with it and no upcast asked. The options of a
    game are the exception, with defaults that are frozen: what is not named was not chosen."""
    for kind in (*EVENT_TYPES, Options):
        for field in msgspec.structs.fields(kind):
            if not field.required:
                assert (kind, field.name) in ALLOWED_WITHOUT_VALUE


def test_what_stands_in_the_table_of_upcasts_leaves_present_shapes_alone() -> None:
    created = GameCreated("classic", Options(), 1, 4, "public", None, "player-0", "c0")
    for tag, steps in UPCASTS.items():
        assert steps, tag
    shape = msgspec.json.decode(encode_event(created))
    assert upcast(dict(shape)) == shape


def test_histories_get_into_the_program_through_one_door() -> None:
    """Whatever decodes an event does it with `decode_event`; whatever serves a stored one, with `stored_event`."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for folder in ("domain", "infra", "services")
        for path in (ROOT / folder).rglob("*.py")
    }
    decoders = {path for path, source in sources.items() if any(map(_decodes_events, ast.walk(ast.parse(source))))}
    assert decoders == {"domain/events.py"}
    # The referee names bytes that are no event, and so do the checks of files and of what is stored; the measurements
    # time the reading.
    callers = {path for path, source in sources.items() if "decode_event(" in source}
    assert callers == {
        "domain/events.py",
        "domain/export.py",
        "domain/referee/history.py",
        "services/audit/audits.py",
        "services/bench/rules.py",
        "services/games/stored.py",
    }


def _decodes_events(node: ast.AST) -> bool:
    """`Decoder(Event)`, `decode(…, type=Event)` and `convert(…, Event)`."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return name in ("Decoder", "decode", "convert") and any(
        isinstance(value, ast.Name) and value.id == "Event" for value in given
    )


def test_what_a_newer_program_has_added_is_not_passed_over() -> None:
    """To fold an event without what is new in it would be another game than the one that was played."""
    for stored in (
        '{"type":"turn_started","turn":1,"seat":0,"reason":"thunder"}',
        '{"type":"cards_drawn","seat":0,"cards":[{"card":1,"bean":"red","shiny":true}]}',
        '{"type":"cards_drawn","seat":0,"cards":' + "[" * 10_000 + "]" * 10_000 + "}",
    ):
        with pytest.raises(UnknownShape):
            decode_event(stored)
