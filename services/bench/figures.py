"""The figures of a run, as a table for people and as a file for programs."""

from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Figure(Struct, frozen=True):
    """One measured value beside its baseline and what it should reach.

    `ratio` is value / baseline. `met` is None where nothing was asked of the figure.
    """

    name: str
    value: float
    unit: str
    baseline: float
    baseline_is: str
    ratio: float
    wanted: str
    met: bool | None


def figure(
    name: str,
    value: float,
    unit: str,
    baseline: float,
    baseline_is: str,
    *,
    least: float | None = None,
    most: float | None = None,
    least_ratio: float | None = None,
) -> Figure:
    """A figure that has to be at least or at most so much."""
    ratio = value / baseline
    wanted: list[str] = []
    met: list[bool] = []
    if least is not None:
        wanted.append(f">= {least:,.0f}")
        met.append(value >= least)
    if most is not None:
        wanted.append(f"< {most:,.0f}")
        met.append(value < most)
    if least_ratio is not None:
        wanted.append(f"ratio >= {least_ratio}")
        met.append(ratio >= least_ratio)
    return Figure(name, value, unit, baseline, baseline_is, ratio, "; ".join(wanted), all(met) if met else None)


def show(figures: list[Figure], console: Console) -> None:
    """Print them, what each is compared with below its name, and what was missed."""
    table = Table(title="bohnanza bench", show_lines=True)
    for column in ("figure", "value", "baseline", "ratio", "wanted", "verdict"):
        table.add_column(column, justify="right" if column in ("value", "baseline", "ratio") else "left")
    for row in figures:
        verdict = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[row.met]
        table.add_row(
            f"{row.name}\n[dim]{row.baseline_is}[/]",
            f"{row.value:,.1f}\n{row.unit}",
            f"{row.baseline:,.1f}",
            f"{row.ratio:.2f}",
            row.wanted.replace("; ", "\n"),
            verdict,
        )
    console.print(table)
    for row in figures:
        if row.met is False:
            console.print(f"Missed: {row.name}, wanted {row.wanted}. Was the machine busy with something else?")


def write(figures: list[Figure], path: Path) -> None:
    """Keep them as JSON, one object a figure."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
