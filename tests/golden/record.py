"""`python -m tests.golden.record`: records games for every setup that has none under the present version of the rules.

What is there is never written again. Of many games those are kept that have the most to remember.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final

import rich_click as click
from msgspec import Struct
from rich.console import Console
from rich.progress import track

from domain import history
from domain.events import Event, GameEnded, encode_event
from domain.evolve import initial
from domain.rulesets import RULES_VERSION
from tests.domain.editions import SETUPS, Setup
from tests.domain.whole_game import Step, Style, steps
from tests.golden import expected, recorded
from tests.golden.expected import Expectations, Expected
from tests.golden.features import features
from tests.golden.recorded import Asked

FOLDER: Final = Path(__file__).parent
CANDIDATES: Final = 50
"""Games that are played for one that is kept."""

HOSTILE: Final = 0.1
"""In games by chance: how often something is tried that is mostly refused."""

BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
BETWEEN_COMMANDS: Final = timedelta(milliseconds=1250)

DESERTED: Final = Setup("classic", 3)
"""The setup that has one more game, whose host leaves before the start."""


class Slot(Struct, frozen=True):
    """A game that is wanted."""

    style: Style
    deserted: bool = False


class Candidate(Struct, frozen=True):
    """A game that might be kept."""

    game: str
    style: Style
    steps: list[Step]

    @property
    def events(self) -> list[Event]:
        """From the first to the last."""
        return [event for step in self.steps for event in step.events]


@click.command("record", cls=click.RichCommand)
def command() -> None:
    """Record golden games for every setup that has none under the present version of the rules.

    Never changes a file that is there.
    """
    console = Console()
    missing = [setup for setup in SETUPS if not expected.expectations_file(FOLDER / str(setup), RULES_VERSION).exists()]
    for setup in track(missing, "Recording", console=console, transient=True):
        record(FOLDER, setup)
    console.print(f"Recorded: {', '.join(map(str, missing)) or 'nothing, every setup has its games'}")


def record(corpus: Path, setup: Setup) -> None:
    """The games of one setup, numbered on from those that are there, and what must come out of them."""
    folder = corpus / str(setup)
    folder.mkdir(exist_ok=True)
    first = 1 + max((int(path.name.partition(".")[0]) for path in folder.glob("*.xz")), default=0)
    known: set[str] = set()
    games = []
    for number, slot in enumerate(_slots(setup), first):
        chosen = _best(setup, number, slot, known)
        known |= features(chosen.game, chosen.events)
        games.append(_keep(folder, number, setup, chosen))
    # Written last: a folder whose recording was cut short has games that nothing is expected of, and a test says so.
    expected.write(
        expected.expectations_file(folder, RULES_VERSION),
        Expectations(setup.ruleset, setup.players, setup.options, RULES_VERSION, games),
    )


def _slots(setup: Setup) -> list[Slot]:
    """Three, and over all setups as many of either style."""
    chance, casual = Slot("chance"), Slot("casual")
    slots = [chance, casual, chance] if SETUPS.index(setup) % 2 else [casual, chance, casual]
    return [*slots, Slot("chance", deserted=True)] if setup == DESERTED else slots


def _best(setup: Setup, number: int, slot: Slot, known: set[str]) -> Candidate:
    """The one with the most that is not known yet; of equals the shortest."""
    found = [_played(setup, number, slot, attempt) for attempt in range(CANDIDATES)]
    return max(found, key=lambda one: (len(features(one.game, one.events) - known), -len(one.events)))


def _played(setup: Setup, number: int, slot: Slot, attempt: int) -> Candidate:
    game = f"golden-{setup}-{number}"
    chance = Random(f"{game} {attempt}")
    seed = chance.randbytes(32)
    state = initial(game)
    hostile = HOSTILE if slot.style == "chance" else 0.0
    deserted = 1.0 if slot.deserted else 0.0
    played = steps(state, setup, slot.style, chance, seed, hostile=hostile, deserted=deserted)
    return Candidate(game, slot.style, list(played))


def _keep(folder: Path, number: int, setup: Setup, chosen: Candidate) -> Expected:
    events = chosen.events
    header = history.header(chosen.game, setup.ruleset, RULES_VERSION)
    stored = [encode_event(event) for event in events]
    lines = [
        history.line(version, at, seat, payload)
        for version, (payload, (at, seat)) in enumerate(zip(stored, _circumstances(chosen.steps), strict=True), 1)
    ]
    asked = [Asked(step.version, step.seat, step.act) for step in chosen.steps if step.act is not None]
    recorded.write(folder, number, [header, *lines], asked)
    head = history.first_hash(header)
    for line in lines:
        head = history.next_hash(head, line)
    last = events[-1]
    return Expected(
        number=number,
        style=chosen.style,
        versions=len(events),
        commands=len(asked),
        head=head.hex(),
        ranking=last.ranking if isinstance(last, GameEnded) else [],
        winners=last.winners if isinstance(last, GameEnded) else [],
        hashes=expected.hashes(chosen.game, stored, events),
    )


def _circumstances(played: list[Step]) -> Iterator[tuple[datetime, int]]:
    """When each event happened, and whose command it was. The times are made up."""
    for place, step in enumerate(played):
        for _ in step.events:
            yield BEGINNING + place * BETWEEN_COMMANDS, step.seat


if __name__ == "__main__":
    command()
