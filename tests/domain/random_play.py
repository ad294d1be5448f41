"""Games by chance: legal commands drawn from the listed actions, and whatever else a client might send."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from domain.actions import Action, actions
from domain.beans import BEANS
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
from domain.state import State
from tests.domain.going_on import due
from tests.domain.listing import drawn

_PATIENCE = 0.12
"""How often the active player ends the trading, so that a game by chance comes to its end."""


_WEIGHTS = {Harvest: 1, Accept: 120, BuyField: 20, Withdraw: 2}


def legal_commands(state: State, chance: Random) -> Iterator[tuple[int, Command]]:
    """One move after the other for as long as the game runs. The caller takes each into the state."""
    while state.status == "running":
        waited_for = due(state)
        seat = chance.choice(waited_for) if chance.random() < 0.7 else chance.randrange(len(state.seats))
        listed = actions(state, seat)
        if seat not in waited_for and chance.random() < 0.9:
            listed = [action for action in listed if not isinstance(action.command, Harvest)]
        if seat == state.active and state.phase == "trade" and chance.random() < _PATIENCE:
            yield seat, EndTrading()
        elif listed:
            yield seat, drawn(_weighed(listed, chance), chance)


def any_command(state: State, chance: Random) -> tuple[int, Command]:
    """Anything that the wire format lets through, near enough to the truth to be interesting."""
    seat = chance.randrange(len(state.seats))
    if chance.random() < 0.6 and (command := _nearly(state, chance)) is not None:
        return seat, command
    field = chance.randint(0, 3)
    offer = chance.randint(1, state.next_offer)
    kinds: list[Command] = [
        Plant(_card(state, chance), field),
        Plant(next(iter(state.seats[seat].hand), 1), field),
        Reveal(),
        _offer(state, chance),
        Accept(offer, _cards(state, chance)),
        Reject(offer),
        Withdraw(offer),
        EndTrading() if chance.random() < _PATIENCE else Reveal(),
        Harvest(field),
        BuyField(),
        Discard(_card(state, chance)),
        EndTurn(),
    ]
    return seat, chance.choice(kinds)


def _weighed(listed: list[Action], chance: Random) -> Action:
    """Fields grow before they are harvested, deals come about, and whoever can buy a field often does."""
    weights = [_WEIGHTS.get(type(action.command), 10) for action in listed]
    return chance.choices(listed, weights)[0]


def _nearly(state: State, chance: Random) -> Command | None:
    """A legal command with one thing changed, or left as it is for another seat to try."""
    listed = actions(state, chance.randrange(len(state.seats)))
    if not listed:
        return None
    command = drawn(_weighed(listed, chance), chance)
    for name in command.__struct_fields__:
        value = getattr(command, name)
        if chance.random() < 0.3:
            if isinstance(value, list):
                changed: object = chance.choice([value[1:], [*value, *value[:1]], [*value, _card(state, chance)]])
            elif isinstance(value, dict):
                changed = {bean: min(count + 1, MOST_WANTED) for bean, count in value.items()}
            else:
                changed = (value or 0) + chance.choice([1, 1, 2])
            return replace(command, **{name: changed})
    return command


def _offer(state: State, chance: Random) -> Offer:
    return Offer(
        to=chance.choice([None, state.active, *range(len(state.seats) + 1)]),
        give=_cards(state, chance),
        want={bean: chance.randint(1, MOST_WANTED) for bean in chance.sample(BEANS, chance.randint(0, 1))},
        want_cards=_cards(state, chance) if chance.random() < 0.2 else [],
        answers=chance.randint(1, state.next_offer) if chance.random() < 0.2 else None,
    )


def _cards(state: State, chance: Random) -> list[int]:
    return [_card(state, chance) for _ in range(chance.choice([0, 0, 1, 1, 2]))]


def _card(state: State, chance: Random) -> int:
    """Mostly a card that somebody can see; sometimes one that is gone or not yet there."""
    if chance.random() < 0.2:
        return chance.randint(1, state.next_card + 2)
    near = [card for seat in state.seats for card in (*seat.hand, *seat.pending)]
    return chance.choice([*near, *state.face_up, *state.gifts, 1])
