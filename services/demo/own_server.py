"""A server for this demo alone: what `bohnanza up` starts, on a free port and in a folder that is gone afterwards."""

import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from infra.embedded.processes import Launch, start
from infra.settings import PREFIX

START_SECONDS: Final = 90.0
STOP_SECONDS: Final = 60.0

_READY: Final = re.compile(r"ready at (http://\S+)")


@contextmanager
def own_server() -> Iterator[str]:
    """Its address. ServerFailed says why there is none."""
    with tempfile.TemporaryDirectory(prefix="bohnanza-demo-") as folder:
        home = Path(folder)
        log = home / "up.log"
        # No setting of the person who runs the demo: his database is not for playing with.
        environment = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
        server = start(
            Launch(
                name="The server of the demo",
                command=[sys.executable, "-P", "-m", "services.cli.main", "up"],
                folder=home,
                pid_file=home / "up.pid",
                end=signal.SIGTERM,
                log=log,
                environment=environment | {f"{PREFIX}DATA_DIR": str(home / "data"), f"{PREFIX}PORT": "0"},
            )
        )
        try:
            server.wait_until(lambda: _address(log) is not None, START_SECONDS)
            yield _address(log) or ""
        finally:
            server.stop(STOP_SECONDS)


def _address(log: Path) -> str | None:
    found = _READY.search(log.read_text(errors="replace"))
    return None if found is None else found[1]
