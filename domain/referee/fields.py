"""Harvests and the third field, possible for everybody at every decision point (rules, sections 6 and 7)."""

from domain.cards import Card
from domain.events import FieldBought, FieldHarvested
from domain.referee.editions import FIELD_BEANS_FOR_A_FIELD, MOST_FIELDS, pays
from domain.referee.fault import Wrong
from domain.referee.tabletop import Place, Plot, Tabletop


def harvested(top: Tabletop, actor: int | None, event: FieldHarvested) -> None:
    """The whole field, paid by the beanometer. A single bean is protected."""
    if event.final:
        raise Wrong("out_of_place", "The final harvest comes only with the end of the game.")
    top.in_play("A harvest")
    place = top.acting(actor, event.seat)
    if top.edition.duel:
        top.acting_active(actor, event.seat)
    if not 0 <= event.field < len(place.plots):
        raise Wrong("no_such_field", f"Seat {event.seat} has no field {event.field}.")
    plot = place.plots[event.field]
    count = len(plot.cards)
    if plot.bean is None or event.bean != plot.bean or event.count != count:
        raise Wrong("wrong_harvest", f"{event.count} {event.bean} come off a field of {count} {plot.bean}.")
    if count == 1 and any(len(other.cards) > 1 for other in place.plots):
        raise Wrong("bean_protected", f"The single {plot.bean} stays while another field has two beans or more.")
    coins = pays(plot.bean, count)
    if event.coins != coins or event.discarded != count - coins:
        raise Wrong(
            "wrong_payout",
            f"{count} {plot.bean} pay {coins} and discard {count - coins}, not {event.coins} and {event.discarded}.",
        )
    top.discard += [plot.bean] * (count - coins)
    _clear(place, plot, coins)


def _clear(place: Place, plot: Plot, coins: int) -> None:
    """The first cards become coins, the field is empty; two field beans are worth a field instead."""
    bean, cards = plot.bean, plot.cards
    place.coins += [Card(number, bean) for number in cards[:coins]]
    plot.bean = None
    plot.cards = []
    if bean == "field_bean" and len(cards) == FIELD_BEANS_FOR_A_FIELD and len(place.plots) < MOST_FIELDS:
        place.plots.append(Plot(None, []))


def bought(top: Tabletop, actor: int | None, event: FieldBought) -> None:
    """Once a game, with the topmost coins. They are discarded; in the duel they go into the box."""
    top.in_play("A purchase")
    place = top.acting(actor, event.seat)
    edition = top.edition
    price = edition.price
    if price is None or len(place.plots) >= MOST_FIELDS:
        raise Wrong("not_for_sale", f"No field is for sale to seat {event.seat}.")
    if edition.own_turn_purchase:
        top.acting_active(actor, event.seat)
    if event.price != price or len(event.paid) != price:
        raise Wrong("wrong_payment", f"{len(event.paid)} coins for a price of {event.price}: a field costs {price}.")
    if len(place.coins) < price:
        raise Wrong("not_enough_coins", f"Seat {event.seat} has {len(place.coins)} coins; a field costs {price}.")
    topmost = place.coins[: -price - 1 : -1]
    if event.paid != topmost:
        raise Wrong("wrong_payment", f"The topmost coins of seat {event.seat} are {_numbers(topmost)}.")
    del place.coins[-price:]
    if not edition.duel:
        top.discard += [card.bean for card in topmost if card.bean is not None]
    place.plots.append(Plot(None, []))


def _numbers(cards: list[Card]) -> str:
    return ", ".join(f"{card.card} ({card.bean})" for card in cards)
