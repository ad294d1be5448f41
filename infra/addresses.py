"""Whether an address of a server is one that its client can read, all of it. What cannot be read is refused as a plain
ValueError without a text: the client's own errors quote the address, and with it the password.
"""

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

# The public way to it opens a connection, and its types know only that one.
from asyncpg.connect_utils import _parse_connect_dsn_and_args  # type: ignore[attr-defined]
from redis.asyncio import ConnectionPool, RedisCluster
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
    """ValueError if it is no address of a Redis, or of a cluster of them."""
    try:
        _refuse_torn(url)
        servers, is_cluster = redis_servers(url)
        for server in servers:
            _check_redis_server(server, is_cluster=is_cluster)
    except (ValueError, TypeError, AttributeError, RedisError):
        raise ValueError from None


def redis_servers(url: str) -> tuple[list[str], bool]:
    """An address for each server that `url` names, as the client reads them, and whether they are members of a cluster.

    `redis://user:password@one:6379,two:6379/?cluster=true` names two members; the others are learnt from them.
    """
    parts = urlsplit(url)
    options = parse_qsl(parts.query, strict_parsing=True) if parts.query else []
    cluster = [value for name, value in options if name == "cluster"]
    login, at, hosts = parts.netloc.rpartition("@")
    if cluster not in ([], ["true"], ["false"]):
        raise ValueError
    is_cluster = cluster == ["true"]
    if "," in hosts and not is_cluster:
        raise ValueError
    if not cluster:
        return [url], False
    rest = urlencode([(name, value) for name, value in options if name != "cluster"])
    return [parts._replace(netloc=f"{login}{at}{host}", query=rest).geturl() for host in hosts.split(",")], is_cluster


def _check_redis_server(url: str, *, is_cluster: bool) -> None:
    parts = urlsplit(url)
    # Of these two the client passes over in silence what it cannot read.
    if parts.scheme != "unix":
        int(parts.path.replace("/", "") or 0)
    if parts.query:
        parse_qsl(parts.query, strict_parsing=True)
    # Made, not opened: that reads the options.
    pool = ConnectionPool.from_url(url)
    connection = pool.connection_class(**pool.connection_kwargs)
    # The members of a cluster are found by host and port, and it has one database only.
    if is_cluster and (parts.scheme == "unix" or not parts.hostname or connection.db):
        raise ValueError
    if is_cluster:
        RedisCluster.from_url(url)


def _refuse_torn(url: str) -> None:
    """A password with a bare `/`, `?`, `#` or `@` tears the address apart. What follows it would be looked up as a host
    or asked for as a database, and so be seen by others."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.partition("@")
    if "#" in url or "@" in hosts or (not at and ":" in user and "@" in parts.path):
        raise ValueError
