"""Whether this process should get work: the database answers, and its schema is the one that the
program knows. Redis is asked too, and is never a reason to be unready: it carries hints only."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from infra.event_store import StoreFault, StoreUnavailable
from infra.postgres.errors import DATABASE_ERRORS, translate
from infra.postgres.migrate import DESCRIBED, SchemaState
from infra.postgres.pool import APPLICATION_ROLE
from services.api.shapes import CheckResult

PATIENCE: Final = 2.0
"""Seconds for each question; whoever asks does so every few seconds."""

SCHEMA_INTERVAL: Final = 30.0
"""Seconds for which an answer about the schema is good, since it takes a connection of its own."""

CLOSING: Final = 2.0
"""Seconds that closing gives to a question that is still open. It is given up then."""


class Readiness:
    """Asks outside. `ping` raises StoreUnavailable or StoreFault, `schema` what `infra.postgres.migrate.check` does."""

    def __init__(
        self, ping: Callable[[], Awaitable[None]], schema: Callable[[], Awaitable[SchemaState]], redis_url: str | None
    ) -> None:
        self._ping = ping
        self._schema = schema
        self._redis = None if redis_url is None else redis_client(redis_url)
        self._was_current = False
        self._known: CheckResult | None = None
        self._known_until = 0.0
        self._asking: asyncio.Task[CheckResult] | None = None

    async def __call__(self) -> list[CheckResult]:
        """One row for each thing that the process leans on."""
        return list(await asyncio.gather(self._database(), self._schema_state(), self._redis_state()))

    async def close(self) -> None:
        """Ends the question about the schema and gives the connection to Redis back, in bounded time."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking], timeout=CLOSING)
        if self._redis is not None:
            with suppress(RedisError, OSError, TimeoutError):
                async with asyncio.timeout(CLOSING):
                    await self._redis.aclose()

    async def _database(self) -> CheckResult:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._ping()
        except (StoreUnavailable, StoreFault, TimeoutError) as error:
            return CheckResult("database", ok=False, required=True, detail=_told(error))
        return CheckResult("database", ok=True, required=True, detail="reachable")

    async def _schema_state(self) -> CheckResult:
        now = asyncio.get_running_loop().time()
        if self._known is not None and now < self._known_until:
            return self._known
        if self._asking is None:
            # One question at a time, however many ask and however long it hangs.
            self._asking = asyncio.create_task(self._ask_for_schema())
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            return CheckResult("schema", ok=False, required=True, detail="not known: no answer yet")

    async def _ask_for_schema(self) -> CheckResult:
        try:
            state = await self._schema()
        except (StoreUnavailable, SQLAlchemyError, *DATABASE_ERRORS) as error:
            return CheckResult("schema", ok=False, required=True, detail=f"not known: {_told(_meaning(error))}")
        finally:
            self._asking = None
        # While a new version is rolled out it migrates first. Schemas only grow, so what runs goes on.
        ok = state == "current" or (state == "newer" and self._was_current)
        self._was_current = self._was_current or ok
        known = CheckResult("schema", ok=ok, required=True, detail=DESCRIBED[state])
        if ok:
            self._known = known
            self._known_until = asyncio.get_running_loop().time() + SCHEMA_INTERVAL
        return known

    async def _redis_state(self) -> CheckResult:
        if self._redis is None:
            return CheckResult("redis", ok=True, required=False, detail="not used")
        try:
            async with asyncio.timeout(PATIENCE):
                await self._redis.ping()
        except (RedisError, OSError, TimeoutError, ValueError) as error:
            # ValueError: a host whose name can be none.
            return CheckResult("redis", ok=False, required=False, detail=f"not reachable ({_kind(error)})")
        return CheckResult("redis", ok=True, required=False, detail="reachable")


def redis_client(url: str) -> Redis:
    """A client for single questions: one connection, and no second try."""
    return Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, max_connections=1)


def _meaning(error: Exception) -> Exception:
    """What an error of the database means here. SQLAlchemy puts others around what asyncpg raised."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, DATABASE_ERRORS):
        cause = cause.__cause__
    return error if cause is None else translate(cause)


def _told(error: Exception) -> str:
    match error:
        case StoreFault():
            # The store's errors hold kinds and names only.
            return f"refused ({error}); is the login a member of {APPLICATION_ROLE}?"
        case StoreUnavailable():
            return f"not reachable ({error})"
        case _:
            return f"not reachable ({_kind(error)})"


def _kind(error: Exception) -> str:
    """An error's kind. Its message may hold an address or a password."""
    return type(error).__name__
