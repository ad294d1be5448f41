"""Whether this process should get work: the database answers, and its schema is the one that the
program knows, and what goes on in the background can do its work. Redis is looked at too, and is never a reason to be
unready: it carries hints only."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

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
    """Asks outside. `ping` raises StoreUnavailable or StoreFault, `schema` what `infra.postgres.migrate.check` does.
    `redis`: whether it is there, None where none is used; `live`: whether the hub works, and
    whoever looks for erasures."""

    def __init__(
        self,
        ping: Callable[[], Awaitable[None]],
        schema: Callable[[], Awaitable[SchemaState]],
        redis: Callable[[], bool] | None,
        live: Callable[[], bool],
    ) -> None:
        self._ping = ping
        self._schema = schema
        self._redis = redis
        self._live = live
        self._was_current = False
        self._known: CheckResult | None = None
        self._known_until = 0.0
        self._asking: asyncio.Task[CheckResult] | None = None

    async def __call__(self) -> list[CheckResult]:
        """One row for each thing that the process leans on."""
        asked = await asyncio.gather(self._database(), self._schema_state())
        return [*asked, self._redis_state(), self._live_state()]

    async def close(self) -> None:
        """Ends the question about the schema, in bounded time."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking], timeout=CLOSING)

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

    def _redis_state(self) -> CheckResult:
        if self._redis is None:
            return CheckResult("redis", ok=True, required=False, detail="not used")
        there = self._redis()
        return CheckResult("redis", ok=there, required=False, detail="reachable" if there else "not reachable")

    def _live_state(self) -> CheckResult:
        works = self._live()
        return CheckResult("live", ok=works, required=True, detail="working" if works else "a part of it has ended")


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
