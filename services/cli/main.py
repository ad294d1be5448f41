"""The command `bohnanza`. A subcommand's module is imported when it is run, so that the help appears at once."""

import errno
import importlib
import os
import sys
from typing import Final

import rich_click as click

from services.cli.failure import FAILED, Failure

COMMANDS: Final = {
    "up": "Start Postgres, Valkey and the API on this machine.",
    "api": "Serve the API alone, on servers that run elsewhere.",
    "migrate": "Bring the database's schema up to date.",
    "demo": "Let clients play whole games and re-check their histories.",
    "replay": "Step through a finished game in the terminal.",
    "verify": "Re-check finished games from their files.",
    "rules": "Print the editions that can be played.",
    "bench": "Measure and write bench.json.",
}
"""Each is the `command` of the module of that name beside this file."""


class Subcommands(click.RichGroup):
    """Knows its commands by name and summary until one is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """A summary, for the help."""
        summary = COMMANDS.get(cmd_name)
        return None if summary is None else click.RichCommand(name=cmd_name, help=summary)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command itself, to be run."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and command is not None:
            command = importlib.import_module(f"services.cli.{name}").command
        return name, command, rest


@click.group(cls=Subcommands)
@click.version_option(package_name="bohnanza")
def group() -> None:
    """A game backend for the card game Bohnanza."""


def main() -> None:
    """The entry point. A failure is told in plain lines, to be read in a log and found with grep."""
    try:
        group(prog_name="bohnanza")
    except Failure as failure:
        click.echo(failure, err=True)
        sys.exit(failure.exit_code)
    except OSError as error:
        if error.filename is not None or error.errno not in (errno.ENOSPC, errno.EIO):
            raise
        # What is full is where the output goes; it must not be tried again when the program ends.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the program ends
        click.echo(f"The output cannot be written: {error.strerror}.", err=True)
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
