"""What has happened in a game, in the past tense. Tags and fields are permanent.

An event holds opaque ids only: names and texts, which a person may ask to have erased, live
elsewhere. The canonical encoding has the fields in declared order and no spaces, so the bytes
of an event can be hashed and compared.
"""

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from domain.beans import Bean
from domain.cards import Card
from domain.upcasting import Shape, upcast

Visibility = Literal["public", "private"]
PlantSource = Literal["hand", "pending", "gift", "face_up"]
VoidReason = Literal["card_moved", "rejected_by_all"]
EndReason = Literal["deck_exhausted"]
AbandonReason = Literal["host_left"]

# Printable: an event is for ever, and readers differ in what they do with other characters.
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[ -~]*$", description="Printable ASCII characters.")]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules and table habits, recorded with the game.

    `start_when_full`: the game starts by itself as soon as every seat is taken. `duel_fields`: the
    printing of the game for two, by the fields that each player starts with. An option that is not
    chosen stays out of the encoding, so that histories from before it keep their bytes.
    """

    start_when_full: bool = False
    duel_fields: Annotated[int, Meta(extra_json_schema={"enum": [2, 3]})] | UnsetType = UNSET


class Rank(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One row of the final ranking; equal rows share a rank, counted from 1."""

    seat: int
    coins: int
    hand_size: int
    rank: int


