"""One run of all measurements, on a Postgres of its own that is gone afterwards."""

import tempfile
from pathlib import Path

import uvloop
from rich.console import Console
from rich.progress import Progress

from infra.embedded.postgres import EmbeddedPostgres
from infra.postgres.migrate import upgrade
from services.bench import http, rules, storage
from services.bench.figures import Figure

GAMES = 24
"""Of each edition."""
COMMANDS_A_SECOND = 2500
"""More than is ever reached, so that no client runs out of moves."""
MOVES_A_GAME = 500


def run(console: Console, seconds: float) -> list[Figure]:
    """All figures; `seconds` is the length of a window under load."""
    with Progress(console=console, transient=True) as progress:
        recording = progress.add_task("recording games", total=1)
        editions = rules.recorded_games(GAMES)
        progress.advance(recording)
        measuring = progress.add_task("rules, replay, referee, memory", total=rules.FIGURES * len(editions))
        figures = []
        for figure in rules.measure(editions):
            figures.append(figure)
            progress.advance(measuring)
        with (
            tempfile.TemporaryDirectory(prefix="bohnanza-bench-") as folder,
            EmbeddedPostgres(Path(folder)) as postgres,
        ):
            upgrade(postgres.url)
            figures.append(uvloop.run(storage.measure(postgres.url)))
            tables = max(http.CLIENTS, int(seconds * http.WINDOWS * COMMANDS_A_SECOND / MOVES_A_GAME))
            figures += uvloop.run(http.measure(postgres.url, Path(folder), seconds, tables, progress))
    return figures
