"""The other screen of a terminal, on which a replay is drawn: what was on the first one is there again afterwards."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from rich.console import Console, ConsoleDimensions, RenderableType
from rich.control import Control
from rich.screen import Screen


class Stage:
    """Between entering and leaving it the cursor is hidden, and every drawing fills the screen."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        self._console.set_alt_screen(enable=True)
        self._console.show_cursor(show=False)
        return self

    def __exit__(self, *_: object) -> None:
        # A terminal that is gone needs no tidying up.
        with suppress(OSError):
            self._console.show_cursor(show=True)
            self._console.set_alt_screen(enable=False)

    def draw(self, shown: RenderableType) -> None:
        """All of it anew, in one piece."""
        self._measure()
        with self._console:
            self._console.control(Control.home())
            self._console.print(Screen(shown), end="")

    def _measure(self) -> None:
        """By the terminal itself: what COLUMNS and LINES say was true when the program began."""
        try:
            columns, rows = os.get_terminal_size(self._console.file.fileno())
        except OSError:  # it is none, or gone
            return
        # Some terminals do not know their size.
        if columns and rows:
            self._console.size = ConsoleDimensions(columns, rows)

    def clear(self) -> None:
        """After the size has changed, or somebody else has written."""
        self._console.set_alt_screen(enable=True)
        self._console.show_cursor(show=False)
        self._console.clear()

    @contextmanager
    def left(self) -> Iterator[None]:
        """The first screen, for a while."""
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()
