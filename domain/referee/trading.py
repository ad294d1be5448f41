"""Offers and deals, always between the active player and one other (rules, section 8)."""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.beans import BEANS, Bean
from domain.cards import Card
from domain.events import (
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
)
from domain.referee.fault import Wrong
from domain.referee.piles import put
from domain.referee.tabletop import Follows, OpenOffer, Rejection, Tabletop
from domain.referee.turn import finish_turn

MOST_OPEN_OFFERS: Final = 20
"""Of one author. The rules set no limit; this program does, and a history that knows none could fill any memory."""

_KINDS = frozenset(BEANS)


def offered(top: Tabletop, actor: int | None, event: TradeOffered) -> None:
    """The author owns what he gives; the other party is known to be one; it may answer a rejected offer."""
    top.in_phase("trade", "An offer")
    author = event.author
    top.acting(actor, author)
    if event.offer != top.next_offer:
        raise Wrong("wrong_offer", f"Offer {event.offer} is made; the next number is {top.next_offer}.")
    _check_parties(top, author, event.to)
    if len(top.offers) >= MOST_OPEN_OFFERS:
        _check_how_many(top, author)
    if not (event.give or event.want or event.want_cards):
        raise Wrong("wrong_offer", "Nothing is offered for nothing.")
    if event.answers is not None:
        _check_answer(top, event)
    _check_owned(top, author, event.give)
    _check_want(top, event)
    names = frozenset([card.card for card in event.give] + event.want_cards)
    top.offers[event.offer] = OpenOffer(author, event.to, event.give, event.want, event.want_cards, names, set())
    top.next_offer += 1
    top.rejection = None


def withdrawn(top: Tabletop, actor: int | None, event: OfferWithdrawn) -> None:
    """Only the author takes an offer back."""
    offer = _open_offer(top, event.offer)
    top.acting(actor, offer.author)
    del top.offers[event.offer]


def rejected(top: Tabletop, actor: int | None, event: OfferRejected) -> Follows | None:
    """An addressee says no. One to anyone stays open until all others have said so."""
    offer = _open_offer(top, event.offer)
    top.acting(actor, event.seat)
    _check_addressed(offer, event.offer, event.seat)
    top.rejection = Rejection(event.offer, offer.author, event.seat)
    if offer.to is not None:
        del top.offers[event.offer]
        return None
    offer.rejected_by.add(event.seat)
    if len(offer.rejected_by) < len(top.places) - 1:
        return None
    del top.offers[event.offer]
    return _voided([OfferVoided(event.offer, "rejected_by_all")])


def completed(top: Tabletop, actor: int | None, event: TradeCompleted) -> Follows | None:
    """Both sides own what they give, and the want is filled exactly. Offers that name a moved card are void."""
    offer = _open_offer(top, event.offer)
    acceptor = event.to
    top.acting(actor, acceptor)
    _check_addressed(offer, event.offer, acceptor)
    if event.author != offer.author:
        raise Wrong("wrong_party", f"Offer {event.offer} was made by seat {offer.author}, not by {event.author}.")
    if event.given != offer.give:
        raise Wrong("wrong_trade", f"Seat {offer.author} gives other cards than offer {event.offer} names.")
    _check_owned(top, offer.author, event.given)
    _check_owned(top, acceptor, event.taken)
    _check_filled(offer, event.taken)
    del top.offers[event.offer]
    moved = {card.card for card in event.given}.union(card.card for card in event.taken)
    _hand_over(top, offer.author, acceptor, event.given)
    _hand_over(top, acceptor, offer.author, event.taken)
    void = [number for number, other in top.offers.items() if not moved.isdisjoint(other.names)]
    if not void:
        return None
    for number in void:
        del top.offers[number]
    return _voided([OfferVoided(number, "card_moved") for number in sorted(void)])


def ended(top: Tabletop, actor: int | None, event: TradingEnded) -> Follows | None:
    """The active player ends phase 2: open offers lapse, what nobody took is kept and must be planted."""
    top.in_phase("trade", "The end of the trading")
    place = top.acting_active(actor, event.seat)
    kept = [Card(number, bean) for number, bean in top.face_up.items()]
    if event.kept != kept:
        raise Wrong("wrong_kept", "The kept cards are not the face-up cards that nobody took.")
    top.offers.clear()
    put(kept, place.pending)
    top.face_up.clear()
    top.phase = "settle"
    if any(other.pending for other in top.places):
        return None
    return finish_turn(top)


