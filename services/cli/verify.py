"""`bohnanza verify`: re-checks games, from their files with nothing but the files, or as they lie in the database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from domain.anchors import Anchor
from infra.clock import SystemClock
from infra.identifiers import is_identifier
from services.audit.files import Heard, check_file
from services.audit.jwks import MOST_BYTES, KeysUnreadable, trusted_keys
from services.audit.kept import Kept
from services.audit.proofs import AnchorsUnreadable, anchor_check, anchors_in, proof_in
from services.audit.signatures import signature_of
from services.cli.failure import FAILED, WRONG_SETTINGS, Failure
from services.cli.verdicts import show
from services.cli.verify_database import Wanted, verify_database
from services.screen.harmless import harmless

LONG_FILE: Final = 8_000_000
"""Bytes from which on it takes long enough to show how far it is."""

T = TypeVar("T")
_File = click.Path(path_type=Path)


def _ids(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        if not is_identifier(value):
            raise click.BadParameter(f"{value!r} is no id of a game.")
    return values


@click.command("verify", cls=click.RichCommand)
@click.argument("files", nargs=-1, type=_File, metavar="[FILE]...")
@click.option("--keys", type=_File, help="The keys that you trust: an answer of GET /v1/keys.")
@click.option("--audit", type=_File, help="An answer of GET /v1/games/{id}/audit: is FILE in the anchor of its day?")
@click.option(
    "--kept",
    type=_File,
    multiple=True,
    help="With --audit, --all or --anchors: anchors that you kept, from GET /v1/anchors. May be given several times.",
)
@click.option(
    "--present",
    type=_File,
    multiple=True,
    help="With --audit and --kept: the anchors of today, where you kept later ones than that of FILE. As --kept.",
)
@click.option(
    "--game", "games", multiple=True, metavar="ID", callback=_ids, help="A game in the database, be it running."
)
@click.option("--all", "everything", is_flag=True, help="All games in the database, and its anchors.")
@click.option("--anchors", is_flag=True, help="All anchors in the database, and whether every game is in one.")
def command(
    *,
    files: tuple[Path, ...],
    keys: Path | None,
    audit: Path | None,
    kept: tuple[Path, ...],
    present: tuple[Path, ...],
    games: tuple[str, ...],
    everything: bool,
    anchors: bool,
) -> None:
    """Re-check games: chain, signature, commitment, every shuffle, every move, every coin, the end and the ranking.

    FILE is an export of a game (- is the standard input); it needs no server, no database and no network. The database
    is that of BOHNANZA_DATABASE_URL, or of `bohnanza up` while that runs here; in it the rows are held against the
    events, too. The exit code is 0 only if all is right, 1 if something is wrong or cannot be told yet, and 2 if
    something could not be read.
    """
    console = Console()
    in_database = bool(games) or everything or anchors
    if bool(files) == in_database:
        raise click.UsageError("Name files, or say what in the database (--game, --all, --anchors), and not both.")
    anchors = anchors or everything
    if kept and audit is None and not anchors:
        raise click.UsageError("--kept needs --audit, --all or --anchors: a file by itself does not tell its anchor.")
    if present and (audit is None or not kept):
        raise click.UsageError("--present needs --audit and --kept: anchors of today are only worth what was kept.")
    if audit is not None and len(files) != 1:
        raise click.UsageError("--audit belongs to one game: name one file.")
    trusted = None if keys is None else read(keys, trusted_keys)
    noted = _all_of(kept)
    if in_database:
        right = verify_database(Wanted(games, everything, anchors, noted), trusted, console)
    else:
        right = _verify_files(files, trusted, audit, Kept(noted, _all_of(present)) if kept else None, console)
    if not right:
        raise SystemExit(FAILED)


def _verify_files(
    files: tuple[Path, ...], trusted: list[str] | None, audit: Path | None, kept: Kept | None, console: Console
) -> bool:
    of = signature_of(trusted)
    proof = None if audit is None else read(audit, proof_in)
    wrong = unread = 0
    for path in files:
        try:
            with _progress(path, console) as heard:
                verdict = check_file(Path("/dev/stdin") if str(path) == "-" else path, of, heard)
        except OSError as error:
            unread += 1
            click.echo(f"{harmless(str(path))}: {error.strerror}", err=True)
            continue
        if audit is not None and verdict.head is not None:
            check = anchor_check(bytes.fromhex(verdict.head), verdict.ended_at, proof, of, kept, SystemClock().now())
            verdict = msgspec.structs.replace(verdict, checks=[*verdict.checks, check])
        wrong += not verdict.ok
        show(str(path), verdict, console)
    if len(files) > 1:
        console.print(f"{len(files) - wrong - unread} of {len(files)} files are right.", highlight=False)
    if unread and not wrong:
        raise Failure("Not every file could be read.", WRONG_SETTINGS)
    return not wrong


def _all_of(paths: tuple[Path, ...]) -> list[Anchor]:
    """The anchors in all of them. A Failure where there is none: nothing could be held against that."""
    found: list[Anchor] = []
    for path in paths:
        anchors = read(path, anchors_in)
        if not anchors:
            raise Failure(f"{path}: There is no anchor in it.")
        found += anchors
    return found


def read(path: Path, reader: Callable[[bytes], T]) -> T:
    """What that file holds; a Failure if it is not that, or cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise Failure(f"{path}: It has more than {MOST_BYTES:,} bytes, as no answer of the server has.")
        return reader(content)
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from error
    except (KeysUnreadable, AnchorsUnreadable) as error:
        raise Failure(f"{path}: {error}") from None


@contextmanager
def _progress(path: Path, console: Console) -> Iterator[Heard]:
    size = 0
    # Whatever is wrong with the file, the check tells.
    with suppress(OSError):
        size = path.stat().st_size
    if size < LONG_FILE or not console.is_terminal:
        yield lambda _: None
        return
    with Progress(TextColumn(path.name), BarColumn(), DownloadColumn(), console=console, transient=True) as progress:
        task = progress.add_task("", total=size)
        yield lambda read: progress.update(task, completed=read)
