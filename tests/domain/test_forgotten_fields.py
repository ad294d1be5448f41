"""A field of the state that is forgotten is noticed (pitfalls E8, E9): by comparing states, and, for all fields
that a game of `classic` lives on, by what the players see or may do."""

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

import msgspec
import pytest
from msgspec import Struct

from domain.actions import actions
from domain.cards import Card
from domain.commands import Command
from domain.decide import decide
from domain.events import (
    BotJoined,
    CardDiscarded,
    DeckShuffled,
    Event,
    GiftsLeft,
    OfferRejected,
    Options,
    SeatHandedOver,
    TradeOffered,
    encode_event,
)
from domain.evolve import evolve
from domain.lobby import free_seat, join, leave, start
from domain.refusal import Refused
from domain.shuffle import start_seat
from domain.state import Field, OpenOffer, Seat, State, copy_of
from domain.views import view
from tests.domain.editions import PRINTING_B, Setup
from tests.domain.play import SEED, Game, begun
from tests.domain.random_play import legal_commands
from tests.domain.scenario import content

UNUSED: Final = {("State", "clock")}
"""Nothing sets this yet: no game here has clocks."""

ELSEWHERE: Final = {("State", "visibility"), ("State", "box")}
"""Used outside the rules proper: who finds a game, and where the cards are that left it for good."""

FIELDS: Final = [(struct, name) for struct in (State, Seat, Field, OpenOffer) for name in struct.__struct_fields__]


@cache
def states() -> list[State]:
    """A lobby, two whole games, and what absent players add."""
    seed = next(seed for seed in map(_seed, range(99)) if start_seat(seed, "a-game", ["nonce-0", "", "2", "3"]))
    game = Game(4, full=False, seed=seed)
    found = [copy_of(game.state)]
    game.take([BotJoined(1, "casual")])
    for seat in (2, 3):
        game.take(join(game.state, seat, f"player-{seat}", f"{seat}", seed))
    found.append(copy_of(game.state))
    game.start()
    walk = []
    for seat, command in legal_commands(game.state, Random(6)):
        walk.append(copy_of(game.state))
        if any(isinstance(event, DeckShuffled) for event in game.act(seat, command)):
            found.append(walk[-1])
    found += [*walk[::5], walk[-1], copy_of(game.state)]
    found += _duel()
    return [*found, _odd(copy_of(walk[0])), _turned_down(next(state for state in walk if state.phase == "trade"))]


def _duel() -> list[State]:
    """Printing A, in which somebody buys a field, and printing B before its start."""
    walk = [Game(2, options=PRINTING_B).state]
    game = begun(Setup("classic", 2))
    for seat, command in legal_commands(game.state, Random(2)):
        walk.append(copy_of(game.state))
        game.act(seat, command)
    assert game.state.box
    return [walk[0], *walk[1::3], copy_of(game.state)]


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _odd(state: State) -> State:
    """What other editions, absent players and private tables add."""
    front, bean = next(iter(state.seats[0].hand.items()))
    assert bean is not None
    for event in (
        SeatHandedOver(2, "casual", "absent"),
        GiftsLeft(0, [Card(90, "red")]),
        CardDiscarded(0, front, bean),
    ):
        evolve(state, event)
    state.visibility = "private"
    state.options = Options(start_when_full=True)
    return state


def _turned_down(state: State) -> State:
    """An offer to anyone that one player does not want."""
    active = state.active or 0
    evolve(state, TradeOffered(state.next_offer, active, None, [], {"red": 1}, [], None))
    evolve(state, OfferRejected(state.next_offer - 1, (active + 1) % 4))
    return state


def forgetting(state: State, struct: type[Struct], name: str) -> State:
    """A copy in which that field of every such struct is as it is at the beginning."""
    copy = copy_of(state)
    for part in parts(copy, struct):
        setattr(part, name, blank(struct, name))
    return copy


def parts(state: State, struct: type[Struct]) -> Iterable[Struct]:
    if struct is State:
        return [state]
    if struct is Seat:
        return state.seats
    if struct is Field:
        return [field for seat in state.seats for field in seat.fields]
    return state.offers.values()


def blank(struct: type[Struct], name: str) -> object:
    """The default, or what a field without one would hold if nobody filled it."""
    (field,) = [field for field in msgspec.structs.fields(struct) if field.name == name]
    if field.default is not msgspec.NODEFAULT:
        return field.default
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    empty: dict[str, object] = {"game": "", "give": {}, "want": {}, "want_cards": [], "to": None, "answers": None}
    return empty.get(name, 0)


@pytest.mark.parametrize(("struct", "name"), FIELDS)
def test_a_forgotten_field_makes_another_state(struct: type[Struct], name: str) -> None:
    noticed = any(content(forgetting(state, struct, name)) != content(state) for state in states())
    assert noticed != ((struct.__name__, name) in UNUSED)


@pytest.mark.parametrize(("struct", "name"), FIELDS)
def test_a_forgotten_field_is_missed_in_play(struct: type[Struct], name: str) -> None:
    """By a view, a list of actions, or what a command leads to."""
    if (struct.__name__, name) in UNUSED | ELSEWHERE:
        return
    assert any(is_missed(state, struct, name) for state in states())


def is_missed(state: State, struct: type[Struct], name: str) -> bool:
    if content(other := forgetting(state, struct, name)) == content(state):
        return False
    try:
        return [*behaviour(other, state)] != [*behaviour(state, state)]
    except (KeyError, IndexError, ValueError, TypeError, StopIteration):
        return True


def behaviour(state: State, real: State) -> Iterator[object]:
    """Everything that can be observed of a state. The commands tried are those that `real` lists."""
    for viewer in (*range(len(real.seats)), None):
        yield msgspec.json.encode(view(state, viewer))
    for seat in range(len(real.seats)):
        yield msgspec.json.encode(actions(state, seat))
        for action in actions(real, seat):
            yield answer(state, seat, action.command)
    yield lobby_answers(state)


def answer(state: State, seat: int, command: Command) -> list[bytes] | str:
    try:
        return after(state, decide(state, seat, command, SEED))
    except Refused as refusal:
        return refusal.code


def after(state: State, events: list[Event]) -> list[bytes]:
    """The events and the public face of what they lead to."""
    copy = copy_of(state)
    for event in events:
        evolve(copy, event)
    return [*map(encode_event, events), msgspec.json.encode(view(copy, None))]


def lobby_answers(state: State) -> list[object]:
    found: list[object] = []
    for attempt in (
        lambda: leave(state, 0, SEED),
        lambda: after(state, start(state, SEED)),
        lambda: [free_seat(state)],
    ):
        try:
            found.append(attempt())
        except Refused as refusal:
            found.append(refusal.code)
    return found
