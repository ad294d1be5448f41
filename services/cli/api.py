"""`bohnanza api`: one API process. It ends well on SIGTERM and Ctrl-C: what was begun is answered first."""

import signal
import socket

import rich_click as click

from infra.kept_key import KeyRefused
from services.api.main import create
from services.api.server import ApiServer
from services.cli.failure import WRONG_SETTINGS, Failure, explained, settings
from services.cli.listening import listen


@click.command("api", cls=click.RichCommand)
@click.option("--socket", "descriptor", type=int, help="An open, listening socket to serve instead of host and port.")
def command(*, descriptor: int | None) -> None:
    """Serve the API alone, on servers that run elsewhere."""
    chosen = settings()
    if chosen.database_url is None:
        message = "BOHNANZA_DATABASE_URL: needed here (bohnanza up brings a database of its own)"
        raise Failure(message, WRONG_SETTINGS)
    try:
        application = create()
    except KeyRefused as error:
        raise Failure(str(error), WRONG_SETTINGS) from None
    with explained():
        listening = listen(chosen.host, chosen.port) if descriptor is None else socket.socket(fileno=descriptor)
    server = ApiServer(application, shutdown_seconds=chosen.shutdown_seconds, limit=chosen.body_limit)
    # When it has ended well, uvicorn sends itself the signal once more; that must not count as a failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: None)
    with listening:
        server.run(sockets=[listening])
    if not server.started:
        message = "The API did not start."
        raise Failure(message)
