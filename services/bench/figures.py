"""The figures of a run, as a table for people and as a file for programs."""

from pathlib import Path

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.table import Table


class Figure(Struct, frozen=True):
    """One measured value beside its baseline and what it should reach.

    `of` is the edition, where there is one for each. `ratio` is value / baseline. `met` is None where
    nothing was asked of the figure.
    """

    name: str
    of: str | None
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
    of: str | None = None,
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
    return Figure(name, of, value, unit, baseline, baseline_is, ratio, "; ".join(wanted), all(met) if met else None)


def show(figures: list[Figure], console: Console) -> None:
    """Print them, those of all editions under one heading, and what was missed."""
    groups: dict[tuple[str, ...], list[Figure]] = {}
    for row in figures:
        groups.setdefault((row.name, row.unit, row.baseline_is, row.wanted), []).append(row)
    for (name, unit, baseline_is, wanted), rows in groups.items():
        asked = f"; wanted {wanted}" if wanted else ""
        console.print(f"\n[bold]{name}[/], {unit}, beside {baseline_is}{asked}", highlight=False)
        table = Table.grid(padding=(0, 3))
        for width, right in ((16, False), (11, True), (11, True), (5, True), (6, False)):
            table.add_column(min_width=width, justify="right" if right else "left", no_wrap=True)
        for row in rows:
            verdict = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[row.met]
            numbers = (_rounded(row.value), _rounded(row.baseline), f"{row.ratio:.2f}")
            table.add_row(f"  {row.of or ''}", *numbers, verdict)
        console.print(table)
    console.print()
    for row in figures:
        if row.met is False:
            of = f" of {row.of}" if row.of else ""
            console.print(f"Missed: {row.name}{of}, wanted {row.wanted}. Was the machine busy with something else?")


def _rounded(value: float) -> str:
    return f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"


def write(figures: list[Figure], path: Path) -> None:
    """Keep them as JSON, one object a figure."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
