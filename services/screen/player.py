"""A replay at a terminal: draws, waits for keys or for the time of the next event, and draws again."""

import errno
import signal
import time

from rich.console import Console

from services.screen.frame import Frame
from services.screen.keys import Disturbed, Ended, Keyboard, Pressed, Suspended
from services.screen.playback import Playback
from services.screen.stage import Stage


def play(playback: Playback, console: Console, terminal: int) -> int | None:
    """Until the viewer leaves; the number of the signal, if one ended it. `terminal`: where the keys come from."""
    try:
        return _play(playback, console, terminal)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        # The terminal was closed, and the signal that says so has not come yet.
        return signal.SIGHUP


def _play(playback: Playback, console: Console, terminal: int) -> int | None:
    with Keyboard(terminal) as keyboard, Stage(console) as stage:
        moment, due = _moment(playback), _due(playback)
        while not playback.over:
            # Who holds a key down wants to be there, not to see every step on the way.
            if not keyboard.pending:
                stage.draw(Frame(playback))
            happened = keyboard.wait(None if due is None else max(0.0, due - time.monotonic()))
            match happened:
                case None:
                    playback.advance()
                case Pressed():
                    playback.press(happened.key)
                case Disturbed():
                    stage.clear()
                case Suspended():
                    with stage.left():
                        keyboard.suspend()
                case Ended():
                    return happened.signal
            # A key that changes nothing of it does not prolong the pause.
            if moment != _moment(playback):
                moment, due = _moment(playback), _due(playback)
    return None


def _moment(playback: Playback) -> tuple[int, bool, float, str]:
    return playback.version, playback.playing, playback.speed, playback.pace


def _due(playback: Playback) -> float | None:
    pause = playback.pause()
    return None if pause is None else time.monotonic() + pause
