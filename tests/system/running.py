"""`bohnanza up` as a person runs it: a process of its own, watched through what it prints and serves."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from infra.settings import PREFIX
from tests.servers import wait_until

READY = re.compile(r"Bohnanza is ready at (http://\S+)")
START_SECONDS = 60


class Running:
    """One run, its data in `folder`/data."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.output = folder / f"output-{time.monotonic_ns()}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        chosen = {f"{PREFIX}{name.upper()}": value for name, value in ({"port": "0"} | settings).items()}
        self.begun = time.monotonic()
        self.took = 0.0
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "services.cli.main", "up"],
                cwd=folder,
                env=environment | chosen,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        """What it printed so far."""
        return self.output.read_text()

    def ready(self) -> str:
        """The address, once it is announced."""
        wait_until(
            lambda: READY.search(self.text) is not None or self.process.poll() is not None, START_SECONDS, "it is ready"
        )
        announced = READY.search(self.text)
        assert announced is not None, self.text
        self.took = self.took or time.monotonic() - self.begun
        return announced[1]

    def says(self, words: str) -> None:
        """Waits until it has printed that."""
        wait_until(lambda: words in self.text, 20, f"it says {words!r}; it said {self.text!r}")

    def tree(self) -> list[psutil.Process]:
        """The processes below it."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def api(self) -> psutil.Process:
        """The one that serves."""
        (api,) = (child for child in self.tree() if "api" in child.cmdline())
        return api

    def ended(self, seconds: float = 30) -> int:
        """Its exit code."""
        return self.process.wait(seconds)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and wait."""
        self.process.send_signal(number)
        return self.ended()


@contextmanager
def up(folder: Path, **settings: str) -> Iterator[Running]:
    """Ended in any case, however the test ends."""
    running = Running(folder, **settings)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.terminate()
            try:
                running.process.wait(30)
            except subprocess.TimeoutExpired:
                running.process.kill()
                running.process.wait()


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; a zombie does not."""
    return [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


def call(method: str, url: str, body: object = None, token: str = "") -> tuple[int, Any]:
    """One request; its status and the JSON that came back."""
    where = urlsplit(url)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with closing(http.client.HTTPConnection(where.netloc, timeout=20)) as connection:
        connection.request(method, where.path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
