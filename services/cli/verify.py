"""`bohnanza verify`: re-checks finished games from their files, with nothing but the files."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from domain.audit import NOT_REACHED, Check
from services.audit.files import Heard, Verdict, check_file
from services.audit.jwks import MOST_BYTES, KeysUnreadable, trusted_keys
from services.audit.signatures import signature_of
from services.cli.failure import FAILED, Failure

LONG_FILE: Final = 8_000_000
"""Bytes from which on it takes long enough to show how far it is."""

_File = click.Path(path_type=Path)


@click.command("verify", cls=click.RichCommand)
@click.argument("files", nargs=-1, required=True, type=_File, metavar="FILE...")
@click.option("--keys", type=_File, help="The keys that you trust: an answer of GET /v1/keys.")
def command(*, files: tuple[Path, ...], keys: Path | None) -> None:
    """Re-check finished games: chain, signature, commitment, every shuffle, every move, every coin, the end and the
    ranking.

    FILE is an export of a game. Needs no server, no database and no network. The exit code is 0 only if all is right.
    """
    console = Console()
    of = signature_of(None if keys is None else trusted(keys))
    verdicts = []
    for path in files:
        with _progress(path, console) as heard, _readable(path):
            verdicts.append(check_file(path, of, heard))
        show(str(path), verdicts[-1], console)
    wrong = sum(not verdict.ok for verdict in verdicts)
    if len(files) > 1:
        console.print(f"{len(files) - wrong} of {len(files)} files are right.", highlight=False)
    if wrong:
        raise SystemExit(FAILED)


def trusted(keys: Path) -> list[str]:
    """The ids of the keys in that file; a Failure if there are none."""
    with _readable(keys), keys.open("rb") as file:
        try:
            return trusted_keys(file.read(MOST_BYTES))
        except KeysUnreadable as error:
            raise Failure(f"{keys}: {error}") from None


def show(name: str, verdict: Verdict, console: Console) -> None:
    """What was found, check by check."""
    console.print(Text(name, "bold"), soft_wrap=True)
    if verdict.game is not None:
        console.print(Text(f"  game {verdict.game}, {verdict.events} events", "dim"), soft_wrap=True)
    for check in verdict.checks:
        console.print(_line(check), soft_wrap=True)
    console.print(Text("  All is right.", "bold green") if verdict.ok else Text("  Not all is right.", "bold red"))


def _line(check: Check) -> Text:
    if check.ok:
        mark, style = "right", "green"
    elif check.detail.startswith(NOT_REACHED):
        mark, style = "-", "dim"
    else:
        mark, style = "WRONG", "bold red"
    # What stands in a file is other people's text: nothing in it is markup.
    return Text.assemble("  ", (f"{mark:5}", style), f"  {check.name:10}  {check.detail}")


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error


@contextmanager
def _progress(path: Path, console: Console) -> Iterator[Heard]:
    size = path.stat().st_size if path.is_file() else 0
    if size < LONG_FILE or not console.is_terminal:
        yield lambda _: None
        return
    with Progress(TextColumn(path.name), BarColumn(), DownloadColumn(), console=console, transient=True) as progress:
        task = progress.add_task("", total=size)
        yield lambda read: progress.update(task, completed=read)
