"""`bohnanza migrate`: the schema of the database, brought up to date or only looked at."""

from typing import Final

import asyncpg
import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from infra.event_store import StoreUnavailable
from infra.postgres.migrate import DESCRIBED, SchemaTooNew, check, upgrade
from services.cli.failure import FAILED, WRONG_SETTINGS, Failure, settings

UNREACHABLE: Final = (
    StoreUnavailable,
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    SQLAlchemyError,
)


def _reason(error: BaseException) -> str:
    # SQLAlchemy puts the statement and a link around what the server said.
    original = getattr(error, "orig", None) or error
    return str(original) or type(original).__name__


def migrated(url: str) -> None:
    """Apply what is missing; a Failure says why that was not possible."""
    try:
        upgrade(url)
    except SchemaTooNew as error:
        raise Failure(str(error)) from error
    except UNREACHABLE as error:
        message = f"The database could not be migrated: {_reason(error)}"
        raise Failure(message) from error


@click.command("migrate", cls=click.RichCommand)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; the exit code is 0 if it is up to date.")
def command(*, only_check: bool) -> None:
    """Bring the schema of the database up to date."""
    url = settings().owner_database_url
    if url is None:
        message = "BOHNANZA_DATABASE_URL: needed here (bohnanza up migrates its embedded database by itself)"
        raise Failure(message, WRONG_SETTINGS)
    if not only_check:
        migrated(url.get_secret_value())
    try:
        state = check(url.get_secret_value())
    except UNREACHABLE as error:
        message = f"The database could not be read: {_reason(error)}"
        raise Failure(message) from error
    click.echo(f"The schema is {DESCRIBED[state]}.")
    if state != "current":
        raise SystemExit(FAILED)
