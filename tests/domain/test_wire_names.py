"""The names in stored events, commands and views are permanent, and each field of each has a declared audience
(pitfalls E3, D14). Whoever adds a field adds it here, and with it the answer to who may see it."""

from typing import Final, Literal, get_args

import msgspec
import pytest
from msgspec import Struct

from domain.beans import BEANS, Bean
from domain.cards import Card
from domain.commands import Command
from domain.events import (
    EVENT_TYPES,
    AbandonReason,
    BeanPlanted,
    BotJoined,
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    ClockExpired,
    DeckExhausted,
    DeckShuffled,
    EndReason,
    Event,
    FieldBought,
    FieldHarvested,
    GameAbandoned,
    GameCreated,
    GameEnded,
    GameStarted,
    GiftsLeft,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    Options,
    PlantSource,
    PlayerJoined,
    PlayerLeft,
    Rank,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
    VoidReason,
    decode_event,
    encode_event,
    event_type,
)
from domain.redaction import redact
from domain.rulesets import RULES_VERSION, RULESETS
from domain.state import Field, OpenOffer, Phase, Result, Seat, State, Status
from domain.views import FieldView, OfferView, SeatView, View

Audience = Literal["public", "owner", "server"]
"""`public`: everybody. `owner`: the kinds for the seat that it is about, the rest for all. `server`: nobody before
the end of the game."""

BEAN_IDS: Final = (
    "coffee",
    "wax",
    "blue",
    "chili",
    "stink",
    "green",
    "soy",
    "black_eyed",
    "red",
    "garden",
    "cocoa",
    "field_bean",
)

EVENTS: Final[dict[str, dict[str, Audience]]] = {
    "game_created": {
        "ruleset": "public",
        "options": "public",
        "rules_version": "public",
        "seats": "public",
        "visibility": "public",
        "clock": "public",
        "host": "public",
        "commitment": "public",
    },
    "player_joined": {"seat": "public", "player": "public", "nonce": "public"},
    "bot_joined": {"seat": "public", "policy": "public"},
    "player_left": {"seat": "public"},
    "game_started": {"start_seat": "public", "seats": "public"},
    "deck_shuffled": {"shuffle": "public", "size": "public", "beans": "server"},
    "cards_dealt": {"seat": "public", "cards": "owner"},
    "turn_started": {"turn": "public", "seat": "public"},
    "bean_planted": {"seat": "public", "field": "public", "card": "public", "bean": "public", "source": "public"},
    "cards_revealed": {"seat": "public", "cards": "public"},
    "cards_swept": {"seat": "public", "cards": "public"},
    "trade_offered": {
        "offer": "public",
        "from": "public",
        "to": "public",
        "give": "public",
        "want": "public",
        "want_cards": "public",
        "answers": "public",
    },
    "offer_withdrawn": {"offer": "public"},
    "offer_rejected": {"offer": "public", "seat": "public"},
    "offer_voided": {"offer": "public", "reason": "public"},
    "trade_completed": {"offer": "public", "from": "public", "to": "public", "given": "public", "taken": "public"},
    "trading_ended": {"seat": "public", "kept": "public"},
    "field_harvested": {
        "seat": "public",
        "field": "public",
        "bean": "public",
        "count": "public",
        "coins": "public",
        "discarded": "public",
        "final": "public",
    },
    "field_bought": {"seat": "public", "price": "public", "paid": "public"},
    "card_discarded": {"seat": "public", "card": "public", "bean": "public"},
    "gifts_left": {"seat": "public", "cards": "public"},
    "cards_drawn": {"seat": "public", "cards": "owner"},
    "deck_exhausted": {"exhaustion": "public", "final": "public"},
    "clock_expired": {"seat": "public"},
    "seat_handed_over": {"seat": "public", "policy": "public", "reason": "public"},
    "seat_reclaimed": {"seat": "public"},
    "game_ended": {"reason": "public", "ranking": "public", "winners": "public", "seed": "public"},
    "game_abandoned": {"reason": "public", "seed": "public"},
}

