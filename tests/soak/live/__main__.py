"""`make soak-live`, or `python -m tests.soak.live`: very many games that are followed live while everything fails that
can, and what clients were told wrongly."""

import asyncio
import logging
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
import rich_click as click
from rich.console import Console
from rich.text import Text

from infra.embedded.postgres import EmbeddedPostgres
from infra.postgres.migrate import upgrade
from tests.servers import run_sql, with_database
from tests.soak.live import hub
from tests.soak.live.played import Played
from tests.soak.progress import Watcher, watcher
from tests.soak.run import ENDING
from tests.system import live_game
from tests.system.installation import Installation, installation

WIDTH_OF_A_FILE: Final = 110
AT_ONCE: Final = 6
"""Games that are played at the same time over real processes."""

SUMS: Final = ("games", "events", "commands", "clients", "joins", "views", "troubles", "failures")


class Report(msgspec.Struct):
    """Grows with every game. `broken`: why it ended before its time."""

    seed: int
    real: bool
    seconds: float = 0.0
    games: int = 0
    events: int = 0
    commands: int = 0
    clients: int = 0
    joins: int = 0
    views: int = 0
    troubles: int = 0
    failures: int = 0
    broken: str | None = None
    found: list[Played] = []

    def take(self, played: Played) -> None:
        """One more game."""
        self.games += 1
        for name in SUMS[1:-1]:
            setattr(self, name, getattr(self, name) + getattr(played, name))
        if played.failure is not None:
            self.failures += 1
            self.found.append(played)


class Soak:
    """Plays until so many games are played or the time is up."""

    def __init__(self, report: Report, watching: Watcher, games: int, until: float, first: int) -> None:
        self.report = report
        self._watching = watching
        self._numbers = iter(range(first, first + games))
        self._until = until
        self._is_over = False
        self.ended_by = 0
        """The exit code of the signal that ended it, or 0."""

    async def play(self) -> None:
        """To the end, or until a signal cancels it."""
        loop, playing = asyncio.get_running_loop(), asyncio.current_task()
        assert playing is not None

        def end(number: int) -> None:
            self.ended_by = 128 + number
            playing.cancel()

        for number in ENDING:
            loop.add_signal_handler(number, end, number)
        await (self.over_processes() if self.report.real else self.in_memory())

    async def in_memory(self) -> None:
        """One game after the other."""
        while (number := self._next()) is not None:
            self._take(await hub.play(number, self.report.seed))

    async def over_processes(self) -> None:
        """Some games at a time, over the same processes."""
        async with _processes() as place:
            trouble = asyncio.create_task(self._trouble(place))
            try:
                async with asyncio.TaskGroup() as together:
                    for _ in range(AT_ONCE):
                        together.create_task(self._one_after_the_other(place))
            finally:
                self._is_over = True
                (failure,) = await asyncio.gather(trouble, return_exceptions=True)
                if failure is not None:
                    self.report.broken = f"Something did not come back: {failure!r}"[:4000]
            if "Traceback" in place.log:
                self.report.broken = f"A process has failed: {place.log[-4000:]}"

    async def _one_after_the_other(self, place: Installation) -> None:
        while (number := self._next()) is not None:
            seats = random.Random(f"{self.report.seed}/{number}/seats").randint(3, 5)
            self._take(await live_game.play(place.addresses, number, self.report.seed, players=seats))

    async def _trouble(self, place: Installation) -> None:
        chance = random.Random(self.report.seed)
        while not self._is_over:
            await asyncio.sleep(chance.uniform(0.2, 2))
            await chance.choice(place.troubles)(chance)
            self.report.troubles += 1

    def _next(self) -> int | None:
        return next(self._numbers, None) if time.monotonic() < self._until else None

    def _take(self, played: Played) -> None:
        self.report.take(played)
        self._watching.played(self.report.games, self.report.failures)


@asynccontextmanager
async def _processes() -> AsyncIterator[Installation]:
    with TemporaryDirectory(prefix="bohnanza-soak-") as folder:
        server = EmbeddedPostgres(Path(folder))
        await asyncio.to_thread(server.__enter__)
        try:
            await asyncio.to_thread(run_sql, server.url, "create database soak")
            url = with_database(server.url, "soak")
            await asyncio.to_thread(upgrade, url)
            async with installation(url, Path(folder)) as place:
                yield place
        finally:
            await asyncio.to_thread(server.__exit__, None, None, None)


@click.command("soak-live", cls=click.RichCommand)
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many at most.")
@click.option("--minutes", type=click.FloatRange(min=0), default=None, help="No game is begun after that time.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=None, show_default="a new one", help="Decides what befalls whom."
)
@click.option("--first", type=click.IntRange(min=0), default=1, show_default=True, help="Number of the first game.")
@click.option("--real", is_flag=True, help="Over real API processes, a real Postgres and a real Valkey.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("soak-live.json"),
    show_default=True,
    help="Where the report is written.",
)
def command(*, games: int, minutes: float | None, seed: int | None, first: int, real: bool, output: Path) -> None:
    """Play games that are followed live while processes die, messages are lost and the store fails.

    Every client must have been told every event of the store once and in order, or have begun anew with a view that is
    what the events add up to; all processes must agree in the end, the referee must find the game in order, and a
    replay must show what clients were told and shown.

    Exit code 1 when something is wrong; the report says which game of which seed it was. Ctrl-C ends it with the report
    of what was played.
    """
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_OF_A_FILE)
    # The hub tells of every trouble, and here there is nothing else.
    logging.disable(logging.CRITICAL)
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    report = Report(seed, real)
    began = time.monotonic()
    until = float("inf") if minutes is None else began + minutes * 60
    ended_by = 0
    with watcher(console, games) as watching:
        console.print(f"{games:,} games, seed {seed}", highlight=False)
        soak = Soak(report, watching, games, until, first)
        try:
            asyncio.run(soak.play())
        except asyncio.CancelledError:
            report.broken, ended_by = "Interrupted.", soak.ended_by
        finally:
            logging.disable(logging.NOTSET)
    report.seconds = time.monotonic() - began
    _show(report, console)
    output.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
    console.print(f"Written to {output}", highlight=False)
    sys.exit(ended_by or (0 if report.broken is None and not report.failures else 1))


def _show(report: Report, console: Console) -> None:
    sums = ", ".join(f"{getattr(report, name):,} {name}" for name in SUMS)
    console.print(f"{sums} in {report.seconds:,.0f} s (seed {report.seed})", highlight=False)
    if report.broken is not None:
        console.print(Text(report.broken, style="red"))
    for played in report.found:
        console.print(Text(f"game {played.number}: {played.failure}", style="red"), soft_wrap=True)
        again = f"--seed {report.seed} --first {played.number} --games 1"
        console.print(f"  make soak-live ARGS='{again}'", soft_wrap=True, highlight=False)


if __name__ == "__main__":
    command()
