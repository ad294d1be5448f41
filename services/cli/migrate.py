"""`bohnanza migrate`: the schema of the database, brought up to date or only looked at."""

from typing import Final, assert_never

import asyncpg
import rich_click as click
from sqlalchemy.exc import SQLAlchemyError

from infra.postgres.migrate import SchemaState, SchemaTooNew, check, upgrade
from services.cli.failure import WRONG_SETTINGS, Failure, settings

UNREACHABLE: Final = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, SQLAlchemyError)


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


def _described(state: SchemaState) -> tuple[str, int]:
    match state:
        case "current":
            return "The schema is up to date.", 0
        case "behind":
            return "The schema is older than this program: run bohnanza migrate.", 1
        case "empty":
            return "The database has no schema yet: run bohnanza migrate.", 1
        case "newer":
            return "The database was made by a newer version of this program.", 1
    assert_never(state)


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
        text, exit_code = _described(check(url.get_secret_value()))
    except UNREACHABLE as error:
        message = f"The database could not be read: {_reason(error)}"
        raise Failure(message) from error
    click.echo(text)
    if exit_code:
        raise SystemExit(exit_code)
