"""`bohnanza demo`: clients play whole games over HTTP and re-check all that they were told."""

import asyncio
import random
import signal
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Final

import rich_click as click
from rich.console import Console

from domain.events import Options
from domain.rulesets import RULESETS, table_for
from services.cli.failure import FAILED, SIGNALLED, Failure, explained
from services.cli.server_option import checked_url
from services.client.errors import GaveUp, Problem, Unreadable
from services.demo.last_act import last_act
from services.demo.own_server import own_server
from services.demo.report import show_summary
from services.demo.run import Wish, run

MOST_GAMES: Final = 10_000
LARGEST_SEED: Final = 2**32 - 1


@click.command("demo", cls=click.RichCommand)
@click.option("--players", default=4, show_default=True, help="Clients at each table.")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=1, show_default=True, help="Games to play.")
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="The players throw the same dice again.")
@click.option("--url", callback=checked_url, help="A running server; without it the demo starts its own.")
@click.option("--ruleset", type=click.Choice(list(RULESETS)), default="classic", show_default=True, help="The edition.")
@click.option(
    "--duel-fields", type=int, help="The printing of the game for two: 2 fields and a third for sale (default), or 3."
)
@click.option("--browser/--no-browser", default=True, help="Check the last game's file in headless Chromium, too.")
def command(
    *,
    players: int,
    games: int,
    seed: int | None,
    url: str | None,
    ruleset: str,
    duel_fields: int | None,
    browser: bool,
) -> None:
    """Let clients play whole games and re-check their histories.

    In the end a finished game is checked once more from its file alone, by `bohnanza verify` and by the server's page
    for that; then with one byte changed, which both must find. Exit code 0 only if every view, event, shuffle, coin,
    command and file was right.
    """
    options = Options() if duel_fields is None else Options(duel_fields=duel_fields)
    try:
        table_for(ruleset, players, options)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    dice = random.SystemRandom().randrange(LARGEST_SEED + 1) if seed is None else seed
    console = Console()
    ended_by = signal.SIGINT

    def end(number: int, frame: FrameType | None) -> None:
        # From here on as if it were Ctrl-C, also where a shell has that ignored: one way out, everything put away.
        nonlocal ended_by
        ended_by = signal.Signals(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if not callable(interrupt):
            raise KeyboardInterrupt
        interrupt(signal.SIGINT, frame)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with explained(), _server(url, console) as address:
            console.print(f"Playing at {address} with --seed {dice}", soft_wrap=True, highlight=False)
            given = asyncio.run(run(Wish(address, players, games, ruleset, options, dice), console))
            right = given.right
            finished = given.played[-1].game
            if right and finished is not None:
                # Where the file is changed is no secret.
                right = last_act(address, finished, random.Random(dice), console, browser=browser)  # noqa: S311
            show_summary(given.played, given.seconds, console, right=right)
    except KeyboardInterrupt:
        raise Failure("Ended before all games were.", SIGNALLED + ended_by) from None
    except (GaveUp, Problem, Unreadable) as error:
        raise Failure(f"There is nobody to play with: {error}") from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if not right:
        raise SystemExit(FAILED)


def _server(url: str | None, console: Console) -> AbstractContextManager[str]:
    if url is not None:
        return nullcontext(url)
    console.print("Starting a server for this demo …", highlight=False)
    return own_server()
