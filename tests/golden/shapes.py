"""What the golden games remember of a state and of a view, field by field.

Never changed: hashes of every recorded game hang on it. A field that `State` or `View` gains later is left out here, so
that it changes no old hash; games that are about it need shapes of their own.
"""

from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from domain.state import State
from domain.views import View

Cards = dict[int, str | None]
"""By number, in their order."""


class _Options(Struct, frozen=True):
    start_when_full: bool
    duel_fields: int | UnsetType = UNSET


class _Card(Struct, frozen=True):
    card: int
    bean: str | None


class _Rank(Struct, frozen=True):
    seat: int
    coins: int
    hand_size: int
    rank: int


class _Result(Struct, frozen=True):
    reason: str
    ranking: list[_Rank]
    winners: list[int]
    seed: str


class _Field(Struct, frozen=True):
    bean: str | None
    cards: list[int]


class _Seat(Struct, frozen=True):
    player: str | None
    nonce: str
    policy: str | None
    away: bool
    hand: Cards
    fields: list[_Field]
    pending: Cards
    coins: Cards
    bought_field: bool


class _Offer(Struct, frozen=True):
    offer: int
    author: int
    to: int | None
    give: list[_Card]
    want: dict[str, int]
    want_cards: list[int]
    answers: int | None
    rejected_by: list[int]


class GoldenState(Struct, frozen=True):
    """The rules, section 4, and what else a game lives on. `deck` and `discard` have their top at the end."""

    game: str
    version: int
    status: str
    ruleset: str
    options: _Options
    rules_version: int
    seats: list[_Seat]
    visibility: str
    host: str
    commitment: str
    deck: list[str | None]
    discard: list[str | None]
    box: list[str | None]
    shuffles: int
    next_card: int
    exhaustions: int
    final_exhaustion: bool
    start_seat: int
    turn: int
    active: int | None
    phase: str | None
    planted: int
    discarded: bool
    face_up: Cards
    gifts: Cards
    offers: dict[int, _Offer]
    next_offer: int
    result: _Result | None


class _FieldSeen(Struct, frozen=True):
    bean: str
    count: int


class _SeatSeen(Struct, frozen=True):
    seat: int
    player: str | None
    name: str | None
    policy: str | None
    away: bool
    hand_size: int
    hand: list[_Card] | None
    fields: list[_FieldSeen | None]
    pending: list[_Card]
    coins: int
    bought_field: bool


class _OfferSeen(Struct, frozen=True):
    offer: int
    author: int = field(name="from")
    to: int | None
    give: list[_Card]
    want: dict[str, int]
    want_cards: list[int]
    answers: int | None
    rejected_by: list[int]


class GoldenView(Struct, frozen=True):
    """What design says about a view. `deadline`: these games have no clocks."""

    game: str
    version: int
    status: str
    ruleset: str
    rules_version: int
    viewer: int | None
    phase: str | None
    turn: int
    active: int | None
    seats: list[_SeatSeen]
    face_up: list[_Card]
    gifts: list[_Card]
    offers: list[_OfferSeen]
    planted: int
    discarded: bool
    deck_size: int
    discard_size: int
    discard_top: str | None
    exhaustions: int
    final: bool
    commitment: str
    deadline: Any
    result: _Result | None


_encoder: Final = msgspec.json.Encoder()
_states: Final = msgspec.json.Decoder(GoldenState)
_views: Final = msgspec.json.Decoder(GoldenView)


def state_bytes(state: State) -> bytes:
    """Those fields of a state as JSON: in their order, without spaces, numbers of cards as keys."""
    return _encoder.encode(_states.decode(_encoder.encode(state)))


def view_bytes(seen: View) -> bytes:
    """Those fields of a view as it goes over the wire."""
    return _encoder.encode(_views.decode(_encoder.encode(seen)))
