"""`bohnanza rules [PRESET]`: what an edition consists of, read off the very data that games are played by."""

from collections.abc import Iterable, Iterator
from typing import Final

import rich_click as click
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from domain.beans import KINDS
from domain.rulesets import (
    RULESETS,
    Drawers,
    FieldPayment,
    FieldPurchase,
    HarvestTime,
    Reshuffle,
    Ruleset,
    Table,
    TieBreak,
    TurnStructure,
)

NOTHING: Final = "-"

TURN: Final[dict[TurnStructure, str]] = {
    "trading": "plant from the hand, turn up {} cards and trade, plant what you got, draw.",
    "duel": "plant or discard what you were offered, plant from the hand and discard one, turn up {} cards, "
    "plant any of them and offer the rest, draw.",
}
PURCHASE: Final[dict[FieldPurchase, str]] = {"any_time": "at any time", "own_turn": "in the own turn"}
PAYMENT: Final[dict[FieldPayment, str]] = {
    "discard_pile": "the coins go to the discard pile",
    "box": "the coins leave the game",
}
HARVEST: Final[dict[HarvestTime, str]] = {"any_time": "at any time", "own_turn": "in the own turn"}
DRAWERS: Final[dict[Drawers, str]] = {"active": "{}", "everyone": "{} each"}
RESHUFFLE: Final[dict[Reshuffle, str]] = {
    "next_draw": "The discard pile becomes the deck when a draw finds the deck empty.",
    "at_once": "The discard pile becomes the deck as soon as the last card is drawn.",
}
TIE_BREAK: Final[dict[TieBreak, str]] = {
    "hand_size": "Among equals the most cards in hand win; still equal, they share the victory.",
    "shared": "Equals share the victory.",
    "farthest_clockwise": "Among equals the one farthest clockwise from the starting player wins.",
}


@click.command("rules", cls=click.RichCommand)
@click.argument("preset", type=click.Choice(list(RULESETS)), metavar="[PRESET]", required=False)
def command(*, preset: str | None) -> None:
    """Print the editions, or all about one PRESET."""
    console = Console()
    if preset is None:
        console.print(_editions())
        console.print("[dim]bohnanza rules PRESET[/] tells all about one.", highlight=False)
    else:
        _show(RULESETS[preset], console)


def _editions() -> Grid:
    """One line each."""
    grid = _grid("preset", "players", "cards", "fields", "third field", "drawn", "end")
    for edition in RULESETS.values():
        tables = list(edition.tables.values())
        grid.add_row(
            edition.name,
            _range(table.players for table in tables),
            _range(table.cards for table in tables),
            _range(table.fields for table in tables),
            _either(_third_field(table) for table in tables),
            _either(_drawn(table) for table in tables),
            _range(table.final_exhaustion for table in tables),
        )
    return grid


def _show(edition: Ruleset, console: Console) -> None:
    printings = _printings(edition)
    tables = list(printings.values())
    console.print(edition.name, style="bold")
    console.print(_numbers(printings))
    console.print(_beans(tables))
    for sentence in _sentences(edition, tables):
        console.print(sentence, highlight=False, soft_wrap=not console.is_terminal)


def _printings(edition: Ruleset) -> dict[str, Table]:
    """The rows: every number of players, and beside the game for two its other printing."""
    rows = {str(players): table for players, table in edition.tables.items()}
    others = {f"{table.players}*": table for table in edition.duels.values() if table not in rows.values()}
    return dict(sorted((rows | others).items()))


def _numbers(printings: dict[str, Table]) -> Grid:
    grid = _grid("players", "turn", "cards", "hands", "deck", "fields", "third field", "drawn", "end")
    for players, table in printings.items():
        grid.add_row(
            players,
            table.turn,
            str(table.cards),
            _hands(table),
            str(table.cards - sum(table.hand_sizes)),
            str(table.fields),
            _third_field(table),
            _drawn(table),
            str(table.final_exhaustion),
        )
    return grid


def _sentences(edition: Ruleset, tables: list[Table]) -> Iterator[str]:
    for table in {table.turn: table for table in tables}.values():
        yield f"A turn ({table.turn}): {TURN[table.turn].format(table.reveal)}"
        yield f"Harvests ({table.turn}): {HARVEST[table.harvest]}."
        selling = next((other for other in tables if other.turn == table.turn and other.field_price), None)
        if selling is not None:
            when, where = PURCHASE[selling.field_purchase], PAYMENT[selling.field_payment]
            yield f"A third field ({table.turn}): is bought {when}; {where}."
    yield f"{RESHUFFLE[edition.reshuffle]} The game ends when it has run out as often as `end` says."
    yield TIE_BREAK[edition.tie_break]
    for fields, table in edition.duels.items():
        if table not in edition.tables.values():
            yield f"* with the option duel_fields: {fields} of a new game."


def _beans(tables: list[Table]) -> Grid:
    """The beanometers, and how many cards of a kind are in play with how many players."""
    kinds = [kind for kind in KINDS.values() if any(kind.bean in table.deck for table in tables)]
    coins = range(1, 1 + max(step.coins for kind in kinds for step in kind.beanometer))
    grants = any(kind.field_grant for kind in kinds)
    grid = _grid("bean", "cards", "players", *map(_coins, coins), *(["a field"] if grants else []))
    for kind in kinds:
        needed = {step.coins: str(step.beans) for step in kind.beanometer}
        grant = str(kind.field_grant or NOTHING)
        grid.add_row(
            kind.english,
            str(kind.cards),
            _range(table.players for table in tables if kind.bean in table.deck),
            *(needed.get(number, NOTHING) for number in coins),
            *([grant] if grants else []),
        )
    return grid


def _grid(first: str, *others: str) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    grid.add_column(first, no_wrap=True)
    for name in others:
        grid.add_column(name)
    return grid


def _coins(number: int) -> str:
    return "1 coin" if number == 1 else f"{number} coins"


def _hands(table: Table) -> str:
    sizes = table.hand_sizes
    return str(sizes[0]) if len(set(sizes)) == 1 else " ".join(map(str, sizes))


def _third_field(table: Table) -> str:
    if table.field_price is not None:
        return _coins(table.field_price)
    granted = next((kind for kind in KINDS.values() if kind.field_grant and kind.bean in table.deck), None)
    return NOTHING if granted is None else f"{granted.field_grant} {granted.english.lower()} beans"


def _drawn(table: Table) -> str:
    return DRAWERS[table.drawers].format(table.draw)


def _either(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _range(numbers: Iterable[int]) -> str:
    """`3-5, 7`: the numbers in order, each once."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
