"""The table as one viewer sees it: everything public, and the own hand. Nothing else gets in,
since a view is put together field by field from what is public."""

from collections.abc import Container, Mapping

from msgspec import Struct, field, structs

from domain.beans import Bean
from domain.cards import Card
from domain.state import OpenOffer, Phase, Result, Seat, State, Status


class FieldView(Struct, frozen=True):
    """A planted field: the kind and the number of its beans."""

    bean: Bean
    count: int


class SeatView(Struct, frozen=True):
    """A seat; `player` is None while it is empty, `hand` for everybody but its owner."""

    seat: int
    player: str | None
    name: str | None
    policy: str | None
    away: bool
    hand_size: int
    hand: list[Card] | None
    fields: list[FieldView | None]
    pending: list[Card]
    coins: int
    bought_field: bool


class OfferView(Struct, frozen=True):
    """An open offer; `to` None is anyone."""

    offer: int
    author: int = field(name="from")
    to: int | None
    give: list[Card]
    want: dict[Bean, int]
    want_cards: list[int]
    answers: int | None
    rejected_by: list[int]


class View(Struct, frozen=True):
    """The whole table. `viewer` is a seat, or None for a spectator."""

    game: str
    version: int
    status: Status
    ruleset: str
    rules_version: int
    viewer: int | None
    phase: Phase | None
    turn: int
    active: int | None
    seats: list[SeatView]
    face_up: list[Card]
    gifts: list[Card]
    offers: list[OfferView]
    planted: int
    discarded: bool
    deck_size: int
    discard_size: int
    discard_top: Bean | None
    exhaustions: int
    final: bool
    commitment: str
    deadline: None
    result: Result | None


def view(state: State, viewer: int | None) -> View:
    """What that seat, or a spectator, sees at this version. Names live elsewhere: see `with_names`."""
    return _table(state, viewer, () if viewer is None else (viewer,))


def whole_view(state: State) -> View:
    """What lies on the table with every hand face up; only ever for a game that is over."""
    return _table(state, None, range(len(state.seats)))


def _table(state: State, viewer: int | None, open_hands: Container[int]) -> View:
    return View(
        game=state.game,
        version=state.version,
        status=state.status,
        ruleset=state.ruleset,
        rules_version=state.rules_version,
        viewer=viewer,
        phase=state.phase,
        turn=state.turn,
        active=state.active,
        seats=[_seat(index, seat, is_open=index in open_hands) for index, seat in enumerate(state.seats)],
        face_up=_cards(state.face_up),
        gifts=_cards(state.gifts),
        offers=[_offer(offer) for offer in state.offers.values()],
        planted=state.planted,
        discarded=state.discarded,
        deck_size=len(state.deck),
        discard_size=len(state.discard),
        discard_top=state.discard[-1] if state.discard else None,
        exhaustions=state.exhaustions,
        final=state.final_exhaustion,
        commitment=state.commitment,
        deadline=None,
        result=state.result,
    )


def with_names(seen: View, names: Mapping[str, str]) -> View:
    """The same view with the names of the players, by player id; one who is not there has none."""
    seats = [seat if seat.player is None else structs.replace(seat, name=names.get(seat.player)) for seat in seen.seats]
    return structs.replace(seen, seats=seats)


def _seat(index: int, seat: Seat, *, is_open: bool) -> SeatView:
    return SeatView(
        seat=index,
        player=seat.player,
        name=None,
        policy=seat.policy,
        away=seat.away,
        hand_size=len(seat.hand),
        hand=_cards(seat.hand) if is_open else None,
        fields=[None if field.bean is None else FieldView(field.bean, len(field.cards)) for field in seat.fields],
        pending=_cards(seat.pending),
        coins=len(seat.coins),
        bought_field=seat.bought_field,
    )


def _offer(offer: OpenOffer) -> OfferView:
    return OfferView(
        offer.offer,
        offer.author,
        offer.to,
        offer.give,
        offer.want,
        offer.want_cards,
        offer.answers,
        list(offer.rejected_by),
    )


def _cards(cards: Mapping[int, Bean | None]) -> list[Card]:
    return [Card(number, bean) for number, bean in cards.items()]