COMMANDS: Final = {
    "plant": ("card", "field"),
    "reveal": (),
    "offer": ("to", "give", "want", "want_cards", "answers"),
    "accept": ("offer", "give"),
    "reject": ("offer",),
    "withdraw": ("offer",),
    "end_trading": (),
    "harvest": ("field",),
    "buy_field": (),
    "discard": ("card",),
    "end_turn": (),
}

VIEW: Final = (
    "game",
    "version",
    "status",
    "ruleset",
    "rules_version",
    "viewer",
    "phase",
    "turn",
    "active",
    "seats",
    "face_up",
    "gifts",
    "offers",
    "planted",
    "discarded",
    "deck_size",
    "discard_size",
    "discard_top",
    "exhaustions",
    "final",
    "commitment",
    "deadline",
    "result",
)
SEAT_VIEW: Final = (
    "seat",
    "player",
    "name",
    "policy",
    "away",
    "hand_size",
    "hand",
    "fields",
    "pending",
    "coins",
    "bought_field",
)
OFFER_VIEW: Final = ("offer", "from", "to", "give", "want", "want_cards", "answers", "rejected_by")

STATE: Final[dict[type[Struct], dict[str, Audience]]] = {
    State: {
        "game": "public",
        "version": "public",
        "status": "public",
        "ruleset": "public",
        "options": "public",
        "rules_version": "public",
        "seats": "public",
        "visibility": "public",
        "clock": "public",
        "host": "public",
        "commitment": "public",
        "deck": "server",
        "discard": "public",
        "box": "public",
        "shuffles": "public",
        "next_card": "public",
        "exhaustions": "public",
        "final_exhaustion": "public",
        "start_seat": "public",
        "turn": "public",
        "active": "public",
        "phase": "public",
        "planted": "public",
        "discarded": "public",
        "face_up": "public",
        "gifts": "public",
        "offers": "public",
        "next_offer": "public",
        "result": "public",
    },
    Seat: {
        "player": "public",
        "nonce": "public",
        "policy": "public",
        "away": "public",
        "hand": "owner",
        "fields": "public",
        "pending": "public",
        "coins": "public",
        "bought_field": "public",
    },
    Field: {"bean": "public", "cards": "public"},
    OpenOffer: {
        "offer": "public",
        "author": "public",
        "to": "public",
        "give": "public",
        "want": "public",
        "want_cards": "public",
        "answers": "public",
        "rejected_by": "public",
    },
}

