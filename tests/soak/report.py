"""What came of a soak: a row for each setup and every failure, as a table for people and as a file for programs."""

import time
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct, field
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.soak.game import Order, Played
from tests.soak.run import Plan

MOST_SHOWN: Final = 20
"""Failures on the screen; the file has them all."""

COLUMNS: Final = ("games", "commands", "refused", "events", "longest", "tied", "failures")


class Row(Struct):
    """The games of one setup. `longest` in commands; `tied`: several players had the most coins."""

    setup: str
    games: int = 0
    commands: int = 0
    refused: int = 0
    events: int = 0
    longest: int = 0
    tied: int = 0
    abandoned: int = 0
    failures: int = 0

    def take(self, played: Played) -> None:
        """One more game."""
        self.games += 1
        self.commands += played.commands
        self.refused += played.refused
        self.events += played.events
        self.longest = max(self.longest, played.commands)
        self.tied += played.tied
        self.abandoned += played.abandoned
        self.failures += played.failure is not None

    def add(self, other: Self) -> None:
        """All of its games."""
        for name in ("games", "commands", "refused", "events", "tied", "abandoned", "failures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)


class Found(Struct, frozen=True):
    """A failure, and the arguments that play its game again."""

    setup: str
    style: str
    seed: int
    number: int
    version: int
    what: str
    again: str
    trace: str


class Report(Struct):
    """Grows with every game. `wanted` games were to be played; `broken`: why it ended before its time; `seconds` are
    those until the last one."""

    seed: int
    wanted: int
    processes: int
    rows: dict[str, Row]
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.001
    found: list[Found] = field(default_factory=list)
    broken: str | None = None

    def take(self, played: Played) -> None:
        """One more game."""
        self.seconds = time.monotonic() - self.began
        self.rows[str(played.order.setup)].take(played)
        if played.failure is not None:
            self.found.append(_found(played.order, played))

    @property
    def total(self) -> Row:
        """All rows in one."""
        total = Row("all")
        for row in self.rows.values():
            total.add(row)
        return total

    @property
    def well(self) -> bool:
        """Every game was played, and nothing is wrong with any."""
        return self.broken is None and not self.found and self.total.games == self.wanted


def begun(plan: Plan) -> Report:
    """The report of a soak of which nothing has been played yet."""
    names = [str(setup) for setup in plan.setups]
    return Report(plan.seed, plan.games, plan.processes, {name: Row(name) for name in names})


def show(report: Report, console: Console) -> None:
    """The table, the totals, and the failures with what plays them again."""
    console.print(_table(report))
    total, seconds = report.total, report.seconds
    console.print(
        f"{total.games:,} games, {total.commands:,} commands, {total.events:,} events in {_clock(seconds)}: "
        f"{total.games / seconds:,.1f} games/s, {total.events / seconds:,.0f} events/s "
        f"(seed {report.seed}, processes: {report.processes})",
        highlight=False,
    )
    if report.broken is not None:
        console.print(f"{report.broken} {total.games:,} of {report.wanted:,} games were played.", highlight=False)
    for found in report.found[:MOST_SHOWN]:
        sentence = f"{found.setup}, game {found.number} ({found.style}), after version {found.version}: {found.what}"
        console.print(Text(sentence, style="red"), soft_wrap=True)
        console.print(f"  make soak ARGS='{found.again}'", soft_wrap=True, highlight=False)
    if len(report.found) > MOST_SHOWN:
        console.print(f"… and {len(report.found) - MOST_SHOWN:,} failures more.", highlight=False)
    if len(report.found) == 1:
        console.print(Text(report.found[0].trace), soft_wrap=True)


def write(report: Report, path: Path) -> None:
    """Keep it as JSON."""
    total, seconds = report.total, report.seconds
    kept = {
        "seed": report.seed,
        "wanted": report.wanted,
        "processes": report.processes,
        "seconds": round(seconds, 3),
        "games_per_second": round(total.games / seconds, 1),
        "events_per_second": round(total.events / seconds, 1),
        "well": report.well,
        "broken": report.broken,
        "total": total,
        "setups": list(report.rows.values()),
        "failures": report.found,
    }
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")


def _found(order: Order, played: Played) -> Found:
    failure = played.failure
    if failure is None:
        raise ValueError("nothing is wrong with that game")
    again = f"--seed {order.seed} --only {order.setup} --first {order.number} --games 1"
    return Found(
        setup=str(order.setup),
        style=order.style,
        seed=order.seed,
        number=order.number,
        version=failure.version,
        what=failure.what,
        again=again,
        trace=failure.trace,
    )


def _table(report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, show_footer=True)
    total = report.total
    table.add_column("setup", footer=total.setup, no_wrap=True)
    for name in COLUMNS:
        table.add_column(name, footer=f"{getattr(total, name):,}", justify="right", overflow="fold")
    for row in report.rows.values():
        cells = [f"{getattr(row, name):,}" for name in COLUMNS]
        table.add_row(row.setup, *cells, style="red" if row.failures else None)
    return table


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
