"""Everything that a seat may do at this version: complete, and nothing that would be refused.

Each action carries a `command` that is legal as it stands, and `choices` where it leaves something
open (None where it does not).
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.beans import BEANS, Bean
from domain.commands import (
    MOST_WANTED,
    Accept,
    BuyField,
    Command,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.decide.harvesting import buy_field, protected
from domain.decide.planting import MOST_PLANTINGS
from domain.decide.trading import MOST_OPEN_OFFERS, open_offers
from domain.refusal import Refused
from domain.state import OpenOffer, Seat, State


class OfferChoices(Struct, frozen=True, tag_field="type", tag="offer"):
    """What an offer may be made of. `to` is one of these seats (null: anyone); `give` is any selection of these
    cards, `want` any of these kinds up to these numbers, `want_cards` any selection of these face-up cards; no card
    twice, and not all three empty. A counter-offer is an action of its own: its `answers` stays as it is.
    """

    to: list[int | None]
    give: list[int]
    want: dict[Bean, int]
    want_cards: list[int]


class Pick(Struct, frozen=True):
    """Exactly `count` of these cards, none of them twice."""

    count: int
    cards: list[int]


class AcceptChoices(Struct, frozen=True, tag_field="type", tag="accept"):
    """Which own cards may fill what an offer asks for: `give` has, from each of the `picks`, exactly `count` of its
    `cards`, in any order.
    """

    picks: list[Pick]


class Action(Struct, frozen=True):
    """One thing to do."""

    command: Command
    choices: OfferChoices | AcceptChoices | None = None


def actions(state: State, seat: int) -> list[Action]:
    """What that seat may do now; empty unless the game is running."""
    if state.status != "running":
        return []
    owner = state.seats[seat]
    found = [*_of_phase(state, seat, owner)]
    if seat == state.active or state.table.harvest == "any_time":
        for index, field in enumerate(owner.fields):
            if field.bean is not None and not protected(owner, index):
                found.append(Action(Harvest(index)))
    if _may_buy(state, seat):
        found.append(Action(BuyField()))
    return found


def _of_phase(state: State, seat: int, owner: Seat) -> Iterator[Action]:
    match state.phase:
        case "plant":
            if seat == state.active:
                yield from _plant_or_reveal(state, owner)
        case "gifts" | "keep":
            if seat == state.active:
                yield from _gifts_or_keep(state, owner)
        case "trade":
            yield from _trade(state, seat)
        case "settle":
            for card, bean in owner.pending.items():
                yield from _plant(owner, card, bean)
        case None:
            return


def _plant_or_reveal(state: State, owner: Seat) -> Iterator[Action]:
    if owner.hand and state.planted < MOST_PLANTINGS and not state.discarded:
        card, bean = next(iter(owner.hand.items()))
        yield from _plant(owner, card, bean)
    if state.table.turn == "duel" and state.planted and not state.discarded:
        for card in owner.hand:
            yield Action(Discard(card))
    if state.planted or not owner.hand:
        yield Action(Reveal())


def _gifts_or_keep(state: State, owner: Seat) -> Iterator[Action]:
    for card, bean in state.gifts.items() if state.phase == "gifts" else state.face_up.items():
        yield from _plant(owner, card, bean)
    if state.phase == "gifts":
        for card in state.gifts:
            yield Action(Discard(card))
    else:
        yield Action(EndTurn())


def _plant(owner: Seat, card: int, bean: Bean | None) -> Iterator[Action]:
    for index, field in enumerate(owner.fields):
        if field.bean is None or field.bean == bean:
            yield Action(Plant(card, index))


def _trade(state: State, seat: int) -> Iterator[Action]:
    may_offer = open_offers(state, seat) < MOST_OPEN_OFFERS
    if may_offer:
        others = [index for index in range(len(state.seats)) if index != seat]
        yield _offer(state, seat, to=[None, *others] if seat == state.active else [state.active], answers=None)
    for offer in state.offers.values():
        if offer.author == seat:
            yield Action(Withdraw(offer.offer))
        elif offer.to in (None, seat) and seat not in offer.rejected_by:
            yield from _accept(state, seat, offer)
            yield Action(Reject(offer.offer))
            if may_offer:
                yield _offer(state, seat, to=[offer.author], answers=offer.offer)
    if seat == state.active:
        yield Action(EndTrading())


def _offer(state: State, seat: int, *, to: list[int | None], answers: int | None) -> Action:
    """As it stands it asks for one bean as a gift, the one offer that is always possible."""
    # Any kind may be asked for, those of this game first: what is not there is just never given.
    want = dict.fromkeys([*state.table.deck, *BEANS], MOST_WANTED)
    active = seat == state.active
    give = [*state.seats[seat].hand, *(state.face_up if active else ())]
    command = Offer(to=to[0], want={next(iter(want)): 1}, answers=answers)
    return Action(command, OfferChoices(to, give, want, [] if active else [*state.face_up]))


def _accept(state: State, seat: int, offer: OpenOffer) -> Iterator[Action]:
    """Only where the own cards can fill the want; the command gives the hindmost of each kind."""
    own = {**state.seats[seat].hand, **(state.face_up if seat == state.active else {})}
    picks = [Pick(1, [card]) for card in offer.want_cards]
    for bean, count in offer.want.items():
        cards = [card for card, kind in own.items() if kind == bean and card not in offer.want_cards]
        if len(cards) < count:
            return
        picks.append(Pick(count, cards))
    command = Accept(offer.offer, [card for pick in picks for card in pick.cards[-pick.count :]])
    yield Action(command, AcceptChoices(picks) if picks else None)


def _may_buy(state: State, seat: int) -> bool:
    try:
        buy_field(state, seat)
    except Refused:
        return False
    return True