def _voided(events: Sequence[OfferVoided]) -> Follows:
    for event in events:  # noqa: UP028 - what is sent in here, a list behind `yield from` could not take
        yield event


def _open_offer(top: Tabletop, number: int) -> OpenOffer:
    top.in_phase("trade", "An answer to an offer")
    offer = top.offers.get(number)
    if offer is None:
        raise Wrong("no_such_offer", f"Offer {number} is not open.")
    return offer


def _check_addressed(offer: OpenOffer, number: int, seat: int) -> None:
    if seat == offer.author or offer.to not in (None, seat):
        raise Wrong("wrong_party", f"Offer {number} is not addressed to seat {seat}.")
    if seat in offer.rejected_by:
        raise Wrong("no_such_offer", f"Seat {seat} has turned offer {number} down.")


def _check_parties(top: Tabletop, author: int, to: int | None) -> None:
    if author != top.active:
        if to != top.active:
            raise Wrong("wrong_party", f"Seat {author} may deal with the active seat {top.active} only.")
    elif to is not None and (to == author or not 0 <= to < len(top.places)):
        raise Wrong("wrong_party", f"Seat {author} makes an offer to {to}.")


def _check_how_many(top: Tabletop, author: int) -> None:
    if sum(offer.author == author for offer in top.offers.values()) >= MOST_OPEN_OFFERS:
        raise Wrong("wrong_offer", f"Seat {author} has {MOST_OPEN_OFFERS} offers open already.")


def _check_answer(top: Tabletop, event: TradeOffered) -> None:
    """A counter-offer stands right behind the rejection of what it answers, and goes to whom it answers."""
    rejection = top.rejection
    if rejection is None or (rejection.offer, rejection.by) != (event.answers, event.author):
        raise Wrong("wrong_offer", f"Offer {event.offer} answers {event.answers}, which was not turned down with it.")
    if event.to != rejection.author:
        raise Wrong("wrong_party", f"The answer to an offer of seat {rejection.author} goes to {event.to}.")


def _check_owned(top: Tabletop, seat: int, cards: Iterable[Card]) -> None:
    """From the hand; the active player's also from the face-up cards."""
    hand = top.places[seat].hand
    seen: set[int] = set()
    for card in cards:
        number = card.card
        bean = hand.get(number)
        if bean is None and seat == top.active:
            bean = top.face_up.get(number)
        if bean is None or number in seen:
            raise Wrong("wrong_card", f"Card {number} is not seat {seat}'s to give, or named twice.")
        if bean != card.bean:
            raise Wrong("wrong_card", f"Card {number} is {bean}, not {card.bean}.")
        seen.add(number)


def _check_want(top: Tabletop, event: TradeOffered) -> None:
    for bean, count in event.want.items():
        if bean not in _KINDS or count < 1:
            raise Wrong("wrong_offer", f"{count} {bean} cannot be wanted.")
    cards = event.want_cards
    if cards and event.author == top.active:
        raise Wrong("wrong_offer", "The face-up cards are the active player's own.")
    if len(set(cards)) != len(cards) or any(number not in top.face_up for number in cards):
        raise Wrong("wrong_offer", f"{cards} are not face-up cards.")


def _check_filled(offer: OpenOffer, taken: Sequence[Card]) -> None:
    """Kind by kind and card by card, nothing more and nothing less."""
    left = dict(offer.want)
    named = set(offer.want_cards)
    for card in taken:
        bean: Bean | None = card.bean
        if card.card in named:
            named.remove(card.card)
        elif bean is not None and left.get(bean, 0) > 0:
            left[bean] -= 1
        else:
            raise Wrong("wrong_trade", f"Card {card.card} ({bean}) is not wanted, or one too many.")
    if named or any(left.values()):
        raise Wrong("wrong_trade", f"The want is not filled: {named or left} is lacking.")


def _hand_over(top: Tabletop, giver: int, receiver: int, cards: Iterable[Card]) -> None:
    hand = top.places[giver].hand
    pending = top.places[receiver].pending
    for card in cards:
        number = card.card
        pending[number] = hand.pop(number) if number in hand else top.face_up.pop(number)