RED = Card(17, "red")
SAMPLES: Final[dict[str, tuple[Event, str]]] = {
    event_type(event): (event, wire)
    for event, wire in (
        (
            GameCreated("classic", Options(), 1, 4, "public", None, "p", "c0"),
            (
                '{"type":"game_created","ruleset":"classic","options":{"start_when_full":false},"rules_version":1,"seats":4,'
                '"visibility":"public","clock":null,"host":"p","commitment":"c0"}'
            ),
        ),
        (PlayerJoined(1, "p", "n"), '{"type":"player_joined","seat":1,"player":"p","nonce":"n"}'),
        (BotJoined(1, "casual"), '{"type":"bot_joined","seat":1,"policy":"casual"}'),
        (PlayerLeft(1), '{"type":"player_left","seat":1}'),
        (GameStarted(2, 4), '{"type":"game_started","start_seat":2,"seats":4}'),
        (DeckShuffled(1, 1, ["red"]), '{"type":"deck_shuffled","shuffle":1,"size":1,"beans":["red"]}'),
        (CardsDealt(1, [RED]), '{"type":"cards_dealt","seat":1,"cards":[{"card":17,"bean":"red"}]}'),
        (TurnStarted(9, 1), '{"type":"turn_started","turn":9,"seat":1}'),
        (
            BeanPlanted(1, 0, 17, "red", "hand"),
            '{"type":"bean_planted","seat":1,"field":0,"card":17,"bean":"red","source":"hand"}',
        ),
        (CardsRevealed(1, [RED]), '{"type":"cards_revealed","seat":1,"cards":[{"card":17,"bean":"red"}]}'),
        (CardsSwept(1, [RED]), '{"type":"cards_swept","seat":1,"cards":[{"card":17,"bean":"red"}]}'),
        (
            TradeOffered(3, 1, None, [RED], {"blue": 2}, [31], None),
            (
                '{"type":"trade_offered","offer":3,"from":1,"to":null,"give":[{"card":17,"bean":"red"}],"want":{"blue":2},'
                '"want_cards":[31],"answers":null}'
            ),
        ),
        (OfferWithdrawn(3), '{"type":"offer_withdrawn","offer":3}'),
        (OfferRejected(3, 1), '{"type":"offer_rejected","offer":3,"seat":1}'),
        (OfferVoided(3, "card_moved"), '{"type":"offer_voided","offer":3,"reason":"card_moved"}'),
        (
            TradeCompleted(3, 1, 0, [RED], []),
            '{"type":"trade_completed","offer":3,"from":1,"to":0,"given":[{"card":17,"bean":"red"}],"taken":[]}',
        ),
        (TradingEnded(1, [RED]), '{"type":"trading_ended","seat":1,"kept":[{"card":17,"bean":"red"}]}'),
        (
            FieldHarvested(1, 0, "red", 3, 2, 1, final=False),
            '{"type":"field_harvested","seat":1,"field":0,"bean":"red","count":3,"coins":2,"discarded":1,"final":false}',
        ),
        (FieldBought(1, 2, [RED]), '{"type":"field_bought","seat":1,"price":2,"paid":[{"card":17,"bean":"red"}]}'),
        (CardDiscarded(1, 17, "red"), '{"type":"card_discarded","seat":1,"card":17,"bean":"red"}'),
        (GiftsLeft(1, [RED]), '{"type":"gifts_left","seat":1,"cards":[{"card":17,"bean":"red"}]}'),
        (CardsDrawn(1, [RED]), '{"type":"cards_drawn","seat":1,"cards":[{"card":17,"bean":"red"}]}'),
        (DeckExhausted(1, final=False), '{"type":"deck_exhausted","exhaustion":1,"final":false}'),
        (ClockExpired(1), '{"type":"clock_expired","seat":1}'),
        (
            SeatHandedOver(1, "casual", "absent"),
            '{"type":"seat_handed_over","seat":1,"policy":"casual","reason":"absent"}',
        ),
        (SeatReclaimed(1), '{"type":"seat_reclaimed","seat":1}'),
        (
            GameEnded("deck_exhausted", [Rank(0, 9, 4, 1)], [0], "5eed"),
            (
                '{"type":"game_ended","reason":"deck_exhausted","ranking":[{"seat":0,"coins":9,"hand_size":4,"rank":1}],'
                '"winners":[0],"seed":"5eed"}'
            ),
        ),
        (GameAbandoned("host_left", "5eed"), '{"type":"game_abandoned","reason":"host_left","seed":"5eed"}'),
    )
}


def wire_fields(struct: type[Struct]) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(struct))


def test_the_kinds_keep_their_ids_and_their_order() -> None:
    """The order is that of a deck before it is shuffled: to change it changes every shuffle."""
    assert BEANS == get_args(Bean) == BEAN_IDS


def test_the_events_keep_their_tags_and_fields() -> None:
    actual = {struct.__struct_config__.tag: wire_fields(struct) for struct in EVENT_TYPES}
    assert actual == {tag: tuple(fields) for tag, fields in EVENTS.items()}


def test_the_words_in_events_are_permanent() -> None:
    assert get_args(PlantSource) == ("hand", "pending", "gift", "face_up")
    assert get_args(VoidReason) == ("card_moved", "rejected_by_all")
    assert get_args(EndReason) == ("deck_exhausted",)
    assert get_args(AbandonReason) == ("host_left",)
    assert tuple(RULESETS) == ("classic", "boonanza", "amigo_classic", "amigo_2023", "new_beans", "field_beans")
    assert RULES_VERSION == 1


def test_the_options_keep_their_names_and_defaults() -> None:
    """A stored game that does not name an option was played without it."""
    assert wire_fields(Options) == ("start_when_full", "duel_fields")
    assert msgspec.json.encode(Options()) == b'{"start_when_full":false}'
    assert msgspec.json.decode("{}", type=Options) == Options(start_when_full=False, duel_fields=msgspec.UNSET)
    assert msgspec.json.encode(Options(duel_fields=3)) == b'{"start_when_full":false,"duel_fields":3}'


