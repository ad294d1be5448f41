"""How one Redis server is reached. The client's connection is used as it is, with its own repairs turned off: they
would connect again unseen, and whoever listens must know that something was missed."""

import asyncio
from typing import Any, Final, Self

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

CONNECT_SECONDS: Final = 2.0
"""For the connection, the encryption and the login together."""

BREAKS: Final = (RedisError, OSError, TimeoutError, EOFError)
"""What is raised when the other side is away or does not do as it should."""

_OWN: Final[dict[str, Any]] = {
    # Answers come in the order of the questions, and a message is a plain list. The newer protocol brings a handshake
    # for announcements of maintenance, and nothing that is needed here.
    "protocol": 2,
    # Every wait has its limit where it is made. As a setting it would end a quiet subscription after 5 s.
    "socket_timeout": None,
    "socket_connect_timeout": CONNECT_SECONDS,
    "retry": Retry(NoBackoff(), 0),
    "retry_on_timeout": False,
    "health_check_interval": 0,
    "decode_responses": False,
}
_NOT_OF_A_CONNECTION: Final = ("max_connections", "timeout")


class Server:
    """One server, named by a URL."""

    def __init__(self, url: str) -> None:
        self._options: dict[str, Any] = {**parse_url(url)}
        for option in _NOT_OF_A_CONNECTION:
            self._options.pop(option, None)
        self._class: type[AbstractConnection] = self._options.pop("connection_class", Connection)
        self._options |= _OWN

    @property
    def address(self) -> tuple[str, int]:
        """Host and port, as the client would take them."""
        return self._options.get("host", "localhost"), self._options.get("port", 6379)

    def at(self, host: str, port: int) -> Self:
        """Another member of the same cluster: the same login, elsewhere."""
        other = object.__new__(type(self))
        other._class = self._class
        other._options = self._options | {"host": host, "port": port}
        return other

    async def connect(self) -> AbstractConnection:
        """A connection that is logged in; one of BREAKS if there is none to be had in time. To be closed."""
        connection = self._class(**self._options)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]  # redis-py gives this method no types
        except BaseException:
            await close(connection)
            raise
        return connection


async def close(connection: AbstractConnection) -> None:
    """At once, whatever the other side does."""
    await connection.disconnect(nowait=True)
