"""Offers, counter-offers and deals: always between the active player and one other
(rules, section 8)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from domain.beans import BEANS
from domain.cards import Card
from domain.commands import Accept, Offer, Reject, Withdraw
from domain.decide.turn import finish_turn
from domain.events import (
    Event,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
)
from domain.refusal import Refused
from domain.state import OpenOffer, State

MOST_OPEN_OFFERS: Final = 20
"""Of one author at a time. The printed rules know no limit; without one a table could be flooded for ever."""


def offer(state: State, seat: int, command: Offer) -> list[Event]:
    """Put an offer on the table. It locks nothing; its cards and kinds are public from now on."""
    _while_trading(state)
    if not (command.give or command.want or command.want_cards):
        raise Refused("empty_offer", "Give something, want something, or both.")
    if open_offers(state, seat) >= MOST_OPEN_OFFERS:
        raise Refused("too_many_offers", f"Withdraw one of your {MOST_OPEN_OFFERS} open offers first.")
    _check_parties(state, seat, command.to)
    give = _own_cards(state, seat, command.give)
    _check_wanted_cards(state, seat, command)
    events: list[Event] = []
    if command.answers is not None:
        answered = addressed(state, seat, command.answers)
        if command.to != answered.author:
            raise Refused("not_a_party", f"A counter-offer goes to seat {answered.author}.")
        events += _rejected(state, seat, answered)
    want = {bean: command.want[bean] for bean in BEANS if bean in command.want}
    events.append(
        TradeOffered(
            state.next_offer,
            seat,
            command.to,
            give,
            want,
            command.want_cards,
            command.answers,
        )
    )
    return events


def accept(state: State, seat: int, command: Accept) -> list[Event]:
    """Both sides' cards change hands in one event; offers that it made impossible are void."""
    _while_trading(state)
    accepted = addressed(state, seat, command.offer)
    given = _own_cards(state, accepted.author, [card.card for card in accepted.give])
    taken = _own_cards(state, seat, command.give)
    chosen = Counter(card.bean for card in taken if card.card not in accepted.want_cards)
    named = sum(card.card in accepted.want_cards for card in taken)
    if chosen != accepted.want or named != len(accepted.want_cards):
        raise Refused("offer_mismatch", "Give exactly the kinds, numbers and cards it asks for.")
    moved = {card.card for card in (*given, *taken)}
    events: list[Event] = [TradeCompleted(accepted.offer, accepted.author, seat, given, taken)]
    events += [
        OfferVoided(other.offer, "card_moved")
        for other in state.offers.values()
        if other is not accepted and not moved.isdisjoint(_named(other))
    ]
    return events


def reject(state: State, seat: int, command: Reject) -> list[Event]:
    """Turn an offer down; one to anyone is void when everybody else has."""
    _while_trading(state)
    return _rejected(state, seat, addressed(state, seat, command.offer))


def withdraw(state: State, seat: int, command: Withdraw) -> list[Event]:
    """Take an own offer back."""
    _while_trading(state)
    if _open_offer(state, command.offer).author != seat:
        raise Refused("not_a_party", "Only its author can withdraw an offer.")
    return [OfferWithdrawn(command.offer)]


def end_trading(state: State, seat: int, seed: bytes) -> list[Event]:
    """Open offers lapse, face-up cards that nobody took become pending; phase 3 may be empty."""
    _while_trading(state)
    if seat != state.active:
        raise Refused("not_your_turn", f"Only seat {state.active} can end the trading.")
    kept = [Card(number, bean) for number, bean in state.face_up.items()]
    events: list[Event] = [TradingEnded(seat, kept)]
    if not kept and not any(owner.pending for owner in state.seats):
        events += finish_turn(state, seed, events)
    return events


def open_offers(state: State, seat: int) -> int:
    """How many offers of that seat are on the table."""
    return sum(offer.author == seat for offer in state.offers.values())


def addressed(state: State, seat: int, number: int) -> OpenOffer:
    """The open offer that this seat may still accept, reject or answer."""
    found = _open_offer(state, number)
    if found.author == seat or found.to not in (None, seat):
        raise Refused("not_a_party", f"Offer {number} is not addressed to you.")
    if seat in found.rejected_by:
        raise Refused("offer_not_found", f"You have rejected offer {number}.")
    return found


def _while_trading(state: State) -> None:
    if state.phase != "trade":
        raise Refused("wrong_phase", "Trading is open from reveal until end_trading.")


def _open_offer(state: State, number: int) -> OpenOffer:
    found = state.offers.get(number)
    if found is None:
        raise Refused("offer_not_found", f"There is no open offer {number}.")
    return found


def _named(offer: OpenOffer) -> list[int]:
    """The cards without which the offer cannot be carried out."""
    return [*(card.card for card in offer.give), *offer.want_cards]


def _check_parties(state: State, seat: int, to: int | None) -> None:
    if seat != state.active:
        if to != state.active:
            raise Refused("not_a_party", f"Only deals with the active seat {state.active} are on.")
    elif to == seat or (to is not None and to >= len(state.seats)):
        raise Refused("not_a_party", "Offer to another seat of this table, or to null for anyone.")


def _own_cards(state: State, seat: int, numbers: Iterable[int]) -> list[Card]:
    """Those cards, if that seat may give them now: from the hand, and face-up ones when active."""
    hand = state.seats[seat].hand
    cards: dict[int, Card] = {}
    for number in numbers:
        bean = hand.get(number)
        if bean is None and seat == state.active:
            bean = state.face_up.get(number)
        if bean is None or number in cards:
            raise Refused("unknown_card", f"Card {number} is not yours to give, or named twice.")
        cards[number] = Card(number, bean)
    return list(cards.values())


def _check_wanted_cards(state: State, seat: int, command: Offer) -> None:
    """A want that nobody can fill is legal to ask, so only the cards that are named are looked at."""
    seen: set[int] = set()
    for number in command.want_cards:
        if seat == state.active or number not in state.face_up or number in seen:
            raise Refused("unknown_card", f"Card {number} is no face-up card of the other side.")
        seen.add(number)


def _rejected(state: State, seat: int, turned_down: OpenOffer) -> list[Event]:
    events: list[Event] = [OfferRejected(turned_down.offer, seat)]
    others = len(state.seats) - 1
    if turned_down.to is None and len(turned_down.rejected_by) + 1 == others:
        events.append(OfferVoided(turned_down.offer, "rejected_by_all"))
    return events
