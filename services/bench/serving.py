"""The measured server: one API process as `bohnanza api` runs it, apart from whoever measures it."""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
from msgspec import Struct

_START_SECONDS = 20.0
_STOP_SECONDS = 15.0
_BACKLOG = 8192
_ALIVE = b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Served(Struct, frozen=True):
    """Where it listens, and which process it is."""

    port: int
    process: int

    def resident_bytes(self) -> int:
        """How much memory it holds just now."""
        found: int = psutil.Process(self.process).memory_info().rss
        return found


@asynccontextmanager
async def serving(url: str, folder: Path, key: str, redis_url: str | None = None) -> AsyncIterator[Served]:
    """One worker on a port of its own. `key` signs the tokens that it takes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BOHNANZA_")}
    environment |= {
        "BOHNANZA_DATABASE_URL": url,
        "BOHNANZA_TOKEN_KEYS": key,
        "BOHNANZA_DATA_DIR": str(folder),
        # What the server can do is measured, not what it lets one client do.
        "BOHNANZA_COMMANDS_PER_SECOND": "0",
        "BOHNANZA_REQUESTS_PER_SECOND": "0",
        "BOHNANZA_ADDRESS_REQUESTS_PER_SECOND": "0",
    }
    if redis_url is not None:
        environment["BOHNANZA_REDIS_URL"] = redis_url
    with socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG) as listening:
        descriptor = listening.fileno()
        port: int = listening.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.bench.server", str(descriptor), env=environment, pass_fds=[descriptor]
        )
    try:
        await _until_it_answers(port, process)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            raise


async def _until_it_answers(port: int, process: Process) -> None:
    async with asyncio.timeout(_START_SECONDS):
        while process.returncode is None:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(_ALIVE)
                answer = await reader.readline()
                writer.close()
                await writer.wait_closed()
            except OSError:
                answer = b""
            if answer:
                return
            await asyncio.sleep(0.05)
    message = f"the measured server ended with exit code {process.returncode}"
    raise RuntimeError(message)
