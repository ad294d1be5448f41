"""A program at a terminal of its own: what a person types, and what the screen shows then."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

PATIENCE: Final = 60.0
"""Seconds until what is waited for will not come any more."""

_HOME: Final = "\x1b[H"
_CONTROLS: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_LEFT: Final = "\x1b[?1049l"


class Terminal:
    """The far side of a pseudo-terminal, and the process at it."""

    def __init__(self, process: subprocess.Popen[bytes], near: int, far: int) -> None:
        self.process = process
        self._near = near
        self._far = far
        self.written = ""

    @property
    def screen(self) -> str:
        """What was drawn last, without colours; as complete as it has come."""
        return _CONTROLS.sub("", self.written.rpartition(_HOME)[2])

    @property
    def settings(self) -> list[object]:
        """How the terminal is set."""
        return termios.tcgetattr(self._far)

    @property
    def is_left(self) -> bool:
        """Whether the first screen and the cursor are there again."""
        return self.written.rpartition("\x1b[?1049h")[2].count(_LEFT) == 1 and "\x1b[?25h" in self.written[-40:]

    def type(self, keys: str) -> None:
        """Press those keys."""
        os.write(self._near, keys.encode())

    def resize(self, width: int, height: int) -> None:
        """Another size; the process hears of it as from a real terminal."""
        _set_size(self._far, width, height)

    def until(self, text: str) -> str:
        """The screen, as soon as that is on it."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.screen:
            assert self._read(deadline), f"{text!r} did not come:\n{self.screen}"
        return self.screen

    def ended(self) -> int:
        """The exit code, as soon as there is one."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it did not end:\n{self.screen}"
            self._read(time.monotonic() + 0.05)
        while self._read(time.monotonic() + 0.05):
            pass
        return self.process.returncode

    def close(self) -> None:
        """Take the terminal away."""
        os.close(self._far)
        os.close(self._near)
        self._far = self._near = -1

    def end(self) -> None:
        """Whatever is left."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self._near >= 0:
            self.close()

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._near], [], [], max(0.0, deadline - time.monotonic()))
        if ready:
            self.written += os.read(self._near, 65536).decode(errors="replace")
        return bool(ready)


@contextmanager
def at_terminal(arguments: list[str], folder: Path, **environment: str) -> Iterator[Terminal]:
    """`bohnanza` with those arguments, at a terminal of 80 columns and 24 lines that it is controlled by."""
    near, far = pty.openpty()
    _set_size(far, 80, 24)
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "services.cli.main", *arguments],
        cwd=folder,
        env=kept | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | environment,
        stdin=far,
        stdout=far,
        stderr=far,
        start_new_session=True,
        # Ctrl-C and Ctrl-Z are signals only from the terminal that a session is controlled by.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no threads here, and nothing simpler
    )
    terminal = Terminal(process, near, far)
    try:
        yield terminal
    finally:
        terminal.end()


def _set_size(terminal: int, width: int, height: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
