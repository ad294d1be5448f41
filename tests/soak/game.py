"""One game of the soak, watched while it is played. Whatever is wrong with it is found and told; nothing is raised."""

import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Final

from msgspec import Struct

from domain.events import Event, GameEnded, decode_event, encode_event
from domain.evolve import fold, initial
from domain.referee import Referee
from domain.state import State
from tests.domain.conservation import check_conserved
from tests.domain.editions import Setup
from tests.domain.going_on import check_that_it_goes_on
from tests.domain.scenario import content
from tests.domain.whole_game import Step, Stuck, Style, steps
from tests.soak.looking_back import Memory

GAME: Final = "a-game"

MOST_COMMANDS: Final = 20_000
"""Of one game; a long one has a thousand."""

MOST_SECONDS: Final = 60.0
"""Of the processor for one game, which needs a few hundredths."""

HOSTILE: Final = 0.15
"""In games by chance: how often something is tried that is mostly refused."""

DESERTED: Final = 0.01
"""Games whose host leaves before the start."""


class Order(Struct, frozen=True):
    """Which game to play. The same order gives the same game, whatever else is played."""

    setup: Setup
    seed: int
    number: int

    @property
    def style(self) -> Style:
        """The two styles in turn."""
        return "casual" if self.number % 2 else "chance"


class Failure(Struct, frozen=True):
    """What was found, after which version. `trace`: where, for whoever mends it."""

    version: int
    what: str
    trace: str


class Played(Struct):
    """What is told of one game. `tied`: several players had the most coins."""

    order: Order
    commands: int = 0
    refused: int = 0
    events: int = 0
    tied: bool = False
    abandoned: bool = False
    failure: Failure | None = None


class Wrong(AssertionError):
    """The game is not as it should be."""


def play(order: Order) -> Played:
    """From the first event to the last."""
    played = Played(order)
    try:
        with _limited(MOST_SECONDS):
            _follow(order, played)
    except Exception as error:  # noqa: BLE001 - whatever an engine may raise is what is looked for
        what = str(error) if isinstance(error, Wrong) else f"{type(error).__name__}: {error}"
        played.failure = Failure(played.events, what, "".join(traceback.format_exception(error)))
    return played


def _follow(order: Order, played: Played) -> None:
    chance = Random(f"{order.seed} {order.setup} {order.number}")
    seed = chance.randbytes(32)
    state = initial(GAME)
    hostile = HOSTILE if order.style == "chance" else 0.0
    referee = Referee(GAME, seed=seed)
    stored: list[bytes] = []
    # Of its own: what is looked back on has no part in what is played.
    memory = Memory(Random(f"{order.seed} {order.setup} {order.number} moments"))
    for step in steps(state, order.setup, order.style, chance, seed, hostile=hostile, deserted=DESERTED):
        _count(step, played)
        for version, event in enumerate(step.events, len(stored) + 1):
            fault = referee.check(version, step.seat, event)
            if fault is not None:
                raise Wrong(f"the referee at version {fault.version}: {fault.reason}: {fault.sentence}")
            stored.append(encode_event(event))
        if step.events:
            memory.pass_by(state, step.seat, step.events)
            check_that_it_goes_on(state, seed)
    fault = referee.finish()
    if fault is not None:
        raise Wrong(f"the referee at the end: {fault.reason}: {fault.sentence}")
    played.abandoned = state.status == "abandoned"
    events = [decode_event(payload) for payload in stored]
    _check_stored(state, events)
    different = memory.different(state, events)
    if different is not None:
        raise Wrong(different)
    if state.status == "ended":
        check_conserved(state)
        played.tied = _check_ranking(state)


def _count(step: Step, played: Played) -> None:
    played.commands += 1
    played.refused += not step.events
    played.events += len(step.events)
    if played.commands > MOST_COMMANDS:
        raise Stuck(f"no end after {MOST_COMMANDS} commands")


def _check_stored(state: State, events: list[Event]) -> None:
    """What is read back adds up to the very state that was played on, result included."""
    folded = fold(GAME, events)
    if content(folded) != content(state):
        names = [name for name in State.__struct_fields__ if getattr(folded, name) != getattr(state, name)]
        raise Wrong(f"the stored events add up to another state, in {', '.join(names) or 'the order of something'}")
    last = events[-1]
    if isinstance(last, GameEnded) and (folded.result is None or folded.result.ranking != last.ranking):
        raise Wrong("the result is not the ranking that the referee accepted")


def _check_ranking(state: State) -> bool:
    """What lies before the seats is what their rows say. Whether several have the most coins."""
    rows = [] if state.result is None else state.result.ranking
    told = {row.seat: (row.coins, row.hand_size) for row in rows}
    if told != {index: (len(seat.coins), len(seat.hand)) for index, seat in enumerate(state.seats)}:
        raise Wrong("the ranking tells other coins or hands than there are")
    return sum(row.coins == rows[0].coins for row in rows) > 1


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Ends even a game whose engine never comes back. Counts the time of the processor, not that of the clock."""
    previous = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise Stuck(f"no end after {MOST_SECONDS:g} seconds of work")
