"""Every coin by the beanometer, every field at its price, and the ranking that follows from the last harvest."""

from collections.abc import Iterator
from typing import assert_never

from domain.beans import payout
from domain.events import FieldBought, FieldHarvested, GameEnded
from domain.state import State


class Coins:
    """Looks at the state before each event; `state` is folded by somebody else."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._last_harvest: list[tuple[int, int]] = []

    def of(self, event: FieldHarvested | GameEnded) -> Iterator[str]:
        """What is wrong with it."""
        match event:
            case FieldHarvested():
                return self._harvest(event)
            case GameEnded():
                return self._end(event)
            case _:
                assert_never(event)

    def purchase(self, event: FieldBought) -> Iterator[str]:
        """The topmost coins, as many as the edition asks for."""
        owner = self._state.seats[event.seat]
        price = self._state.table.field_price
        if price is None or owner.bought_field or len(owner.fields) >= self._state.table.most_fields:
            yield "No field is for sale to this seat."
            return
        topmost = list(owner.coins)[::-1][:price]
        if not event.price == price == len(event.paid) or [card.card for card in event.paid] != topmost:
            yield f"A field is paid with the {price} topmost coins."

    def _harvest(self, event: FieldHarvested) -> Iterator[str]:
        """The whole field, paid by the beanometer."""
        field = self._state.seats[event.seat].fields[event.field]
        if (event.bean, event.count) != (field.bean, len(field.cards)):
            yield f"{event.count} {event.bean} are harvested from a field of {len(field.cards)} {field.bean}."
        coins = payout(event.bean, event.count)
        if event.coins != coins or event.discarded != event.count - coins:
            yield f"{event.count} {event.bean} pay {coins}, not {event.coins} with {event.discarded} discarded."
        if event.final:
            self._last_harvest.append((event.seat, event.field))
        elif self._last_harvest:
            yield "An ordinary harvest comes after the last one has begun."

    def _end(self, event: GameEnded) -> Iterator[str]:
        """All fields are harvested in order, and coins and hands give the ranking."""
        state = self._state
        seats = len(state.seats)
        in_order = sorted(self._last_harvest, key=lambda place: ((place[0] - state.start_seat) % seats, place[1]))
        if self._last_harvest != in_order or any(field.cards for seat in state.seats for field in seat.fields):
            yield "The last harvest leaves a field out, or is out of order."
        scores = [self._score(seat) for seat in range(seats)]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        rows = [(row.seat, row.coins, row.hand_size, row.rank) for row in event.ranking]
        expected = [(index, len(seat.coins), len(seat.hand), ranks[index]) for index, seat in enumerate(state.seats)]
        if sorted(rows) != expected:
            yield "The ranking is not what coins and hands give."
        elif [row.rank for row in event.ranking] != sorted(ranks):
            yield "The ranking does not begin with the best."
        if event.winners != [seat for seat in range(seats) if ranks[seat] == 1]:
            yield "The winners are not those who have rank 1."

    def _score(self, index: int) -> tuple[int, int]:
        """The larger wins."""
        state = self._state
        coins, hand = len(state.seats[index].coins), len(state.seats[index].hand)
        match state.edition.tie_break:
            case "hand_size":
                return coins, hand
            case "farthest_clockwise":
                return coins, (index - state.start_seat) % len(state.seats)
            case "shared":
                return coins, 0
            case _:
                assert_never(state.edition.tie_break)
