"""A guest for as long as something is done as one: nothing of him is left on the server afterwards."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from services.client.client import Client
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience

PARTING_SECONDS: Final = 3.0
"""For the erasure: nobody waits for that."""

logger = logging.getLogger("bohnanza.client")


@asynccontextmanager
async def guest(url: str, patience: Patience, name: str) -> AsyncIterator[Client]:
    """A client that is signed up, and erased in the end. Should that fail, it is logged and nothing else: what the
    guest came for is done. Problem, GaveUp and Unreadable for the signing up."""
    async with Client(url, patience) as client:
        await client.sign_up(name)
        try:
            yield client
        finally:
            try:
                async with asyncio.timeout(PARTING_SECONDS):
                    await client.erase()
            except (Problem, GaveUp, Unreadable, TimeoutError) as error:
                logger.info("A guest is left behind, %s: %r", client.player, error)
