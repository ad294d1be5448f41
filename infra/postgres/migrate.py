"""Brings a database to the schema that this program knows: whole or not at all, one process at a time."""

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from infra.postgres.pool import RecordConnection, connect
from infra.postgres.statements import statement

SchemaState = Literal["current", "behind", "newer", "empty"]

DESCRIBED: Final[dict[SchemaState, str]] = {
    "current": "current",
    "behind": "behind this program; run `bohnanza migrate`",
    "newer": "made by a newer version; update this program",
    "empty": "missing; run `bohnanza migrate`",
}
"""What to say of a schema, after "The schema is"."""

_Result = TypeVar("_Result")
_FOLDER = Path(__file__).parent / "migrations"
_CONNECT_SECONDS = 10.0
# One statement of a check reads a row; one of a migration may rewrite a table. Waiting for others' locks ends sooner,
# by the lock_timeout of `migration_lock`.
_CHECK_SECONDS = 10.0
_UPGRADE_SECONDS = 900.0
_LOCK = statement("migration_lock")


class SchemaTooNew(Exception):
    """The database was made by a newer version of this program, which may have changed what things mean."""


def upgrade(url: str) -> None:
    """Applies every missing revision in one transaction. Safe to call at each start and from several
    processes at once.

    Raises SchemaTooNew, StoreUnavailable when the address is none that could be connected to, OSError or TimeoutError
    when there is no server or no answer, and the errors of SQLAlchemy and asyncpg when it refuses; nothing has changed
    then.
    """
    asyncio.run(_within_transaction(url, _upgrade, _UPGRADE_SECONDS))


def check(url: str) -> SchemaState:
    """How the schema of the database compares with what this program knows. Changes nothing, and needs no more than
    the rights of `bohnanza_app`. Raises what upgrade() does, but for SchemaTooNew."""
    return asyncio.run(schema_state(url))


async def schema_state(url: str) -> SchemaState:
    """check() for a program that runs on."""
    return await _within_transaction(url, _state, _CHECK_SECONDS)


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
    if not applied:
        return "empty"
    known = _known()
    if not applied <= known.revisions:
        return "newer"
    return "current" if applied == known.heads else "behind"


class _Known(NamedTuple):
    revisions: frozenset[str]
    heads: frozenset[str]


@cache
def _known() -> _Known:
    """What this program brings: read once, since who asks again and again has other work to do."""
    scripts = ScriptDirectory.from_config(_config())
    return _Known(
        frozenset(script.revision for script in scripts.walk_revisions()),
        frozenset(scripts.get_heads()),
    )


def _config() -> Config:
    config = Config()
    # A percent sign in the path would be read as an interpolation.
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    return config


async def _within_transaction(url: str, action: Callable[[Connection], _Result], statement_seconds: float) -> _Result:
    async def connected(*_: Any, **__: Any) -> RecordConnection:
        # SQLAlchemy's own reading of URLs knows no hosts that are folders of sockets.
        return await connect(url, timeout=_CONNECT_SECONDS, command_timeout=statement_seconds)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connected, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(action)
    finally:
        await engine.dispose()
