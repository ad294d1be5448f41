"""`bohnanza replay GAME|FILE`: steps through a finished game in the terminal."""

import asyncio
import io
import sys
from math import isfinite
from pathlib import Path
from typing import Final
from uuid import UUID

import rich_click as click
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from domain.replay import Viewpoint
from infra.settings import Settings
from services.cli.failure import FAILED, SIGNALLED, Failure, settings
from services.cli.server_option import checked_url
from services.screen.download import download
from services.screen.frame import happened, place, step_at
from services.screen.harmless import harmless
from services.screen.lines import lines
from services.screen.playback import FASTEST, SLOWEST, Pace, Playback
from services.screen.player import play
from services.screen.reading import LARGEST, read, read_file
from services.screen.recording import NotPlayable, Recording
from services.screen.timeline import Timeline
from services.screen.viewer import viewer_named

LONGEST_TOKEN: Final = 8192


def _speed(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    # NaN is outside no range.
    if not isfinite(value):
        raise click.BadParameter(f"{value} is no speed.")
    return value


@click.command("replay", cls=click.RichCommand)
@click.argument("source", metavar="GAME|FILE")
@click.option("--as", "viewer", default="all", show_default=True, help="Who looks: a seat's number, spectator, or all.")
@click.option("--version", "version", type=click.IntRange(min=1), help="Print the table after that event, and end.")
@click.option("--list", "listing", is_flag=True, help="Print a line for each event, and end.")
@click.option(
    "--speed",
    type=click.FloatRange(SLOWEST, FASTEST),
    callback=_speed,
    default=1.0,
    show_default=True,
    help="How fast it plays by itself.",
)
@click.option(
    "--pace",
    type=click.Choice(["real", "fixed"]),
    default="real",
    show_default=True,
    help="Pauses as long as was thought (within bounds), or all the same.",
)
@click.option(
    "--url",
    callback=checked_url,
    help="The server that has the GAME; by default the one at BOHNANZA_HOST and BOHNANZA_PORT.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="A file with a player's access token, for a private GAME.",
)
def command(
    *,
    source: str,
    viewer: str,
    version: int | None,
    listing: bool,
    speed: float,
    pace: Pace,
    url: str | None,
    token_file: Path | None,
) -> None:
    """Step through a finished game: on and back, from turn to turn and from trade to trade, or let it
    play by itself.

    FILE is an export of a game, and all that is needed: no server and no database. GAME is the id of a game whose
    export is fetched from a server. Press ? for the keys. Where there is no terminal, every event is a line.

    As a seat, or as a spectator, you see what they saw while the game went on; as `all` every hand and the deck.
    """
    if listing and version is not None:
        raise click.UsageError("--list prints every event and --version one table: choose.")
    try:
        recording = _recording(source, url, token_file)
    except NotPlayable as error:
        raise Failure(str(error)) from None
    timeline = Timeline(recording)
    looking = _viewer(viewer, timeline)
    _take_any_sign(sys.stdout)
    console = Console(highlight=False)
    if version is not None:
        _show(timeline, version, looking, console)
    elif listing or not _is_interactive(console):
        for line in lines(timeline, looking):
            click.echo(line)
    else:
        playback = Playback(timeline, viewer=looking, speed=speed, pace=pace)
        ended_by = play(playback, console, sys.stdin.fileno())
        if ended_by is not None:
            raise SystemExit(SIGNALLED + ended_by)


def _recording(source: str, url: str | None, token_file: Path | None) -> Recording:
    """From the file of that name, or if there is none and it is the id of a game, from the server. NotPlayable."""
    game = _game(source)
    if game is None or Path(source).exists():
        return read_file(Path(source))
    token = None if token_file is None else _token(token_file)
    url = url or _own_server()
    click.echo(f"Fetching {game} from {url} …", err=True)
    fetched = asyncio.run(download(url, game, token, LARGEST))
    return replace(read(fetched.content, f"The record of {game}"), names=fetched.names)


def _own_server() -> str:
    """Where the settings have a server of this machine listen."""
    chosen = settings()
    host = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
    return f"http://{host}:{chosen.port or Settings.model_fields['port'].default}"


def _game(source: str) -> str | None:
    try:
        return str(UUID(source))
    except ValueError:
        return None


def _token(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_TOKEN + 1)
    except OSError as error:
        raise Failure(f"{harmless(str(path))}: {error.strerror or error}") from error
    # What is in the file may be a secret of another kind: it is not shown.
    token = content.decode("ascii", errors="replace").strip()
    if len(content) > LONGEST_TOKEN or not token.isascii() or not token.isprintable() or not token or " " in token:
        raise Failure(f"{harmless(str(path))}: not an access token and nothing else.")
    return token


def _viewer(text: str, timeline: Timeline) -> Viewpoint:
    try:
        return viewer_named(text, timeline.seats)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--as") from None


def _show(timeline: Timeline, version: int, viewer: Viewpoint, console: Console) -> None:
    if version > timeline.last:
        message = f"There is no version {version} here: they run from 1 to {timeline.last}."
        raise Failure(message, FAILED)
    console.print(step_at(timeline, version, viewer))
    console.print(Text(happened(timeline, version, viewer), "bold"))
    console.print(place(timeline, version))


def _is_interactive(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal and sys.stdout.isatty() and sys.stdin.isatty()


def _take_any_sign(stream: object) -> None:
    """A terminal that lacks a sign shows another in its place, and nothing stops."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
