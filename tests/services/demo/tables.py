"""A server without a database, and games played on it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from domain.events import Options
from domain.state import State
from services.client.patience import Patience
from services.demo.table import Order
from tests.services.api.application import app_over, memory_parts, standing_clock

QUICK = Patience(total=5.0, call=2.0, first_pause=0.01, longest_pause=0.1)


@asynccontextmanager
async def memory_server() -> AsyncIterator[str]:
    """Its address."""
    # With the protocol named: only then asyncio sends small answers at once, without waiting for an acknowledgement.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        app = app_over(memory_parts(standing_clock()))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
        async with asyncio.TaskGroup() as together:
            together.create_task(server.serve([listening]))
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}"
            finally:
                server.should_exit = True


def order(url: str, *, players: int = 3, seed: int = 1, number: int = 1) -> Order:
    """A game to be played there."""
    return Order(url, number, "classic", players, Options(), seed, QUICK)


def nobody_looks(_: State) -> None:
    """For games that are not shown."""
