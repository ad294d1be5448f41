"""`bohnanza bench`: measure, print a table, write a file."""

import sys
from pathlib import Path

import rich_click as click
from rich.console import Console

from services.bench import figures
from services.bench.run import run


@click.command("bench", cls=click.RichCommand)
@click.option("--seconds", default=5.0, show_default=True, help="Length of one window under load.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("bench.json"),
    show_default=True,
    help="Where the figures are written.",
)
def command(*, seconds: float, output: Path) -> None:
    """Measure the rules engine, the event store and the API on this machine.

    Takes about three minutes; let the machine do nothing else meanwhile. Exit code 1 when a
    figure misses what is asked of it.
    """
    console = Console()
    measured = run(console, seconds)
    figures.show(measured, console)
    figures.write(measured, output)
    console.print(f"Written to {output}")
    if any(row.met is False for row in measured):
        sys.exit(1)
