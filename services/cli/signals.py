"""Waiting that a signal ends at once. A handler only notes; all that follows happens in the ordinary flow."""

import os
import select
import signal
from types import FrameType
from typing import Final, Self

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While entered, `ending` becomes true with the first signal to end, and wait() returns early on any."""

    def __init__(self) -> None:
        self.ending = False
        self._reader, self._writer = -1, -1

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in ENDING:
            signal.signal(number, self._end)
        # The default disposition would not wake: only a handled signal is written to the pipe.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        for number in (*ENDING, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.close(self._reader)
        os.close(self._writer)

    def wait(self, seconds: float) -> None:
        """At most that long; until a child ends or a signal comes."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        if ready:
            os.read(self._reader, 4096)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self.ending = True
