"""Whether an address of a server is one that its client can read, all of it. What cannot be read is refused as a plain
ValueError without a text: the client's own errors quote the address, and with it the password.
"""

from typing import Final
from urllib.parse import parse_qsl, urlsplit

# The public way to it opens a connection, and its types know only that one.
from asyncpg.connect_utils import _parse_connect_dsn_and_args  # type: ignore[attr-defined]
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

LARGEST_PORT: Final = 65_535


def check_postgres(url: str) -> None:
    """ValueError if it is no address of a Postgres: whatever asyncpg reads is good, several hosts and sockets too."""
    try:
        _refuse_torn(url)
        addresses, _ = _parse_connect_dsn_and_args(
            dsn=url,
            host=None,
            port=None,
            user=None,
            password=None,
            passfile=None,
            database=None,
            ssl=None,
            service=None,
            servicefile=None,
            direct_tls=None,
            server_settings=None,
            target_session_attrs=None,
            krbsrvname=None,
            gsslib=None,
        )
    except (ValueError, KeyError):
        # asyncpg.ClientConfigurationError is a ValueError. A KeyError: no user is named, and this process has no name.
        raise ValueError from None
    except OSError:
        # A certificate that the address names cannot be read. It may be there later; the connection will tell.
        return
    if not all(isinstance(address, str) or 0 < address[1] <= LARGEST_PORT for address in addresses):
        raise ValueError


def check_redis(url: str) -> None:
    """ValueError if it is no address of a Redis."""
    try:
        _refuse_torn(url)
        parts = urlsplit(url)
        # Of these two the client passes over in silence what it cannot read.
        if parts.scheme != "unix":
            int(parts.path.replace("/", "") or 0)
        if parts.query:
            parse_qsl(parts.query, strict_parsing=True)
        # Made, not opened: that reads the options.
        pool = ConnectionPool.from_url(url)
        pool.connection_class(**pool.connection_kwargs)
    except (ValueError, TypeError, AttributeError, RedisError):
        raise ValueError from None


def _refuse_torn(url: str) -> None:
    """A password with a bare `/`, `?`, `#` or `@` tears the address apart. What follows it would be looked up as a host
    or asked for as a database, and so be seen by others."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.partition("@")
    if "#" in url or "@" in hosts or (not at and ":" in user and "@" in parts.path):
        raise ValueError
