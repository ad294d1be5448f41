"""Harvesting and the third field: possible for everybody at every decision point
(rules, sections 6 and 7)."""

from itertools import islice

from domain.beans import payout
from domain.cards import Card
from domain.commands import Harvest
from domain.events import Event, FieldBought, FieldHarvested
from domain.refusal import Refused
from domain.state import Seat, State


def protected(owner: Seat, index: int) -> bool:
    """Bean protection: a single bean stays while any of its owner's fields holds two or more."""
    return len(owner.fields[index].cards) == 1 and any(len(field.cards) > 1 for field in owner.fields)


def harvest(state: State, seat: int, command: Harvest) -> list[Event]:
    """The whole field: coins by the beanometer, the rest onto the discard pile."""
    owner = state.seats[seat]
    if state.table.harvest == "own_turn" and seat != state.active:
        raise Refused("not_your_turn", "In this game a field is harvested in the own turn.")
    if command.field >= len(owner.fields):
        raise Refused("no_such_field", f"You have the fields 0 to {len(owner.fields) - 1}.")
    if owner.fields[command.field].bean is None:
        raise Refused("field_empty", f"Field {command.field} is empty.")
    if protected(owner, command.field):
        raise Refused("bean_protected", "A single bean stays while another field has two or more.")
    return [harvested(owner, seat, command.field, final=False)]


def harvested(owner: Seat, seat: int, index: int, *, final: bool) -> FieldHarvested:
    """What that field gives. It must not be empty."""
    field = owner.fields[index]
    if field.bean is None:
        raise ValueError(f"field {index} of seat {seat} is empty")
    count = len(field.cards)
    coins = payout(field.bean, count)
    return FieldHarvested(seat, index, field.bean, count, coins, count - coins, final)


def buy_field(state: State, seat: int) -> list[Event]:
    """The third field, paid with the topmost coins."""
    owner = state.seats[seat]
    table = state.table
    price = table.field_price
    if price is None:
        raise Refused("field_not_for_sale", "No field is for sale in this game.")
    if len(owner.fields) >= table.most_fields:
        raise Refused("field_not_for_sale", "You have bought your third field already.")
    if table.field_purchase == "own_turn" and seat != state.active:
        raise Refused("not_your_turn", "In this game a field is bought in the own turn.")
    if len(owner.coins) < price:
        raise Refused("not_enough_coins", f"A field costs {price}; you have {len(owner.coins)}.")
    topmost = islice(reversed(owner.coins.items()), price)
    return [FieldBought(seat, price, [Card(number, bean) for number, bean in topmost])]
