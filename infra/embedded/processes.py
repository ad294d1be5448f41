"""Child processes that do not outlive their parent.

On Linux the kernel signals a child when its parent dies. What escapes that (another system, a moment too early) is
ended at the next start, recognised by a pid file together with start time and command line, so that a stranger who was
given the same number is never touched.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import psutil

from infra.embedded.failures import ServerFailed, failure, tail

POLL_SECONDS: Final = 0.01
CLOCK_TOLERANCE_SECONDS: Final = 2.0
"""The kernel gives a start time relative to the boot, whose wall time moves when the clock is set."""

LARGEST_LOG: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Launch:
    """How a child is started. `prefix` are the words before the command; `end` is the signal that ends it well."""

    name: str
    command: Sequence[str]
    folder: Path
    pid_file: Path
    end: signal.Signals
    log: Path | None = None
    prefix: Sequence[str] = ()
    environment: Mapping[str, str] | None = None
    inherited: Sequence[int] = ()


class Child:
    """A running child."""

    def __init__(self, launch: Launch, process: subprocess.Popen[bytes], log_start: int) -> None:
        self.launch = launch
        self.process = process
        self._log_start = log_start

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative if a signal ended it."""
        return self.process.poll()

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Until `ready`; ServerFailed if the child ends before or takes longer."""
        deadline = time.monotonic() + seconds
        while not ready():
            if self.exit_code is not None:
                raise self.failure("did not start")
            if time.monotonic() > deadline:
                self.stop(0)
                message = f"{self.launch.name} was not ready within {seconds:.0f} seconds."
                raise ServerFailed(message)
            time.sleep(POLL_SECONDS)

    def failure(self, happened: str) -> ServerFailed:
        """What its log says since this start."""
        output = "" if self.launch.log is None else tail(self.launch.log, self._log_start)
        return failure(self.launch.name, happened, self.launch.folder, output)

    def stop(self, seconds: float) -> bool:
        """Ask it to end, kill it after that time; False if it had to be killed."""
        if self.exit_code is None:
            self.process.send_signal(self.launch.end)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        finally:
            self.launch.pid_file.unlink(missing_ok=True)
        return True


def _death_signal(end: signal.Signals) -> tuple[str, ...]:
    # The parent's death reaches the child through the kernel: a setting that only Linux has, and setpriv can make.
    if sys.platform != "linux" or shutil.which("setpriv") is None:
        return ()
    return ("setpriv", "--pdeathsig", end.name.removeprefix("SIG"), "--")


def _opened(log: Path | None) -> AbstractContextManager[IO[bytes] | None]:
    if log is None:
        return nullcontext()
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(log.with_suffix(".old"))
    return log.open("ab")


def start(launch: Launch) -> Child:
    """Start a child, in a session of its own: a Ctrl-C reaches the parent alone, which ends its children in order.

    The kernel takes the death of the *thread* that starts it for the death of the parent, so start from one that stays.
    """
    with _opened(launch.log) as log:
        log_start = 0 if log is None else log.tell()
        process = subprocess.Popen(
            [*launch.prefix, *_death_signal(launch.end), *launch.command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=launch.folder,
            env=launch.environment,
            pass_fds=launch.inherited,
            start_new_session=True,
        )
    try:
        note = {"pid": process.pid, "started": psutil.Process(process.pid).create_time(), "program": launch.command[0]}
        launch.pid_file.write_text(json.dumps(note))
    except (OSError, psutil.NoSuchProcess):
        process.kill()
        process.wait()
        raise
    return Child(launch, process, log_start)


def server_environment() -> dict[str, str]:
    """What an embedded server gets of a person's environment: what programs need to run, and nothing secret. Its
    messages are read, so they are in English."""
    kept = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"LC_ALL": "C"}


def leftover(pid_file: Path) -> psutil.Process | None:
    """The process that a killed parent left behind, if it still runs and is beyond doubt the one."""
    try:
        note = json.loads(pid_file.read_text())
        process = psutil.Process(note["pid"])
        same_start = abs(process.create_time() - note["started"]) < CLOCK_TOLERANCE_SECONDS
        same_program = note["program"] in process.cmdline()
    except (FileNotFoundError, ValueError, TypeError, KeyError, psutil.NoSuchProcess, psutil.AccessDenied):
        # Also a note that somebody else has written, or half of one.
        return None
    return process if same_start and same_program else None


def end(process: psutil.Process, polite: signal.Signals, seconds: float) -> None:
    """End a process that is no child of this one."""
    with suppress(psutil.NoSuchProcess):
        process.send_signal(polite)
        try:
            process.wait(seconds)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait()


def end_leftover(pid_file: Path, polite: signal.Signals, seconds: float) -> bool:
    """End what a killed parent left behind; True if there was something."""
    process = leftover(pid_file)
    if process is not None:
        end(process, polite, seconds)
    pid_file.unlink(missing_ok=True)
    return process is not None