class Happening(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type"):
    """What every event has in common. A field that is not known here was written by a newer program, and must not be
    passed over in silence."""


class GameCreated(Happening, frozen=True, gc=False, tag="game_created"):
    """A table is set up; `commitment` is the SHA-256 of the seed, `host` a player id."""

    ruleset: str
    options: Options
    rules_version: int
    seats: int
    visibility: Visibility
    clock: None
    host: str
    commitment: str


class PlayerJoined(Happening, frozen=True, gc=False, tag="player_joined"):
    """A player took a seat; `nonce` is mixed into every shuffle."""

    seat: int
    player: str
    nonce: str


class BotJoined(Happening, frozen=True, gc=False, tag="bot_joined"):
    """A bot took a seat."""

    seat: int
    policy: str


class PlayerLeft(Happening, frozen=True, gc=False, tag="player_left"):
    """A seat became free again, before the start."""

    seat: int


class GameStarted(Happening, frozen=True, gc=False, tag="game_started"):
    """All seats are taken; `start_seat` has the first turn."""

    start_seat: int
    seats: int


class DeckShuffled(Happening, frozen=True, gc=False, tag="deck_shuffled"):
    """`shuffle` counts from 1; `beans` from top to bottom, None where hidden."""

    shuffle: int
    size: int
    beans: list[Bean] | None


class CardsDealt(Happening, frozen=True, gc=False, tag="cards_dealt"):
    """A seat took its starting hand from the top of the deck, front card first."""

    seat: int
    cards: list[Card]


class TurnStarted(Happening, frozen=True, gc=False, tag="turn_started"):
    """The next turn; `turn` counts from 1."""

    turn: int
    seat: int


class BeanPlanted(Happening, frozen=True, gc=False, tag="bean_planted"):
    """A card went into a field; `source` is where it came from."""

    seat: int
    field: int
    card: int
    bean: Bean
    source: PlantSource


class CardsRevealed(Happening, frozen=True, gc=False, tag="cards_revealed"):
    """Cards from the top of the deck lie face up."""

    seat: int
    cards: list[Card]


class CardsSwept(Happening, frozen=True, gc=False, tag="cards_swept"):
    """Duel: cards from the top of the discard pile joined the face-up cards."""

    seat: int
    cards: list[Card]


class TradeOffered(Happening, frozen=True, gc=False, tag="trade_offered"):
    """An offer is on the table; `to` None is anyone, `answers` the offer that it replaces."""

    offer: int
    author: int = field(name="from")
    to: int | None
    give: list[Card]
    want: dict[Bean, int]
    want_cards: list[int]
    answers: int | None


class OfferWithdrawn(Happening, frozen=True, gc=False, tag="offer_withdrawn"):
    """Its author took an offer back."""

    offer: int


class OfferRejected(Happening, frozen=True, gc=False, tag="offer_rejected"):
    """An addressee turned an offer down; that closes an offer with one addressee."""

    offer: int
    seat: int


class OfferVoided(Happening, frozen=True, gc=False, tag="offer_voided"):
    """An offer cannot be accepted any more."""

    offer: int
    reason: VoidReason


class TradeCompleted(Happening, frozen=True, gc=False, tag="trade_completed"):
    """`from` is the seat that offered and gave `given`; `to` accepted and gave `taken`."""

    offer: int
    author: int = field(name="from")
    to: int
    given: list[Card]
    taken: list[Card]


class TradingEnded(Happening, frozen=True, gc=False, tag="trading_ended"):
    """Phase 2 is over; `kept` are the face-up cards that nobody took."""

    seat: int
    kept: list[Card]


class FieldHarvested(Happening, frozen=True, gc=False, tag="field_harvested"):
    """A whole field was sold: of `count` cards `coins` became coins, `discarded` were discarded."""

    seat: int
    field: int
    bean: Bean
    count: int
    coins: int
    discarded: int
    final: bool


class FieldBought(Happening, frozen=True, gc=False, tag="field_bought"):
    """`paid`: the coin cards in the order in which they leave the stack, topmost first."""

    seat: int
    price: int
    paid: list[Card]


class CardDiscarded(Happening, frozen=True, gc=False, tag="card_discarded"):
    """Duel: a card from the hand or the gifts was discarded."""

    seat: int
    card: int
    bean: Bean


class GiftsLeft(Happening, frozen=True, gc=False, tag="gifts_left"):
    """Duel: the unplanted cards are offered to the opponent."""

    seat: int
    cards: list[Card]


class CardsDrawn(Happening, frozen=True, gc=False, tag="cards_drawn"):
    """Cards went from the deck to the back of a hand, in order."""

    seat: int
    cards: list[Card]


class DeckExhausted(Happening, frozen=True, gc=False, tag="deck_exhausted"):
    """The deck gave its last card; `final` ends the game."""

    exhaustion: int
    final: bool


class ClockExpired(Happening, frozen=True, gc=False, tag="clock_expired"):
    """A player's time ran out."""

    seat: int


class SeatHandedOver(Happening, frozen=True, gc=False, tag="seat_handed_over"):
    """A policy plays on for an absent player."""

    seat: int
    policy: str
    reason: str


class SeatReclaimed(Happening, frozen=True, gc=False, tag="seat_reclaimed"):
    """The player is back."""

    seat: int


class GameEnded(Happening, frozen=True, gc=False, tag="game_ended"):
    """The last harvest is done; `seed` opens the commitment."""

    reason: EndReason
    ranking: list[Rank]
    winners: list[int]
    seed: str


class GameAbandoned(Happening, frozen=True, gc=False, tag="game_abandoned"):
    """The game ended without a result; `seed` opens the commitment."""

    reason: AbandonReason
    seed: str


Event = (
    GameCreated
    | PlayerJoined
    | BotJoined
    | PlayerLeft
    | GameStarted
    | DeckShuffled
    | CardsDealt
    | TurnStarted
    | BeanPlanted
    | CardsRevealed
    | CardsSwept
    | TradeOffered
    | OfferWithdrawn
    | OfferRejected
    | OfferVoided
    | TradeCompleted
    | TradingEnded
    | FieldHarvested
    | FieldBought
    | CardDiscarded
    | GiftsLeft
    | CardsDrawn
    | DeckExhausted
    | ClockExpired
    | SeatHandedOver
    | SeatReclaimed
    | GameEnded
    | GameAbandoned
)

EVENT_TYPES: Final[tuple[type[Event], ...]] = get_args(Event)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)
_shape_decoder = msgspec.json.Decoder(Shape)

encode_event = _encoder.encode
"""The canonical bytes of an event."""


class UnknownShape(ValueError):
    """Bytes that are no event which this program knows: damaged, or written by a newer one."""


def decode_event(payload: bytes | str) -> Event:
    """The event in those bytes, an older shape of it brought up to the present one. UnknownShape."""
    try:
        return _decoder.decode(payload)
    except (msgspec.MsgspecError, RecursionError):
        return _from_older_shape(payload)


def _from_older_shape(payload: bytes | str) -> Event:
    try:
        event: Event = msgspec.convert(upcast(_shape_decoder.decode(payload)), Event)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UnknownShape(str(error)) from error
    return event


def event_type(event: Event) -> str:
    """The tag of an event, as in its `type` field."""
    tag = event.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{type(event).__name__} has no tag")
    return tag
