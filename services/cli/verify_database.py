"""The database part of `bohnanza verify`: one game after the other as it lies there, and the anchors."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from domain.anchors import Anchor
from infra.clock import SystemClock
from infra.embedded.postgres import EmbeddedPostgres
from infra.event_store import StoreFault, StoreUnavailable
from infra.kept_key import KeyRefused
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.inspection import Inspection
from infra.postgres.pool import Database
from infra.settings import Settings
from infra.signing import KEY_FILE, kept_signing_keys, parse_signing_keys
from services.audit.anchor_chain import AnchorAudit
from services.audit.database import DatabaseAudit
from services.cli.failure import WRONG_SETTINGS, Failure, settings
from services.cli.verdicts import show, show_check

PATIENCE: Final = 60.0
"""Seconds for one statement: nobody plays here, and the tables may be large."""

TOLD_EVERY: Final = 10_000
"""Games, where there is no terminal to draw on."""


class Wanted(Struct, frozen=True):
    """What is to be verified. `kept`: anchors that were noted before."""

    games: tuple[str, ...]
    everything: bool
    anchors: bool
    kept: Sequence[Anchor]


def verify_database(wanted: Wanted, trusted: Sequence[str] | None, console: Console) -> bool:
    """Show what is wrong, and whether all is right. A Failure when the database cannot be read."""
    chosen = settings()
    address = _address(chosen)
    keys = _own_keys(chosen) if trusted is None else trusted
    try:
        return asyncio.run(_verified(address, wanted, keys, console))
    except StoreUnavailable as error:
        raise Failure(f"The database cannot be reached ({error}).") from error
    except StoreFault as error:
        raise Failure(f"The database cannot be read ({error}); `bohnanza migrate --check` tells more.") from error


async def _verified(url: str, wanted: Wanted, keys: Sequence[str], console: Console) -> bool:
    async with _opened(url) as database:
        inspection = Inspection(database)
        games = DatabaseAudit(inspection, keys, SystemClock())
        right = True
        for game in wanted.games:
            verdict = await games.game(game)
            show(f"Game {game}", verdict, console)
            right &= verdict.ok
        if wanted.everything:
            right &= await _all_games(games, console)
        if wanted.anchors:
            anchors = AnchorAudit(inspection, PostgresAnchorStore(database), keys, SystemClock())
            right &= await _anchors(anchors, wanted.kept, console)
        return right


async def _all_games(games: DatabaseAudit, console: Console) -> bool:
    count = events = wrong = 0
    began = time.monotonic()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Looking for games")
        async for verdict in games.games():
            count += 1
            events += verdict.events
            if not verdict.ok:
                wrong += 1
                show(f"Game {verdict.game}", verdict, console)
            progress.update(task, description=f"{count:,} games, {events:,} events, {wrong:,} not right")
            if not console.is_terminal and count % TOLD_EVERY == 0:
                console.print(f"{count:,} games so far, {wrong:,} not right", highlight=False)
    seconds = time.monotonic() - began
    console.print(
        f"{count - wrong:,} of {count:,} games are right, {events:,} events in {seconds:.1f} s.", highlight=False
    )
    return not wrong


async def _anchors(anchors: AnchorAudit, kept: Sequence[Anchor], console: Console) -> bool:
    count = wrong = 0
    async for check in anchors.checks(kept):
        count += 1
        if not check.ok:
            wrong += 1
            show_check(check, console)
    console.print(f"{count - wrong:,} of {count:,} checks of the anchors are right.", highlight=False)
    return not wrong


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url, size=2, patience=PATIENCE, application_name="bohnanza-verify")
    try:
        yield database
    finally:
        await database.close()


def _address(chosen: Settings) -> str:
    if chosen.database_url is not None:
        return chosen.database_url.get_secret_value()
    running = EmbeddedPostgres(chosen.data_dir, chosen.postgres_port).running_login()
    if running is None:
        raise Failure(
            f"No database: set BOHNANZA_DATABASE_URL, or have `bohnanza up` run on {chosen.data_dir}.", WRONG_SETTINGS
        )
    return running


def _own_keys(chosen: Settings) -> list[str]:
    """Those with which this deployment signs. Looking for them must not make any."""
    try:
        if chosen.signing_keys is not None:
            return parse_signing_keys(chosen.signing_keys.get_secret_value()).public
        if (chosen.data_dir / KEY_FILE).exists():
            return kept_signing_keys(chosen.data_dir).public
    except KeyRefused as error:
        raise Failure(str(error), WRONG_SETTINGS) from None
    raise Failure("No keys to trust: name them by --keys, or set BOHNANZA_SIGNING_KEYS.", WRONG_SETTINGS)
