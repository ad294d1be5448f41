"""A login for the API in the embedded Postgres: whoever takes the API over gets the rights of the application, not
those of the owner of the tables."""

from pathlib import Path
from typing import Final

import asyncpg

API_USER: Final = "bohnanza_api"

_SECONDS: Final = 10.0
_STATEMENT: Final = (Path(__file__).parent / "login.sql").read_text(encoding="utf-8")


async def ensure_login(owner_url: str, password: str) -> None:
    """Make it, or set it right. Needs the role `bohnanza_app`, so the schema comes first."""
    connection = await asyncpg.connect(owner_url, timeout=_SECONDS, command_timeout=_SECONDS)
    try:
        # As an argument, not in the text: the server's log shows statements, and never arguments.
        await connection.execute("select set_config('bohnanza.password', $1, false)", password)
        await connection.execute(_STATEMENT)
    finally:
        await connection.close()
