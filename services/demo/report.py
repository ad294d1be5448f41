"""What a person reads in the end: the ranking of each game, everything that is wrong, and one line of figures."""

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.views import View
from services.demo.table import Played

MOST_FAULTS: Final = 20


def show_game(played: Played, console: Console) -> None:
    """Its table, if it came to an end, and its faults."""
    console.print()
    heading = f"Game {played.number}" if played.game is None else f"Game {played.number} · {played.game}"
    console.print(heading, style="bold", soft_wrap=True, highlight=False)
    if played.view is not None and played.view.result is not None:
        console.print(_ranking(played.view))
        console.print(
            f"{played.view.turn} turns, {played.events} events, {played.commands} commands "
            f"({played.refused} refused), {played.calls} calls, {played.seconds:.1f} s",
            style="dim",
            highlight=False,
            soft_wrap=True,
        )
    for fault in played.faults[:MOST_FAULTS]:
        _say(console, "Wrong: ", "bold red", f"game {played.number}, version {fault.version}: {fault.what}")
    if len(played.faults) > MOST_FAULTS:
        _say(
            console, "Wrong: ", "bold red", f"game {played.number}: {len(played.faults) - MOST_FAULTS} more like these."
        )
    if not played.faults:
        _say(
            console, "Right: ", "bold green", f"{played.compared_views} views, every event, shuffle, coin and command."
        )


def show_summary(games: Sequence[Played], seconds: float, console: Console) -> None:
    """One line of figures, and one that says how it went."""
    events, commands = sum(game.events for game in games), sum(game.commands for game in games)
    retried, replayed = sum(game.retried for game in games), sum(game.replayed for game in games)
    console.print()
    console.print(
        f"{_count(len(games), 'game')}, {_count(commands, 'command')}, {_count(events, 'event')}, {seconds:.1f} s, "
        f"{_count(retried, 'retried call')}, {_count(replayed, 'replayed answer')}",
        highlight=False,
        soft_wrap=True,
    )
    wrong = sum(bool(game.faults) for game in games)
    if wrong:
        _say(console, "Not all is right", "bold red", f": {wrong} of {_count(len(games), 'game')}.")
    else:
        _say(console, "All is right.", "bold green", "")


def _ranking(view: View) -> Table:
    table = Table()
    for column in ("rank", "seat", "coins", "hand"):
        table.add_column(column, justify="right")
    table.add_column("name")
    table.add_column("")
    result = view.result
    for row in () if result is None else result.ranking:
        won = result is not None and row.seat in result.winners
        name = Text(view.seats[row.seat].name or "")
        cells = (str(row.rank), str(row.seat), str(row.coins), str(row.hand_size))
        table.add_row(*cells, name, "winner" if won else "", style="bold green" if won else "")
    return table


def _say(console: Console, first: str, style: str, rest: str) -> None:
    console.print(Text.assemble((first, style), rest), soft_wrap=True, highlight=False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
