"""Moves that the rules forbid, put into a history."""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from domain.beans import BEANS
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardsRevealed,
    FieldBought,
    FieldHarvested,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.referee.history import Line
from tests.domain.referee.mutants import Mutant, before, insert, put, versions


def protected_harvest(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A single bean is harvested while another field of its owner has two or more."""
    version = chance.choice(versions(lines, BeanPlanted, TradeOffered, CardsRevealed))
    state = before(lines, version)
    for seat, owner in enumerate(state.seats):
        for index, field in enumerate(owner.fields):
            if len(field.cards) == 1 and field.bean and any(len(other.cards) > 1 for other in owner.fields):
                harvest = FieldHarvested(seat, index, field.bean, 1, coins=0, discarded=1, final=False)
                return insert(lines, version, seat, harvest)
    return None


def empty_harvest(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Nothing is harvested."""
    version = chance.choice(versions(lines, CardsRevealed))
    for seat, owner in enumerate(before(lines, version).seats):
        for index, field in enumerate(owner.fields):
            if field.bean is None:
                nothing = FieldHarvested(seat, index, chance.choice(BEANS), 0, coins=0, discarded=0, final=False)
                return insert(lines, version, seat, nothing)
    return None


def purchase_one_coin_short(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A field is bought with all coins of a player who has one too few."""
    found = versions(lines, BeanPlanted, TradeOffered, TradingEnded)
    version = chance.choice(found[: len(found) // 3])
    state = before(lines, version)
    price = state.table.field_price
    for seat, owner in enumerate(state.seats):
        if price is not None and len(owner.coins) == price - 1 and not owner.bought_field:
            paid = [Card(number, bean) for number, bean in reversed(owner.coins.items())]
            return insert(lines, version, seat, FieldBought(seat, price - chance.randint(0, 1), paid))
    return None


def purchase_of_a_fourth_field(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Somebody who has three fields buys one more."""
    version = versions(lines, CardsRevealed)[-1]
    state = before(lines, version)
    price = state.table.field_price or 3
    seats = [seat for seat, owner in enumerate(state.seats) if len(owner.fields) == 3 and len(owner.coins) >= price]
    if not seats:
        return None
    seat = chance.choice(seats)
    topmost = [Card(number, bean) for number, bean in reversed(state.seats[seat].coins.items())][:price]
    return insert(lines, version, seat, FieldBought(seat, price, topmost))


def planted_on_another_kind(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A card goes where another kind stands, or where no field is."""
    version = chance.choice(versions(lines, BeanPlanted))
    seat, event = lines[version - 1]
    assert isinstance(event, BeanPlanted)
    plots = before(lines, version).seats[event.seat].fields
    wrong = [index for index, plot in enumerate(plots) if plot.bean not in (None, event.bean)]
    return put(lines, version, seat, replace(event, field=chance.choice([*wrong, len(plots), -1])))


def planted_from_behind(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Not the front card of the hand is planted, but another that would fit."""
    version = chance.choice(versions(lines, BeanPlanted))
    seat, event = lines[version - 1]
    assert isinstance(event, BeanPlanted)
    owner = before(lines, version).seats[event.seat]
    others = [card for card, bean in owner.hand.items() if bean == event.bean and card != event.card]
    if event.source != "hand" or not others:
        return None
    return put(lines, version, seat, replace(event, card=chance.choice(others)))


def planted_a_third(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """One more card is planted from the hand before the reveal."""
    version = chance.choice(versions(lines, CardsRevealed))
    state = before(lines, version)
    if state.phase != "plant" or state.active is None or state.planted < 2:
        return None
    owner = state.seats[state.active]
    for card, bean in owner.hand.items():
        for index, plot in enumerate(owner.fields):
            if bean and plot.bean in (None, bean):
                return insert(lines, version, state.active, BeanPlanted(state.active, index, card, bean, "hand"))
        break
    return None


def revealed_too_early(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """The first planting of a turn is left out."""
    firsts = [
        version
        for version, (_, event) in enumerate(lines, 1)
        if isinstance(event, CardsRevealed)
        and isinstance(lines[version - 2][1], BeanPlanted)
        and isinstance(lines[version - 3][1], TurnStarted)
    ]
    if not firsts:
        return None
    version = chance.choice(firsts)
    return Mutant([*lines[: version - 2], *lines[version - 1 :]], version - 1, version - 1)


def another_void(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """An open offer that may stay is voided, right behind a deal."""
    version = chance.choice(versions(lines, TradeCompleted) or [1]) + 1
    if version == 2:
        return None
    while isinstance(lines[version - 1][1], OfferVoided):
        version += 1
    return insert(lines, version, lines[version - 2][0], OfferVoided(chance.randint(1, 9), "card_moved"))


def voids_out_of_order(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Two voids of one deal change places."""
    found = [
        version
        for version in versions(lines, OfferVoided)
        if isinstance(lines[version][1], OfferVoided) and lines[version - 1] != lines[version]
    ]
    if not found:
        return None
    version = chance.choice(found)
    return Mutant([*lines[: version - 1], lines[version], lines[version - 1], *lines[version + 1 :]], version, version)


def rejected_unasked(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """The author turns down his own offer."""
    version = chance.choice(versions(lines, TradeOffered) or [1])
    _, event = lines[version - 1]
    if not isinstance(event, TradeOffered):
        return None
    return insert(lines, version + 1, event.author, OfferRejected(event.offer, event.author))


def rejected_by_another(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """An offer to one player is turned down by another. One to anyone he might turn down just as well."""
    to_one = {event.offer for _, event in lines if isinstance(event, TradeOffered) and event.to is not None}
    found = [
        version for version in versions(lines, OfferRejected) if getattr(lines[version - 1][1], "offer", 0) in to_one
    ]
    if not found:
        return None
    version = chance.choice(found)
    seat, event = lines[version - 1]
    assert isinstance(event, OfferRejected)
    return put(lines, version, seat, replace(event, seat=event.seat + chance.choice([-1, 1])))


def withdrawn_twice(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """An offer that is gone is withdrawn."""
    version = chance.choice(versions(lines, TradeCompleted) or [1])
    _, event = lines[version - 1]
    if not isinstance(event, TradeCompleted):
        return None
    while isinstance(lines[version][1], OfferVoided):
        version += 1
    return insert(lines, version + 1, event.author, OfferWithdrawn(event.offer))


def want_that_was_accepted(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """What an accepted offer wanted was something else: the deal does not fill it."""
    version = chance.choice(versions(lines, TradeCompleted) or [1])
    _, deal = lines[version - 1]
    if not isinstance(deal, TradeCompleted):
        return None
    place = next(at for at in versions(lines, TradeOffered) if getattr(lines[at - 1][1], "offer", 0) == deal.offer)
    seat, offer = lines[place - 1]
    assert isinstance(offer, TradeOffered)
    want = dict(offer.want)
    bean = chance.choice(BEANS)
    want[bean] = want.get(bean, 0) + 1
    return Mutant(put(lines, place, seat, replace(offer, want=want)).lines, version, version)
