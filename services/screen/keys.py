"""Single keys, and what else happens to a terminal. Whatever ends the program, the terminal is left as it was found:
signals are only noted, and what follows from them happens in the ordinary flow."""

import errno
import os
import re
import select
import signal
import termios
import time
from collections import deque
from contextlib import suppress
from typing import Final, Self

from msgspec import Struct

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
DISTURBING: Final = (signal.SIGWINCH, signal.SIGCONT)
NOTED: Final = (*ENDING, *DISTURBING, signal.SIGTSTP)

ESCAPE_SECONDS: Final = 0.05
"""The bytes of one key follow each other closely; an escape after which nothing comes was the key itself."""

_NAMED: Final = {
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "4~": "end",
    "7~": "home",
    "8~": "end",
}
_CONTROL: Final = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace"}
_LFLAG: Final = 3
# ECMA-48, section 5.4; SS3 for the keypad in application mode; and what Alt makes of a key.
_SEQUENCE: Final = re.compile(r"\x1b(?:\[([0-?]*[ -/]*[@-~])|O([@-~])|[^\[O\x1b])")
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?")


class Pressed(Struct, frozen=True):
    """A key: its character, or its name."""

    key: str


class Disturbed(Struct, frozen=True):
    """The screen must be drawn anew: it has another size, or the program was stopped for a while."""


class Suspended(Struct, frozen=True):
    """Somebody wants the program to stop for a while: see Keyboard.suspend."""


class Ended(Struct, frozen=True):
    """A signal asks to end."""

    signal: int


Happening = Pressed | Disturbed | Suspended | Ended


def keys_in(text: str) -> tuple[list[str], str]:
    """The keys in what a terminal sent, and the beginning of one that is not complete yet. Unknown keys are passed
    over, each as a whole."""
    keys: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign != "\x1b":
            at += 1
            key = _CONTROL.get(sign, sign if sign.isprintable() else None)
        elif (sequence := _SEQUENCE.match(text, at)) is not None:
            at = sequence.end()
            key = _NAMED.get(sequence[1] or sequence[2] or "")
        elif _BEGUN.fullmatch(text, at) is not None:
            return keys, text[at:]
        else:
            at += 1
            key = "escape"
        if key is not None:
            keys.append(key)
    return keys, ""


class Keyboard:
    """A terminal whose keys come at once and are not shown, for as long as it is entered. Main thread only."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._found = termios.tcgetattr(terminal)
        self._queue: deque[Happening] = deque()
        self._rest = ""
        self._reader, self._writer = -1, -1
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in NOTED:
            self._before[number] = signal.signal(number, _noted)
        self._take()
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()
        signal.set_wakeup_fd(-1)
        for number in NOTED:
            signal.signal(number, self._before[number])  # type: ignore[arg-type] # as signal() gave it
        os.close(self._reader)
        os.close(self._writer)

    @property
    def pending(self) -> bool:
        """Whether wait() would return at once with something that has come already."""
        return bool(self._queue)

    def wait(self, seconds: float | None) -> Happening | None:
        """The next thing that happens; None when nothing does for so many seconds."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._queue:
            left = None if until is None else max(0.0, until - time.monotonic())
            patience = ESCAPE_SECONDS if left is None else min(left, ESCAPE_SECONDS)
            ready, _, _ = select.select([self._reader, self._terminal], [], [], patience if self._rest else left)
            if self._reader in ready:
                self._hear()
            if self._terminal in ready:
                self._read()
            if not ready and self._rest:
                self._give_up_waiting_for_the_rest()
            elif not ready:
                return None
        return self._queue.popleft()

    def suspend(self) -> None:
        """Stop, and come back when the program is continued. Leave the screen before."""
        self._restore()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, _noted)
        self._take()

    def _hear(self) -> None:
        for number in os.read(self._reader, 4096):
            if number in ENDING:
                self._queue.append(Ended(number))
            elif number in DISTURBING:
                # Who was stopped without having been asked finds the terminal as the shell left it.
                self._take()
                self._queue.append(Disturbed())
            elif number == signal.SIGTSTP:
                self._queue.append(Suspended())

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, 1024)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:  # the terminal is gone
            self._queue.append(Ended(signal.SIGHUP))
            return
        keys, self._rest = keys_in(self._rest + data.decode("ascii", errors="replace"))
        self._queue.extend(Pressed(key) for key in keys)

    def _give_up_waiting_for_the_rest(self) -> None:
        self._rest = ""
        self._queue.append(Pressed("escape"))

    def _take(self) -> None:
        wanted = [*self._found]
        # Lines stay lines on output, and Ctrl-C and Ctrl-Z stay signals.
        wanted[_LFLAG] = self._found[_LFLAG] & ~(termios.ECHO | termios.ICANON)
        self._set(wanted)

    def _restore(self) -> None:
        self._set(self._found)

    def _set(self, attributes: list[int | list[bytes | int]]) -> None:
        # A terminal that is gone needs nothing; that it is gone is heard as a signal, or read.
        with suppress(termios.error):
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, attributes)


def _noted(_number: int, _frame: object) -> None:
    """The wakeup descriptor has it."""
