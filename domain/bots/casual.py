"""A casual player: plants what matches, trades what does not, and now and then trusts to luck."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from domain.actions import AcceptChoices, Action, OfferChoices
from domain.beans import Bean, grants_field, payout
from domain.commands import (
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
)
from domain.views import OfferView, SeatView, View

FIELDS_IN_ALL = 3
"""More fields than these nobody can have."""

FIELD_WORTH = 3
"""Coins that a third field is worth to this player."""

MOST_OWN_OFFERS = 3
"""Offers that a player has open at a time."""


class Chance(Protocol):
    """The dice of a policy, for instance a seeded `random.Random`."""

    def random(self) -> float:
        """A number from 0 up to 1."""
        ...


def choose(view: View, actions: Sequence[Action], chance: Chance) -> Command | None:
    """The next command of the seat that `view` belongs to; None: wait for the others."""
    if view.viewer is None or not actions:
        return None
    own = view.seats[view.viewer]
    commands = [action.command for action in actions]
    if BuyField() in commands and view.exhaustions == 0 and chance.random() < 0.5:
        return BuyField()
    match view.phase:
        case "plant":
            return _plant(own, commands, chance) if view.active == view.viewer else None
        case "trade":
            return _trade(view, own, actions, chance)
        case "settle":
            return _place(own, commands) if own.pending else None
        case "gifts" | "keep":
            return _pick(own, commands, chance) if view.active == view.viewer else None
        case None:
            return None


def _plant(own: SeatView, commands: Sequence[Command], chance: Chance) -> Command | None:
    if Reveal() not in commands:
        return _place(own, commands)
    front = own.hand[0].bean if own.hand else None
    again = front in _planted(own) or (None in own.fields and chance.random() < 0.3)
    if again and any(isinstance(command, Plant) for command in commands):
        return _place(own, commands)
    unloved = [card.card for card in own.hand or () if card.bean not in _planted(own)]
    discards = [command for command in commands if isinstance(command, Discard) and command.card in unloved]
    if discards and chance.random() < 0.5:
        return discards[int(chance.random() * len(discards))]
    return Reveal()


def _place(own: SeatView, commands: Sequence[Command]) -> Command | None:
    """Plant onto the like, else into the empty, else make room where it pays best."""
    plantings = [command for command in commands if isinstance(command, Plant)]
    if plantings:
        return max(plantings, key=lambda planting: own.fields[planting.field] is not None)
    harvests = [command for command in commands if isinstance(command, Harvest)]
    return max(harvests, key=lambda harvest: _worth(own, harvest.field), default=None)


def _pick(own: SeatView, commands: Sequence[Command], chance: Chance) -> Command | None:
    """In a duel: keep what matches, sometimes begin a field, and be rid of the rest."""
    plantings = [command for command in commands if isinstance(command, Plant)]
    fitting = [planting for planting in plantings if own.fields[planting.field] is not None]
    if fitting or (plantings and chance.random() < 0.5):
        return (fitting or plantings)[0]
    return next((command for command in commands if isinstance(command, Discard | EndTurn)), None)


def _worth(own: SeatView, index: int) -> int:
    field = own.fields[index]
    if field is None:
        return 0
    if grants_field(field.bean, field.count) and len(own.fields) < FIELDS_IN_ALL:
        return FIELD_WORTH
    return payout(field.bean, field.count)


def _planted(own: SeatView) -> set[Bean | None]:
    return {field.bean for field in own.fields if field is not None}


def _trade(view: View, own: SeatView, actions: Sequence[Action], chance: Chance) -> Command | None:
    liked = _planted(own)
    for offer in view.offers:
        if offer.author == own.seat or own.seat in offer.rejected_by:
            continue
        if offer.to not in (None, own.seat):
            continue
        answer = _answer(offer, liked, own, actions, chance)
        if answer is not None:
            return answer
    mine = sum(offer.author == own.seat for offer in view.offers)
    if mine < MOST_OWN_OFFERS and chance.random() < (0.5 if view.active == own.seat else 0.05):
        offer_made = _make_offer(view, own, liked, actions, chance)
        if offer_made is not None:
            return offer_made
    if view.active == own.seat and chance.random() < (0.1 if mine else 0.6):
        return EndTrading()
    return None


def _answer(
    offer: OfferView, liked: set[Bean | None], own: SeatView, actions: Sequence[Action], chance: Chance
) -> Command | None:
    """Take a deal that brings more liked beans than it costs; turn down the rest."""
    gained = sum(card.bean in liked for card in offer.give)
    lost = sum(count for bean, count in offer.want.items() if bean in liked)
    room = None in own.fields
    if offer.give and (gained > lost or (room and gained == lost and chance.random() < 0.5)):
        for action in actions:
            if isinstance(action.command, Accept) and action.command.offer == offer.offer:
                return _picked(action.command, action.choices, chance)
    return Reject(offer.offer)


def _picked(command: Accept, choices: object, chance: Chance) -> Accept:
    if not isinstance(choices, AcceptChoices):
        return command
    give = [card for pick in choices.picks for card in sorted(pick.cards, key=lambda _: chance.random())[: pick.count]]
    return Accept(command.offer, give)


def _make_offer(
    view: View, own: SeatView, liked: set[Bean | None], actions: Sequence[Action], chance: Chance
) -> Offer | None:
    """Offer one or two cards that do not fit for one that would; sometimes give one away."""
    choices = next(
        (
            action.choices
            for action in actions
            if isinstance(action.choices, OfferChoices)
            and isinstance(action.command, Offer)
            and action.command.answers is None
        ),
        None,
    )
    if choices is None:
        return None
    cards = {card.card: card.bean for card in (*(own.hand or ()), *view.face_up)}
    spare = [card for card in choices.give if cards.get(card) not in liked]
    if not spare:
        return None
    spare.sort(key=lambda _: chance.random())
    give = spare[: 1 + (chance.random() < 0.25)]
    named = {card for offer in view.offers if offer.author == own.seat for card in (given.card for given in offer.give)}
    if named.intersection(give):
        return None
    to = choices.to[int(chance.random() * len(choices.to))] if chance.random() < 0.3 else choices.to[0]
    wished: Counter[Bean] = Counter()
    kinds = [bean for bean in choices.want if bean in liked]
    if kinds and chance.random() < 0.75:
        wished[kinds[int(chance.random() * len(kinds))]] = 1
    want_cards: list[int] = []
    if not wished and choices.want_cards and chance.random() < 0.5:
        want_cards = choices.want_cards[:1]
    return Offer(to=to, give=give, want=dict(wished), want_cards=want_cards)
