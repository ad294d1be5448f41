"""`bohnanza verify`: re-checks finished games from their files, with nothing but the files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from domain.audit import NOT_REACHED, Check
from services.audit.files import Heard, Verdict, check_file
from services.audit.jwks import MOST_BYTES, KeysUnreadable, trusted_keys
from services.audit.proofs import AnchorsUnreadable, anchor_check, anchors_in, proof_in
from services.audit.signatures import signature_of
from services.cli.failure import FAILED, Failure

LONG_FILE: Final = 8_000_000
"""Bytes from which on it takes long enough to show how far it is."""

T = TypeVar("T")
_File = click.Path(path_type=Path)


@click.command("verify", cls=click.RichCommand)
@click.argument("files", nargs=-1, required=True, type=_File, metavar="FILE...")
@click.option("--keys", type=_File, help="The keys that you trust: an answer of GET /v1/keys.")
@click.option("--audit", type=_File, help="An answer of GET /v1/games/{id}/audit: is the game in its anchor?")
@click.option("--kept", type=_File, help="With --audit: anchors that you kept, an answer of GET /v1/anchors.")
def command(*, files: tuple[Path, ...], keys: Path | None, audit: Path | None, kept: Path | None) -> None:
    """Re-check finished games: chain, signature, commitment, every shuffle, every move, every coin, the end and the
    ranking.

    FILE is an export of a game. Needs no server, no database and no network. The exit code is 0 only if all is right.
    """
    console = Console()
    if kept is not None and audit is None:
        raise click.UsageError("--kept needs --audit: only the proof in it leads from a game to its anchor.")
    if audit is not None and len(files) > 1:
        raise click.UsageError("--audit belongs to one game: name one file.")
    of = signature_of(None if keys is None else read(keys, trusted_keys))
    proof = None if audit is None else read(audit, proof_in)
    noted = None if kept is None else read(kept, anchors_in)
    verdicts = []
    for path in files:
        with _progress(path, console) as heard:
            verdict = check_file(path, of, heard)
        if audit is not None and verdict.head is not None:
            check = anchor_check(bytes.fromhex(verdict.head), proof, of, noted)
            verdict = msgspec.structs.replace(verdict, checks=[*verdict.checks, check])
        verdicts.append(verdict)
        show(str(path), verdict, console)
    wrong = sum(not verdict.ok for verdict in verdicts)
    if len(files) > 1:
        console.print(f"{len(files) - wrong} of {len(files)} files are right.", highlight=False)
    if wrong:
        raise SystemExit(FAILED)


def read(path: Path, reader: Callable[[bytes], T]) -> T:
    """What that file holds; a Failure if it is not that, or cannot be read."""
    try:
        with path.open("rb") as file:
            return reader(file.read(MOST_BYTES))
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error
    except (KeysUnreadable, AnchorsUnreadable) as error:
        raise Failure(f"{path}: {error}") from None


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
def _progress(path: Path, console: Console) -> Iterator[Heard]:
    size = path.stat().st_size if path.is_file() else 0
    if size < LONG_FILE or not console.is_terminal:
        yield lambda _: None
        return
    with Progress(TextColumn(path.name), BarColumn(), DownloadColumn(), console=console, transient=True) as progress:
        task = progress.add_task("", total=size)
        yield lambda read: progress.update(task, completed=read)
