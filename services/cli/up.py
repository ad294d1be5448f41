"""`bohnanza up`: Postgres, Valkey and the API as one process tree on this machine.

This process starts them in order, watches them, and ends them in reverse order. Nothing outlives it, and what a kill
left behind all the same is ended by the next start.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

import rich_click as click
from rich.console import Console

from infra.embedded.failures import ServerFailed
from infra.embedded.lock import FolderLock
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.server import EmbeddedServer
from infra.embedded.valkey import EmbeddedValkey
from infra.kept_key import KeyRefused
from infra.settings import Settings
from infra.signing import kept_signing_keys
from services.cli.failure import WRONG_SETTINGS, Failure, explained, settings
from services.cli.listening import address, listen
from services.cli.migrate import migrated
from services.cli.signals import Signals
from services.cli.supervised import SupervisedApi, end_leftover_api
from services.identity.keys import kept_keys

WATCH_SECONDS: Final = 1.0
START_POLL_SECONDS: Final = 0.05
READY_SECONDS: Final = 60.0
MOST_RESTARTS: Final = 8
"""Of Valkey in one run."""


@dataclass(frozen=True, slots=True)
class Database:
    """Where the tables are: for their owner, and for the API once they are up to date."""

    owner_url: str
    api_url: Callable[[], str]


class Up:
    """One run, from start to end."""

    def __init__(self, chosen: Settings, console: Console, signals: Signals) -> None:
        self.settings = chosen
        self.console = console
        self.signals = signals
        self.servers: list[EmbeddedServer] = []
        self.valkey_restarts = 0

    def say(self, text: str) -> None:
        """One line, never broken: addresses are copied from it."""
        self.console.print(text, soft_wrap=True, highlight=False)

    def run(self) -> None:
        """Until a signal ends it; a Failure if something else does."""
        self.settings.data_dir.mkdir(parents=True, exist_ok=True)
        # Keys, passwords and people's games: wherever the folder is, they are not to be committed by mistake.
        (self.settings.data_dir / ".gitignore").write_text("*\n")
        with ExitStack() as ending:
            lock = FolderLock(self.settings.data_dir)
            lock.acquire()
            ending.callback(lock.release)
            self._look_at_keys()
            end_leftover_api(self.settings)
            listening = ending.enter_context(listen(self.settings.host, self.settings.port))
            database = self._database(ending)
            redis_url = self._redis_url(ending)
            if self.signals.ending:
                return
            migrated(database.owner_url)
            api = SupervisedApi(self.settings, listening, database.api_url(), redis_url)
            ending.callback(api.stop)
            # Last in, first out: clients are refused before the API ends, instead of waiting for nobody.
            ending.callback(listening.close)
            api.start()
            self._watch(api)
            self.say("Ending: what was begun is answered, then everything stops.")

    def _look_at_keys(self) -> None:
        """Before anything is started: the API would refuse bad ones only then."""
        try:
            if self.settings.token_keys is None:
                kept_keys(self.settings.data_dir)
            if self.settings.signing_keys is None:
                kept_signing_keys(self.settings.data_dir)
        except KeyRefused as error:
            raise Failure(str(error), WRONG_SETTINGS) from None

    def _database(self, ending: ExitStack) -> Database:
        given, owner = self.settings.database_url, self.settings.owner_database_url
        if given is None or owner is None:
            postgres = EmbeddedPostgres(self.settings.data_dir, self.settings.postgres_port)
            self._start(postgres, ending)
            return Database(postgres.url, postgres.api_login)
        return Database(owner.get_secret_value(), given.get_secret_value)

    def _redis_url(self, ending: ExitStack) -> str:
        given = self.settings.redis_url
        if given is None:
            valkey = EmbeddedValkey(self.settings.data_dir, self.settings.valkey_port)
            self._start(valkey, ending)
            return valkey.url
        return given.get_secret_value()

    def _start(self, server: EmbeddedServer, ending: ExitStack) -> None:
        server.start()
        ending.callback(server.stop)
        self.servers.append(server)

    def _watch(self, api: SupervisedApi) -> None:
        announced = False
        latest = time.monotonic() + READY_SECONDS
        while not self.signals.ending:
            for server in self.servers:
                ended = server.ended()
                if ended is not None:
                    self._again_or_end(server, ended)
            told = api.look()
            if told is not None:
                self.say(told)
            if api.ready and not announced:
                announced = True
                self._announce(address(api.listening))
            if not announced and time.monotonic() > latest:
                message = f"The API was not ready within {READY_SECONDS:.0f} seconds: {api.unready}."
                raise Failure(message)
            self.signals.wait(WATCH_SECONDS if api.ready else START_POLL_SECONDS)

    def _again_or_end(self, server: EmbeddedServer, ended: ServerFailed) -> None:
        """Valkey carries hints, and play goes on without it until it is back. Without Postgres nothing goes on."""
        if not isinstance(server, EmbeddedValkey) or self.valkey_restarts == MOST_RESTARTS:
            raise ended
        self.valkey_restarts += 1
        self.say(f"Valkey ended by itself. Starting it again (restart {self.valkey_restarts}).")
        server.restart()

    def _announce(self, where: str) -> None:
        self.say("")
        self.say(f"[bold green]Bohnanza is ready at[/] [bold]{where}[/]")
        self.say(f"  how to call it   {where}/schema")
        self.say(f"  check a game     {where}/verify")
        self.say(
            f"  what it keeps    {self.settings.data_dir}",
        )
        self.say("  end it with      Ctrl-C")
        self.say("")


@click.command("up", cls=click.RichCommand)
def command() -> None:
    """Start Postgres, Valkey and the API on this machine."""
    chosen = settings()
    with explained(), Signals() as signals:
        Up(chosen, Console(), signals).run()
