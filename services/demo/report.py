"""What a person reads in the end: the ranking of each game, everything that is wrong, and one line of figures."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from domain.state import Result
from domain.views import View
from services.demo.table import Played

MOST_FAULTS: Final = 20


def show_game(played: Played, console: Console) -> None:
    """Its table, if it came to an end, and its faults. In one piece: bars of other games may be on the screen."""
    lines: list[RenderableType] = ["", Text(_heading(played), "bold")]
    if played.view is not None and played.view.result is not None:
        lines += [_ranking(played.view, played.view.result), Text(_figures(played, played.view), "dim")]
    for fault in played.faults[:MOST_FAULTS]:
        lines.append(_line("Wrong: ", "bold red", f"game {played.number}, version {fault.version}: {fault.what}"))
    more = len(played.faults) - MOST_FAULTS
    if more > 0:
        lines.append(_line("Wrong: ", "bold red", f"game {played.number}: {_count(more, 'more fault')}."))
    if not played.faults:
        checked = f"{_count(played.compared_views, 'view')}, every event, shuffle, coin and command."
        lines.append(_line("Right: ", "bold green", checked))
    console.print(Group(*lines), soft_wrap=not console.is_terminal)


def show_summary(games: Sequence[Played], seconds: float, console: Console, *, right: bool) -> None:
    """One line of figures, and one that says how it went; `right` with what was checked after the games."""
    figures = (
        _count(len(games), "game"),
        _count(sum(game.commands for game in games), "command"),
        _count(sum(game.events for game in games), "event"),
        f"{seconds:.1f} s",
        _count(sum(game.retried for game in games), "retried call"),
        _count(sum(game.replayed for game in games), "replayed answer"),
    )
    wrong = sum(bool(game.faults) for game in games)
    what = f": {wrong} of {_count(len(games), 'game')}." if wrong else ": the file of the last game."
    judged = Text("All is right.", "bold green") if right else _line("Not all is right", "bold red", what)
    console.print(Group("", Text(", ".join(figures)), judged), soft_wrap=True)


def _heading(played: Played) -> str:
    return f"Game {played.number}" if played.game is None else f"Game {played.number} · {played.game}"


def _figures(played: Played, view: View) -> str:
    return (
        f"{view.turn} turns, {played.events} events, {played.commands} commands ({played.refused} refused), "
        f"{played.calls} calls, {played.seconds:.1f} s"
    )


def _ranking(view: View, result: Result) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("rank", "seat"):
        table.add_column(column, justify="right")
    table.add_column("name")
    for column in ("coins", "hand"):
        table.add_column(column, justify="right")
    table.add_column("")
    for row in result.ranking:
        won = row.seat in result.winners
        numbers = (str(row.coins), str(row.hand_size))
        # Names are other people's text: nothing in them is markup.
        name = Text(view.seats[row.seat].name or "")
        table.add_row(
            str(row.rank), str(row.seat), name, *numbers, "winner" if won else "", style="bold green" if won else ""
        )
    return table


def _line(first: str, style: str, rest: str) -> Text:
    return Text.assemble((first, style), rest)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
