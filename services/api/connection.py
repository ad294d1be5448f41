"""Sending to a client who may have stopped reading. A stream is not kept for somebody who is not there."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from infra.telemetry import LIVE_CUT_OFF

ABORT: Final = "bohnanza.abort"
"""In a scope: gives the connection up, without waiting until all that was written has been read."""

WRITE: Final = "bohnanza.write"
"""In the scope of a WebSocket: takes a whole message of text in UTF-8, for which nobody has to wait. False if that
cannot be: nothing is sent then, and `send` has to be waited for."""

SEND_SECONDS: Final = 20.0
"""How long one frame may wait for a client who does not read."""


class Stalled(Exception):
    """The client has stopped reading, and was cut off."""


async def deliver(scope: Mapping[str, Any], sending: Awaitable[None]) -> None:
    """Wait for a send, but not for ever. Stalled."""
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await sending
    except TimeoutError:
        LIVE_CUT_OFF.inc()
        abort: Callable[[], None] | None = scope.get(ABORT)
        if abort is not None:
            abort()
        raise Stalled from None
