"""The API as it always is, and beside it a route that does nothing, to compare with, and one that tells when what was
committed.

python -m services.bench.server DESCRIPTOR
"""

import signal
import socket
import sys
import time
from collections.abc import Sequence

from litestar import get, post
from litestar.types import ASGIApp
from msgspec import Struct
from msgspec.json import Decoder

from domain.commands import Command
from infra.event_store import Append
from infra.postgres.event_store import PostgresEventStore
from infra.settings import load_settings
from services.api import main
from services.api.address import game_id
from services.api.answers import answer
from services.api.body import json_body
from services.api.conditions import idempotency_key, if_version
from services.api.parts import parts_of
from services.api.requests import ApiRequest
from services.api.server import ApiServer
from services.games.answers import Answer

_command: Decoder[Command] = Decoder(Command)


class Commit(Struct, frozen=True, array_like=True):
    """When a game had come to a version: nanoseconds of the monotonic clock, which all processes of a machine share."""

    game: str
    version: int
    nanoseconds: int


_commits: list[Commit] = []


class NotingStore(PostgresEventStore):
    """Notes the moment at which the database has said that an append is committed, before anybody here knows of it."""

    async def _execute(self, appends: Sequence[Append]) -> set[str]:
        won = await super()._execute(appends)
        now = time.monotonic_ns()
        _commits.extend(Commit(one.game, one.records[-1].version, now) for one in appends if one.game in won)
        return won


@post("/games/{game:str}/nothing", include_in_schema=False, status_code=200)
async def do_nothing(request: ApiRequest, game: str) -> ASGIApp:
    """Takes a command exactly as the real route does, and drops it."""
    idempotency_key(request.scope)
    if_version(request.scope)
    game_id(game)
    await json_body(request, _command, parts_of(request).body_limit)
    return answer(Answer(0, replayed=False, events=[]))


@get("/commits", include_in_schema=False)
async def take_commits() -> ASGIApp:
    """What was committed since it was last asked."""
    taken = answer(list(_commits))
    _commits.clear()
    return taken


def serve(descriptor: int) -> None:
    """Until SIGTERM, on a socket that is open and listening."""
    application = main.create(extra_handlers=[do_nothing, take_commits], store_on=NotingStore)
    settings = load_settings()
    server = ApiServer(application, shutdown_seconds=settings.shutdown_seconds, limit=settings.body_limit)
    # When it has ended well, uvicorn sends itself the signal once more; that must not count as a failure.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    with socket.socket(fileno=descriptor) as listening:
        server.run(sockets=[listening])


if __name__ == "__main__":
    serve(int(sys.argv[1]))
