"""The one place that tells "no usable database now" from "the database refuses this".

A message of the database may quote the values it was given, and those may be a seed or a hand:
what is raised here names the kind of the error and the constraint, and no value.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from infra.event_store import StoreFault, StoreUnavailable
from infra.telemetry import STORE_UNAVAILABLE

# Classes of SQLSTATE: connection exception, invalid authorization, transaction rollback (deadlock,
# serialization), insufficient resources (disk full, too many connections), operator intervention
# (shutdown, starting up, cancelled), system error (input and output).
_UNAVAILABLE_CLASSES = ("08", "28", "40", "53", "57", "58")
# read_only_sql_transaction: a standby after a failover; lock_not_available; invalid_catalog_name.
_UNAVAILABLE_STATES = ("25006", "55P03", "3D000")

DATABASE_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)


def translate(error: BaseException) -> StoreUnavailable | StoreFault:
    """What a database error means to the rest of the program."""
    kind = type(error).__name__
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        if state.startswith(_UNAVAILABLE_CLASSES) or state in _UNAVAILABLE_STATES:
            return _unavailable(kind)
        where = error.constraint_name or error.table_name
        return StoreFault(f"{kind} ({state})" + (f" at {where}" if where else ""))
    if isinstance(error, ValueError):
        return StoreFault(kind)
    # Everything else happens on this side of the wire: refused, lost or closing connections, time-outs,
    # and answers that make no sense, after which the connection is given up.
    return _unavailable(kind)


def _unavailable(kind: str) -> StoreUnavailable:
    STORE_UNAVAILABLE.labels(kind).inc()
    return StoreUnavailable(kind)


@contextmanager
def connecting() -> Iterator[None]:
    """Lets no error out that a connection's address is the cause of, except as StoreUnavailable: such an error may
    quote the address, with the password in it."""
    try:
        yield
    # OverflowError is what a port beyond the largest one gives.
    except (ValueError, OverflowError) as error:
        raise _unavailable(type(error).__name__) from None


@contextmanager
def translated() -> Iterator[None]:
    """Lets no error of the database out except as StoreUnavailable or StoreFault."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise translate(error) from None
