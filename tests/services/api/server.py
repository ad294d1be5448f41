"""The API as it is run: a process of its own on a loopback port, over a real database."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

START_SECONDS = 30
STOP_SECONDS = 15


class ApiProcess:
    """One API process. `restart` gives the same database and the same keys to a new one. A `talkative` one logs all
    that the server below can log."""

    def __init__(self, database_url: str, data_dir: Path, *, talkative: bool = False, **settings: str) -> None:
        self._is_talkative = talkative
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BOHNANZA_")},
            "BOHNANZA_DATABASE_URL": database_url,
            "BOHNANZA_DATA_DIR": str(data_dir),
            **{f"BOHNANZA_{name.upper()}": value for name, value in settings.items()},
        }
        self._log_path = data_dir / "api.log"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """What the processes have logged so far."""
        return self._log_path.read_text()

    def start(self) -> None:
        """Returns when the process answers."""
        with self._log_path.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command(), str(self._listener.fileno())],
                env=self._environment,
                pass_fds=[self._listener.fileno()],
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                with urlopen(f"{self.url}/health/live", timeout=2) as answer:  # noqa: S310  # a loopback address
                    assert answer.status == 200
            except (URLError, TimeoutError):
                assert self._process.poll() is None, self.log
                assert time.monotonic() < until, self.log
                time.sleep(0.05)
            else:
                return

    def _command(self) -> list[str]:
        if not self._is_talkative:
            return [sys.executable, "-P", "-m", "services.cli.main", "api", "--socket"]
        served = ["--factory", "services.api.main:create", "--http", "services.api.protocol:HttpProtocol"]
        served += ["--ws", "services.api.protocol:SocketProtocol", "--log-level", "trace"]
        return [sys.executable, "-m", "uvicorn", *served, "--fd"]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """The exit code."""
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(STOP_SECONDS)
        self._process = None
        return code

    def kill(self) -> None:
        """Without a word to anybody."""
        self.stop(signal.SIGKILL)

    def restart(self, how: signal.Signals) -> None:
        """Another process in the place of this one."""
        self.stop(how)
        self.start()

    def close(self) -> None:
        """Ends what is left."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._listener.close()
