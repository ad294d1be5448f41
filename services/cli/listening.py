"""The socket that clients connect to, opened before anything else is started."""

import errno
import socket
from ipaddress import ip_address
from typing import Final

from services.cli.failure import Failure

BACKLOG: Final = 2048


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; a Failure says why there can be none. Port 0 takes any free one."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    try:
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                message = (
                    f"Port {port} on {host} is taken. Stop what uses it, "
                    "or choose another with BOHNANZA_PORT (0 takes any free one)."
                )
            case errno.EACCES:
                message = f"Port {port} may only be used by root. Choose one from 1024 up with BOHNANZA_PORT."
            case errno.EADDRNOTAVAIL:
                message = f"This machine has no address {host}. Choose another with BOHNANZA_HOST."
            case _:
                message = f"Port {port} on {host} cannot be used: {error.strerror}."
        raise Failure(message) from error


def address(listening: socket.socket) -> str:
    """Where a client on this machine finds it."""
    host, port = listening.getsockname()[:2]
    if ip_address(host).is_unspecified:
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
