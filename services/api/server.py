"""uvicorn as it serves this API: its protocols with bounds, and an end that every open stream is told about."""

import socket
from typing import Final

import uvicorn

from services.api.envelope import Envelope
from services.api.protocol import HttpProtocol, SocketProtocol

PING_SECONDS: Final = 20.0
"""Between two pings on a WebSocket, and for the answer to one."""

BYE_SECONDS: Final = 2.0
"""For telling the open streams that the server ends, before their connections are closed."""


class ApiServer(uvicorn.Server):
    """Says `bye` on every stream when it is told to end, and only then hangs up."""

    def __init__(self, application: Envelope, *, shutdown_seconds: int, limit: int) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                loop="uvloop",
                http=HttpProtocol,
                ws=SocketProtocol,
                ws_max_size=limit,
                ws_ping_interval=PING_SECONDS,
                ws_ping_timeout=PING_SECONDS,
                # Frames are small and many: compressing each would cost more than it saves.
                ws_per_message_deflate=False,
                lifespan="on",
                # At lower levels uvicorn logs the query of a handshake, in which a ticket may be.
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=shutdown_seconds,
            )
        )
        self._application = application

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn.Server.shutdown."""
        await self._application.say_bye(BYE_SECONDS)
        await super().shutdown(sockets)
