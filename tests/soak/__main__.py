"""`make soak`, or `python -m tests.soak`: very many random games, and what is wrong with them."""

import os
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import SystemRandom
from typing import Final

import rich_click as click
from rich.console import Console

from tests.domain.editions import SETUPS
from tests.soak import report
from tests.soak.progress import watcher
from tests.soak.run import Interrupted, Plan, games, interruptible

WIDTH_OF_A_FILE: Final = 110
BY_NAME: Final = {str(setup): setup for setup in SETUPS}


@click.command("soak", cls=click.RichCommand)
@click.option(
    "--games",
    "wanted",
    type=click.IntRange(min=1),
    default=100_000,
    show_default=True,
    help="How many, spread evenly over the setups.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    show_default="a new one",
    help="Decides every card and every move; the report names it.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one a core",
    help="How many play at the same time. What fills only one is played in this very process.",
)
@click.option(
    "--only",
    type=click.Choice(list(BY_NAME)),
    multiple=True,
    metavar="SETUP",
    help="Only this setup, such as classic-4; may be given several times. A wrong name lists them all.",
)
@click.option(
    "--first",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Number of the first game of each setup. Casual players play the odd ones, chance the even ones.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("soak.json"),
    show_default=True,
    help="Where the report is written.",
)
def command(*, wanted: int, seed: int | None, processes: int, only: Sequence[str], first: int, output: Path) -> None:
    """Play random games of every edition and number of players, and watch each.

    Half are played by casual players, half by chance, with commands in between that should be refused. Each must come
    to its end, without an error and without a moment in which nobody can move; the referee must find it in order; its
    stored events must add up to the very same state; and a replay must show moments of it as they were seen, and
    of some games every version.

    Exit code 1 when something is wrong: the report then says how to play that very game again. Ctrl-C ends it at once
    with the report of what was played, and exit code 130.
    """
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_OF_A_FILE)
    setups = [BY_NAME[name] for name in dict.fromkeys(only)] or SETUPS
    seed = SystemRandom().randrange(2**32) if seed is None else seed
    plan = Plan(setups=setups, games=wanted, seed=seed, first=first, processes=processes)
    told = report.begun(plan)
    ended_by = _play(plan, told, console)
    report.show(told, console)
    report.write(told, output)
    console.print(f"Written to {output}", highlight=False)
    sys.exit(ended_by or (0 if told.well else 1))


def _play(plan: Plan, told: report.Report, console: Console) -> int:
    """The exit code of the signal that ended it, or 0."""
    try:
        with interruptible(), watcher(console, plan.games) as watching:
            console.print(f"{plan.games:,} games, seed {plan.seed}, processes: {plan.processes}", highlight=False)
            for number, played in enumerate(games(plan), 1):
                told.take(played)
                watching.played(number, len(told.found))
    except Interrupted as interrupted:
        told.broken = "Interrupted."
        return interrupted.exit_code
    except BrokenProcessPool:
        told.broken = "A process was killed; it may have run out of memory."
    return 0


if __name__ == "__main__":
    command()
