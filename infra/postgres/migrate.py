"""Brings a database to the schema that this program knows: whole or not at all, one process at a time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from infra.postgres.pool import RecordConnection
from infra.postgres.statements import statement

SchemaState = Literal["current", "behind", "newer", "empty"]

_Result = TypeVar("_Result")
_FOLDER = Path(__file__).parent / "migrations"
_CONNECT_SECONDS = 10.0
_LOCK = statement("migration_lock")


class SchemaTooNew(Exception):
    """The database was made by a newer version of this program, which may have changed what things mean."""


def upgrade(url: str) -> None:
    """Applies every missing revision in one transaction. Safe to call at each start and from several
    processes at once.

    Raises SchemaTooNew, OSError or TimeoutError when there is no server, and the errors of SQLAlchemy and asyncpg
    when it refuses; nothing has changed then.
    """
    asyncio.run(_within_transaction(url, _upgrade))


def check(url: str) -> SchemaState:
    """How the schema of the database compares with what this program knows. Changes nothing."""
    return asyncio.run(_within_transaction(url, _state))


def _upgrade(connection: Connection) -> None:
    connection.execute(text(_LOCK))
    if _state(connection) == "newer":
        raise SchemaTooNew(
            "The database was made by a newer version of this program. Update the program, or use another database."
        )
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _state(connection: Connection) -> SchemaState:
    applied = set(MigrationContext.configure(connection).get_current_heads())
    scripts = ScriptDirectory.from_config(_config())
    if not applied:
        return "empty"
    if not applied <= {script.revision for script in scripts.walk_revisions()}:
        return "newer"
    return "current" if applied == set(scripts.get_heads()) else "behind"


def _config() -> Config:
    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


async def _within_transaction(url: str, action: Callable[[Connection], _Result]) -> _Result:
    async def connect(*_: Any, **__: Any) -> RecordConnection:
        # SQLAlchemy's own reading of URLs knows no hosts that are folders of sockets.
        return await asyncpg.connect(url, timeout=_CONNECT_SECONDS)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(action)
    finally:
        await engine.dispose()
