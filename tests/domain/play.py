"""A game from its first event on, with its whole history: for tests that need a real one."""

from typing import Final

from domain.commands import Command
from domain.decide import decide
from domain.events import Event, Options
from domain.evolve import evolve, initial
from domain.lobby import create, join, start
from domain.state import State
from tests.domain.editions import Setup

SEED: Final = bytes(range(100, 132))


class Game:
    """The live state and the events that led to it."""

    def __init__(
        self,
        players: int,
        *,
        ruleset: str = "classic",
        options: Options = Options(),  # noqa: B008 - it is frozen
        game: str = "a-game",
        seed: bytes = SEED,
        full: bool = True,
    ) -> None:
        self.seed = seed
        self.state: State = initial(game)
        self.history: list[Event] = []
        self.take(
            create(
                ruleset=ruleset,
                seats=players,
                visibility="public",
                options=options,
                host="player-0",
                seed=seed,
                nonce="nonce-0",
            )
        )
        for seat in range(1, players if full else 1):
            self.take(join(self.state, seat, f"player-{seat}", f"nonce-{seat}", seed))

    def start(self) -> list[Event]:
        """Deal."""
        return self.take(start(self.state, self.seed))

    def act(self, seat: int, command: Command) -> list[Event]:
        """Decide and take in what follows. Raises Refused."""
        return self.take(decide(self.state, seat, command, self.seed))

    def take(self, events: list[Event]) -> list[Event]:
        """Take events into state and history."""
        for event in events:
            evolve(self.state, event)
            self.history.append(event)
        return events


def started(players: int, *, game: str = "a-game", seed: bytes = SEED) -> Game:
    """A game of `classic` whose first turn has begun."""
    new = Game(players, game=game, seed=seed)
    new.start()
    return new


def begun(setup: Setup, *, seed: bytes = SEED) -> Game:
    """A game of any edition whose first turn has begun."""
    new = Game(setup.players, ruleset=setup.ruleset, options=setup.options, seed=seed)
    new.start()
    return new
