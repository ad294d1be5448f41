"""What is to be seen while games are played: a bar for each on a terminal, a line now and then elsewhere."""

import time
from types import TracebackType
from typing import Final, Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from domain.state import State

REDRAW_SECONDS: Final = 0.1


class Watcher(Protocol):
    """Told about games by number, between entering and leaving it."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the screen as it should stay."""
        ...

    def moved(self, number: int, state: State) -> None:
        """Something happened in that game."""
        ...

    def ended(self, number: int) -> None:
        """That game is over."""
        ...


class Passes:
    """How far a game is, measured by the deck: it ends when the deck has been gone through so many times."""

    def __init__(self) -> None:
        self.share = 0.0
        self._exhaustions = 0
        self._full = 0

    def take(self, state: State) -> bool:
        """The next state; whether the deck ran out since the last one."""
        ran_out = state.exhaustions > self._exhaustions
        if ran_out:
            self._exhaustions = state.exhaustions
            self._full = 0
        self._full = max(self._full, len(state.deck))
        done = 1 - len(state.deck) / self._full if self._full else 0.0
        share = 1.0 if state.final_exhaustion else (self._exhaustions + done) / state.table.final_exhaustion
        self.share = max(self.share, share)
        return ran_out


class Bars:
    """One bar for each running game; they vanish with their game."""

    def __init__(self, console: Console) -> None:
        self._bars: dict[int, tuple[TaskID, Passes]] = {}
        self._progress = Progress(
            TextColumn("[bold]Game {task.fields[number]}"),
            BarColumn(),
            TextColumn("turn {task.fields[turn]:>3} · {task.fields[events]:>4} events · deck {task.fields[deck]:>3}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            # The thread that would do it could draw between the removal of a bar and the printing of a result, and
            # then one line too many is wiped out.
            auto_refresh=False,
        )
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._progress.stop()

    def moved(self, number: int, state: State) -> None:
        """Move its bar."""
        if number not in self._bars:
            task = self._progress.add_task("", total=1.0, number=number, turn=0, events=0, deck=0)
            self._bars[number] = task, Passes()
        task, passes = self._bars[number]
        passes.take(state)
        self._progress.update(task, completed=passes.share, turn=state.turn, events=state.version, deck=len(state.deck))
        now = time.monotonic()
        if now - self._drawn > REDRAW_SECONDS:
            self._drawn = now
            self._progress.refresh()

    def ended(self, number: int) -> None:
        """Take its bar away."""
        bar = self._bars.pop(number, None)
        if bar is not None:
            self._progress.remove_task(bar[0])


class Lines:
    """For a file or a pipe: a line when a game begins, and when its deck runs out."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._games: dict[int, Passes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing to tidy up."""

    def moved(self, number: int, state: State) -> None:
        """A line, if it is worth one."""
        new = number not in self._games
        ran_out = self._games.setdefault(number, Passes()).take(state)
        if new:
            self._say(f"Game {number}: {len(state.seats)} players, the cards are dealt.")
        if ran_out:
            last = state.table.final_exhaustion
            passes = f"the deck has run out {state.exhaustions} of {last} times"
            self._say(f"Game {number}: turn {state.turn}, {state.version} events, {passes}.")

    def ended(self, number: int) -> None:
        """Forget it."""
        self._games.pop(number, None)

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, highlight=False)


def watcher(console: Console) -> Watcher:
    """The one that suits the console."""
    return Bars(console) if console.is_terminal else Lines(console)
