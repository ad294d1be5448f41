"""The API as a child process that is started again when it dies: counted, told, and not for ever."""

import http.client
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from infra.embedded.processes import Child, Launch, end_leftover, start
from infra.settings import PREFIX, Settings
from services.cli.failure import Failure
from services.cli.listening import address

OWNER_SETTING: Final = f"{PREFIX}MIGRATE_DATABASE_URL"
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 10.0
STABLE_SECONDS: Final = 60.0
"""After that long without a death, earlier ones no longer count."""

MOST_DEATHS: Final = 8
PROBE_SECONDS: Final = 3.0
"""Longer than the API lets one of its own checks take: what failed is to be heard."""

NO_ANSWER: Final = "it does not answer"
FORCED_SECONDS: Final = 5.0
"""What the API gets beyond its own limit for answering what was begun."""


class SupervisedApi:
    """Serves on a socket that this process holds open: while the API is away, new clients wait instead of failing."""

    def __init__(self, settings: Settings, listening: socket.socket, database_url: str, redis_url: str) -> None:
        self.settings = settings
        self.listening = listening
        self.restarts = 0
        self.ready = False
        self.unready = NO_ANSWER
        self._deaths = 0
        self._started = 0.0
        self._again: float | None = None
        self._child: Child | None = None
        self._pid_file = pid_file(settings.data_dir)
        # The owner of the tables is none of its business.
        inherited = {name: value for name, value in os.environ.items() if name.upper() != OWNER_SETTING}
        self._environment = inherited | {
            f"{PREFIX}DATA_DIR": str(settings.data_dir),
            f"{PREFIX}DATABASE_URL": database_url,
            f"{PREFIX}REDIS_URL": redis_url,
        }

    def start(self) -> None:
        """Start the process; it is `ready` later."""
        descriptor = self.listening.fileno()
        self.ready = False
        self._again = None
        self._started = time.monotonic()
        self._child = start(
            Launch(
                name="The API",
                # -P: a folder that happens to be the current one must not shadow a package of the program.
                command=[sys.executable, "-P", "-m", "services.cli.main", "api", "--socket", str(descriptor)],
                folder=self.settings.data_dir,
                pid_file=self._pid_file,
                end=signal.SIGTERM,
                environment=self._environment,
                inherited=[descriptor],
            )
        )

    def look(self) -> str | None:
        """Notice what happened since the last look, and act on it. A sentence if there is something to tell.

        A Failure if it does not start at all, or dies again and again.
        """
        if self._again is not None:
            if time.monotonic() >= self._again:
                self.start()
            return None
        exit_code = None if self._child is None else self._child.exit_code
        if exit_code is not None:
            return self._died(exit_code)
        if self.ready or not self._probe():
            return None
        self.ready = True
        return "The API is ready again." if self.restarts else None

    def stop(self) -> None:
        """What was begun is answered first, within the time that the settings give."""
        if self._child is not None:
            self._child.stop(self.settings.shutdown_seconds + FORCED_SECONDS)
            self._child = None

    def _died(self, exit_code: int) -> str:
        how = f"with exit code {exit_code}" if exit_code >= 0 else f"by {signal.Signals(-exit_code).name}"
        if not self.ready and not self.restarts:
            message = f"The API ended {how} before it was ready."
            raise Failure(message)
        stable = time.monotonic() - self._started > STABLE_SECONDS
        self._deaths = 1 if stable else self._deaths + 1
        if self._deaths > MOST_DEATHS:
            message = f"The API ended {how}, for the {self._deaths}th time within a short while: giving up."
            raise Failure(message)
        self.ready = False
        self.restarts += 1
        pause = min(FIRST_PAUSE_SECONDS * 2 ** (self._deaths - 1), LONGEST_PAUSE_SECONDS)
        self._again = time.monotonic() + pause
        return f"The API ended {how}. Starting it again in {pause:.1f} s (restart {self.restarts})."

    def _probe(self) -> bool:
        where = urlsplit(address(self.listening))
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PROBE_SECONDS)
        try:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            self.unready = "" if answer.status == 200 else _failed_checks(answer.read())
        except (OSError, http.client.HTTPException):
            self.unready = NO_ANSWER
        finally:
            connection.close()
        return not self.unready


def _failed_checks(problem: bytes) -> str:
    """What the API says that it waits for."""
    try:
        return "; ".join(f"{check['path']} {check['message']}" for check in json.loads(problem)["errors"])
    except (ValueError, LookupError, TypeError):
        return "its answer makes no sense"


def pid_file(data_dir: Path) -> Path:
    """Where the process is noted."""
    return data_dir / "api.pid"


def end_leftover_api(settings: Settings) -> None:
    """End an API that a killed parent left behind: it would serve on, with a database about to be restarted."""
    end_leftover(pid_file(settings.data_dir), signal.SIGTERM, settings.shutdown_seconds + FORCED_SECONDS)
