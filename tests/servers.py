"""The servers that the tests run against, and waiting for what they do."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

import asyncpg


class DatabaseServer(Protocol):
    """A Postgres whose user may create databases and roles."""

    @property
    def url(self) -> str:
        """The address for that user."""


@dataclass(frozen=True)
class GivenServer:
    """One that was started by somebody else."""

    url: str


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Until the condition holds; an AssertionError with `what` if it does not in that time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def run_sql(url: str, sql: str) -> None:
    """As the user of the URL, outside of a transaction."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    asyncio.run(run())


def with_database(url: str, name: str) -> str:
    """The same server, another database."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()
