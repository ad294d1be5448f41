"""One way to play a game from its first event to its last, step by step: guests come and go, the game starts by itself
or by its host, and then casual players sit at the table, or moves are made by chance."""

from collections.abc import Iterator
from random import Random
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain import lobby
from domain.actions import actions
from domain.bots.casual import choose
from domain.commands import Command
from domain.decide import decide
from domain.events import Event
from domain.evolve import evolve
from domain.refusal import Refused
from domain.state import State
from domain.views import view
from tests.domain.editions import Setup
from tests.domain.going_on import due
from tests.domain.random_play import any_command, legal_commands
from tests.domain.scenario import content

Style = Literal["casual", "chance"]

HOST: Final = 0
_MOST_GUESTS_GONE: Final = 3
_PATIENCE: Final = 10_000
"""Times that somebody is asked for a move until it is clear that nobody wants to make one."""


class Join(Struct, frozen=True, tag_field="type", tag="join"):
    """A player sits down on a free seat."""

    player: str
    nonce: str


class Leave(Struct, frozen=True, tag_field="type", tag="leave"):
    """A seat is given back."""


class Start(Struct, frozen=True, tag_field="type", tag="start"):
    """The host starts the game."""


Act = Command | Join | Leave | Start
"""What a seat can ask for, from the lobby on."""


class Step(Struct, frozen=True):
    """What a seat asked for at a version, and what came of it; without events it was refused.

    `act` None: the table was set up.
    """

    version: int
    seat: int
    act: Act | None
    events: list[Event]


class Stuck(AssertionError):
    """The game does not go on."""


def steps(
    state: State,
    setup: Setup,
    style: Style,
    chance: Random,
    seed: bytes,
    *,
    hostile: float = 0.0,
    deserted: float = 0.0,
) -> Iterator[Step]:
    """The whole game; `state` is new, and has the events of each step in it when the step is given out.

    `hostile`: how often somebody tries what comes to mind before the next legal move; where it is allowed, it happens.
    `deserted`: how often the host leaves before the start, which ends the game.
    """
    table = _Table(state, seed)
    yield table.set_up(setup, chance)
    yield from _lobby(table, chance, hostile, host_leaves=chance.random() < deserted)
    while state.status == "running":
        if chance.random() < hostile:
            yield table.attempt(*any_command(state, chance))
        if state.status == "running":
            yield table.act(*(_casual if style == "casual" else _by_chance)(state, chance))


def decided(state: State, seat: int, act: Act, seed: bytes) -> list[Event]:
    """What happens when that seat asks for that. Raises Refused."""
    match act:
        case Join():
            return lobby.join(state, seat, act.player, act.nonce, seed)
        case Leave():
            return lobby.leave(state, seat, seed)
        case Start():
            return lobby.start(state, seed)
        case _:
            return decide(state, seat, act, seed)


class _Table:
    """A state and the seed that its shuffles come from."""

    def __init__(self, state: State, seed: bytes) -> None:
        self.state = state
        self._seed = seed

    def set_up(self, setup: Setup, chance: Random) -> Step:
        options = replace(setup.options, start_when_full=chance.random() < 0.5)
        created = lobby.create(
            ruleset=setup.ruleset,
            seats=setup.players,
            visibility=chance.choice(["public", "private"]),
            options=options,
            host="player-0",
            seed=self._seed,
            nonce="nonce-0",
        )
        return self._happened(0, HOST, None, created)

    def act(self, seat: int, act: Act) -> Step:
        """What is legal."""
        return self._happened(self.state.version, seat, act, decided(self.state, seat, act, self._seed))

    def attempt(self, seat: int, act: Act) -> Step:
        """What may be refused, and then must leave everything as it was."""
        before = content(self.state)
        try:
            return self.act(seat, act)
        except Refused:
            assert content(self.state) == before, f"a refused {type(act).__name__} has changed the state"
            return Step(self.state.version, seat, act, [])

    def _happened(self, version: int, seat: int, act: Act | None, events: list[Event]) -> Step:
        for event in events:
            evolve(self.state, event)
        return Step(version, seat, act, events)


def _lobby(table: _Table, chance: Random, hostile: float, *, host_leaves: bool) -> Iterator[Step]:
    """Until the game starts, or its host has left."""
    state = table.state
    came, gone = 1, 0
    while state.status == "open":
        guests = [seat for seat, place in enumerate(state.seats) if place.player is not None and seat != HOST]
        full = len(guests) + 1 == len(state.seats)
        if not full and chance.random() < hostile:
            yield table.attempt(HOST, Start())
        if guests and gone < _MOST_GUESTS_GONE and chance.random() < 0.2:
            gone += 1
            yield table.act(chance.choice(guests), Leave())
        elif host_leaves and chance.random() < 0.5:
            yield table.act(HOST, Leave())
        elif full:
            yield table.act(HOST, Start())
        else:
            nonce = chance.choice(["", f"nonce-{came}"])
            yield table.act(lobby.free_seat(state), Join(f"player-{came}", nonce))
            came += 1
    if chance.random() < hostile:
        too_late: list[Act] = [Leave(), Start()]
        yield table.attempt(chance.randrange(len(state.seats)), chance.choice(too_late))


def _by_chance(state: State, chance: Random) -> tuple[int, Command]:
    return next(legal_commands(state, chance))


def _casual(state: State, chance: Random) -> tuple[int, Command]:
    """The next move that one of the casual players wants to make: mostly one who has something to do."""
    likely = _likely(state)
    for _ in range(_PATIENCE):
        seat = chance.choice(likely) if chance.random() < 0.8 else chance.randrange(len(state.seats))
        listed = actions(state, seat)
        command = choose(view(state, seat), listed, chance) if listed else None
        if command is not None:
            return seat, command
    raise Stuck("nobody wants to move")


def _likely(state: State) -> list[int]:
    """The seats that the game waits for, and those that have an offer to answer."""
    seats = range(len(state.seats))
    asked = [
        seat
        for offer in state.offers.values()
        for seat in (seats if offer.to is None else [offer.to])
        if seat != offer.author and seat not in offer.rejected_by
    ]
    return [*due(state), *asked]
