"""What is to be seen while a soak runs: a bar on a terminal, a line a minute elsewhere."""

import time
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

LINE_SECONDS: Final = 60.0
RATE_SECONDS: Final = 0.5


class Watcher(Protocol):
    """Told about every game, between entering and leaving it."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the screen as it should stay."""
        ...

    def played(self, games: int, failures: int) -> None:
        """So many up to now."""
        ...


class Bar:
    """One bar for all games, with their rate and the time that is left."""

    def __init__(self, console: Console, wanted: int) -> None:
        self._progress = Progress(
            TextColumn("[bold]Games"),
            BarColumn(),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]:,.0f} games/s"),
            TextColumn("[red]{task.fields[failures]}"),
            TimeElapsedColumn(),
            TextColumn("left:"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=wanted, rate=0.0, failures="")
        self._began = time.monotonic()
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def played(self, games: int, failures: int) -> None:
        """Move the bar, now and then."""
        now = time.monotonic()
        if now - self._drawn < RATE_SECONDS:
            return
        self._drawn = now
        told = f"failures: {failures:,}" if failures else ""
        self._progress.update(self._task, completed=games, rate=games / (now - self._began), failures=told)


class Lines:
    """For a file or a pipe."""

    def __init__(self, console: Console, wanted: int) -> None:
        self._console = console
        self._wanted = wanted
        self._began = self._told = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing to tidy up."""

    def played(self, games: int, failures: int) -> None:
        """A line, if it is time for one."""
        now = time.monotonic()
        if now - self._told < LINE_SECONDS:
            return
        self._told = now
        rate = games / (now - self._began)
        minutes = (self._wanted - games) / rate / 60
        self._console.print(
            f"{games:,} of {self._wanted:,} games, {rate:,.1f} games/s, {minutes:,.0f} minutes left, "
            f"failures: {failures:,}",
            soft_wrap=True,
            highlight=False,
        )


def watcher(console: Console, wanted: int) -> Watcher:
    """The one that suits the console."""
    return Bar(console, wanted) if console.is_terminal else Lines(console, wanted)