def test_a_table_that_was_set_up_before_there_were_duels_keeps_its_bytes() -> None:
    """They are hashed: an option that came later must not get in."""
    for options in ('{"start_when_full":false}', '{"start_when_full":true}'):
        stored = (
            f'{{"type":"game_created","ruleset":"classic","options":{options},"rules_version":1,"seats":4,'
            '"visibility":"public","clock":null,"host":"p","commitment":"c0"}'
        )
        assert encode_event(decode_event(stored)) == stored.encode()


def test_the_commands_keep_their_tags_and_fields() -> None:
    assert {struct.__struct_config__.tag: wire_fields(struct) for struct in get_args(Command)} == COMMANDS


def test_the_view_keeps_its_keys_in_their_order() -> None:
    assert wire_fields(View) == VIEW
    assert wire_fields(SeatView) == SEAT_VIEW
    assert wire_fields(OfferView) == OFFER_VIEW
    assert wire_fields(FieldView) == ("bean", "count")
    assert wire_fields(Card) == ("card", "bean")
    assert wire_fields(Result) == ("reason", "ranking", "winners", "seed")
    assert wire_fields(Rank) == ("seat", "coins", "hand_size", "rank")
    assert get_args(Phase) == ("plant", "trade", "settle", "gifts", "keep")
    assert get_args(Status) == ("open", "running", "ended", "abandoned")


@pytest.mark.parametrize("struct", STATE)
def test_every_field_of_the_state_has_an_audience(struct: type[Struct]) -> None:
    assert struct.__struct_fields__ == tuple(STATE[struct])


@pytest.mark.parametrize("tag", EVENTS)
def test_every_event_has_its_canonical_bytes(tag: str) -> None:
    """Fields in declared order, no spaces; the bytes are what is hashed and stored."""
    event, wire = SAMPLES[tag]
    assert encode_event(event) == wire.encode()
    assert decode_event(wire) == event


@pytest.mark.parametrize("tag", EVENTS)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_every_field_reaches_its_audience_and_nobody_else(tag: str, viewer: int | None) -> None:
    event, _ = SAMPLES[tag]
    whole = msgspec.to_builtins(event)
    seen = msgspec.to_builtins(redact(event, viewer))
    assert [*seen] == ["type", *EVENTS[tag]]
    for name, audience in EVENTS[tag].items():
        if audience == "public" or (audience == "owner" and viewer == whole["seat"]):
            assert seen[name] == whole[name]
        elif audience == "owner":
            assert seen[name] == [{"card": card["card"], "bean": None} for card in whole[name]]
        else:
            assert seen[name] is None


@pytest.mark.parametrize(
    "wire",
    [
        '{"type":"plant","card":1,"field":0,"extra":1}',
        '{"type":"plant","card":1}',
        '{"type":"plant","card":"1","field":0}',
        '{"type":"plant","card":0,"field":0}',
        '{"type":"plant","card":1,"field":-1}',
        '{"type":"plant","card":1.5,"field":0}',
        '{"type":"plant","card":99999999999999999999,"field":0}',
        '{"type":"offer","to":1,"want":{"red":0}}',
        '{"type":"offer","to":1,"want":{"red":-1}}',
        '{"type":"offer","to":1,"want":{"gold":1}}',
        '{"type":"offer","to":1,"give":[{"card":1,"bean":"red"}]}',
        '{"type":"accept","give":[1]}',
        '{"type":"reveal","card":1}',
        '{"type":"steal","card":1}',
        '{"card":1,"field":0}',
        "[]",
        "null",
    ],
)  # fmt: skip
def test_what_is_no_command_is_refused_at_the_door(wire: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wire, type=Command)


def test_the_shortest_forms_of_commands() -> None:
    for wire, whole in (
        ('{"type":"offer","want":{"red":1}}', '{"type":"offer","to":null,"give":[],"want":{"red":1}'),
        ('{"type":"accept","offer":3}', '{"type":"accept","offer":3,"give":[]}'),
    ):
        assert msgspec.json.encode(msgspec.json.decode(wire, type=Command)).decode().startswith(whole)
