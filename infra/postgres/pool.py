"""Connections to the database that never make a caller wait without end, and come back by themselves
after the server did. They act as the role `bohnanza_app`, whoever logs in."""

from asyncio import timeout as time_limit
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from infra.postgres.errors import connecting, translated
from infra.postgres.statements import statement

APPLICATION_ROLE = "bohnanza_app"

_PING = statement("ping")
_NOW = statement("now")


# Only a type checker lets these classes have a parameter.
if TYPE_CHECKING:
    RecordConnection = asyncpg.Connection[asyncpg.Record]
    RecordPool = asyncpg.Pool[asyncpg.Record]
    PooledConnection = PoolConnectionProxy[asyncpg.Record]
else:
    RecordConnection = asyncpg.Connection
    RecordPool = asyncpg.Pool
    PooledConnection = PoolConnectionProxy


class _Connection(RecordConnection):
    """Nobody here changes the state of a session, so there is nothing to reset: a round trip less
    every time a connection goes back to the pool."""

    def get_reset_query(self) -> str:
        return ""


async def connect(*arguments: Any, **options: Any) -> RecordConnection:
    """As asyncpg's; StoreUnavailable, naming the kind alone, when the address is none that could be connected to."""
    with connecting():
        return await asyncpg.connect(*arguments, **options)


class Database:
    """A pool of connections. Every method raises StoreUnavailable or StoreFault, and waits at most
    `patience` seconds for a connection and as long for an answer."""

    def __init__(self, pool: RecordPool, patience: float) -> None:
        self._pool = pool
        self._patience = patience

    @classmethod
    async def open(cls, url: str, *, size: int = 8, patience: float = 5.0, application_name: str = "bohnanza") -> Self:
        """A pool that connects on first use: it can be opened before the server is there."""
        with translated():
            pool = await asyncpg.create_pool(
                url,
                connect=connect,
                min_size=0,
                max_size=size,
                connection_class=_Connection,
                timeout=patience,
                command_timeout=patience,
                # Statements stay prepared for as long as their connection lives.
                max_cached_statement_lifetime=0,
                server_settings={
                    "role": APPLICATION_ROLE,
                    "application_name": application_name,
                    # Compiling costs more than any statement here could gain.
                    "jit": "off",
                },
            )
        return cls(pool, patience)

    async def fetch(self, sql: str, *arguments: object) -> Sequence[asyncpg.Record]:
        """All rows of one statement."""
        with translated():
            async with self._pool.acquire(timeout=self._patience) as connection:
                return await connection.fetch(sql, *arguments)

    async def fetchrow(self, sql: str, *arguments: object) -> asyncpg.Record | None:
        """The first row of one statement, if it has any."""
        with translated():
            async with self._pool.acquire(timeout=self._patience) as connection:
                return await connection.fetchrow(sql, *arguments)

    async def execute(self, sql: str, *arguments: object) -> None:
        """One statement whose rows do not matter."""
        await self.fetch(sql, *arguments)

    @asynccontextmanager
    async def transaction(self, *, snapshot: bool = False) -> AsyncIterator[PooledConnection]:
        """A connection on which all statements are one; an error undoes them. Keep it short: others may wait for it.
        With `snapshot` they read, and only that, what there is at the first of them, whatever happens meanwhile."""
        isolation: Literal["repeatable_read"] | None = "repeatable_read" if snapshot else None
        with translated():
            async with (
                self._pool.acquire(timeout=self._patience) as connection,
                connection.transaction(isolation=isolation, readonly=snapshot),
            ):
                yield connection

    async def ping(self) -> None:
        """Returns when the database has answered."""
        await self.fetch(_PING)

    async def now(self) -> datetime:
        """What time it is there."""
        row = await self.fetchrow(_NOW)
        if row is None:
            raise RuntimeError("a statement that always gives a row gave none")
        at: datetime = row[0]
        return at

    async def close(self) -> None:
        """Gives back every connection; waits a little for the busy ones, then cuts them."""
        try:
            async with time_limit(self._patience):
                await self._pool.close()
        except TimeoutError:
            self._pool.terminate()
