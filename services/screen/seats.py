"""The seats of a table: who sits there, coins, fields with what they are worth, and the hand as far as it is known.

A field reads `3 Red =2 +1`: three Red beans, worth two coins now, and more with one more bean.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from domain.beans import KINDS, Bean, grants_field, payout
from domain.cards import Card
from domain.views import FieldView, SeatView, View
from services.screen.harmless import harmless, short
from services.screen.words import counted, kind

ACTIVE: Final = ">"
EMPTY: Final = "-"
_BETWEEN: Final = " | "
_INDENT: Final = 4
_CODE_LENGTH: Final = 3
_LONGEST_NAME: Final = 24

# For the eye only: the name of the kind always stands there too. In the middle of the scale, for dark and light ground.
_STYLES: Final[dict[Bean, str]] = {
    "coffee": "color(130)",
    "wax": "color(178)",
    "blue": "color(33)",
    "chili": "color(166)",
    "stink": "color(100)",
    "green": "color(34)",
    "soy": "color(137)",
    "black_eyed": "bold",
    "red": "color(160)",
    "garden": "color(71)",
    "cocoa": "color(95)",
    "field_bean": "color(135)",
}


def seats(view: View, *, wide: bool, dense: bool) -> RenderableType:
    """All seats: a row each on a wide screen, two lines each on a narrow one. `dense`: hands in short, so that they
    fit on one line for as long as they are likely to get."""
    if wide:
        return _rows(view)
    return Group(*(line for seat in view.seats for line in _lines(view, seat, dense=dense)))


def beans(kinds: Iterable[Bean | None]) -> Text:
    """Kinds one after the other."""
    return Text(", ").join(Text(kind(bean), _style(bean)) for bean in kinds)


def _rows(view: View) -> Table:
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), expand=False)
    grid.add_column("", no_wrap=True)
    grid.add_column("seat", no_wrap=True)
    grid.add_column("player", no_wrap=True, max_width=28)
    grid.add_column("coins", justify="right")
    grid.add_column("fields: beans =coins +beans to more", no_wrap=True)
    grid.add_column("cards", justify="right")
    grid.add_column("hand, front first")
    grid.add_column("to plant")
    for seat in view.seats:
        grid.add_row(
            _mark(view, seat),
            str(seat.seat),
            Text(_who(seat)),
            str(seat.coins),
            _fields(seat),
            str(seat.hand_size),
            _cards(seat.hand or []),
            _cards(seat.pending),
            style="bold" if seat.seat == view.active else "",
        )
    return grid


def _lines(view: View, seat: SeatView, *, dense: bool) -> Iterator[RenderableType]:
    mark, coins = _mark(view, seat), counted(seat.coins, "coin")
    first = Text.assemble(f"{mark:1} seat {seat.seat} · {coins:8} · ", _fields(seat))
    if mark:
        first.stylize("bold")
    yield first
    cards = _codes if dense else _cards
    who = "" if dense and not seat.away else f"{_who(seat)} · "
    second = Text(f"{who}hand {seat.hand_size}")
    if seat.hand:
        second = Text.assemble(second, ": ", cards(seat.hand))
    if seat.pending:
        second = Text.assemble(second, " · to plant: ", cards(seat.pending))
    yield Padding(second, (0, 0, 0, _INDENT), expand=False)


def _mark(view: View, seat: SeatView) -> str:
    return ACTIVE if seat.seat == view.active else ""


def _who(seat: SeatView) -> str:
    """A name or a short id, and whether a bot plays."""
    if seat.player is None:
        return "free" if seat.policy is None else f"bot {harmless(seat.policy, 16)}"
    if seat.away:
        return f"{_called(seat.player, seat.name)}, away: bot {harmless(seat.policy or '', 16)}"
    return _called(seat.player, seat.name)


def _called(player: str, name: str | None) -> str:
    return short(player) if name is None else harmless(name, _LONGEST_NAME)


def _fields(seat: SeatView) -> Text:
    return Text(_BETWEEN).join(_field(field) for field in seat.fields) if seat.fields else Text(EMPTY)


def _field(field: FieldView | None) -> Text:
    if field is None:
        return Text("empty", "dim")
    planted = Text(f"{field.count} {kind(field.bean)}", _style(field.bean))
    return Text.assemble(planted, f" {worth(field.bean, field.count)}")


def worth(bean: Bean, count: int) -> str:
    """`=2 +1`: the coins for so many beans, and how many beans are missing to more coins; `=4` if there are no more."""
    now = payout(bean, count)
    more = next(
        (step.beans - count for step in KINDS[bean].beanometer if step.coins > now and step.beans > count), None
    )
    told = "=field" if grants_field(bean, count) else f"={now}"
    return told if more is None else f"{told} +{more}"


def _cards(cards: Iterable[Card]) -> Text:
    return beans(card.bean for card in cards)


def _codes(cards: Iterable[Card]) -> Text:
    """The first letters of each kind, which no two kinds share."""
    return Text(" ").join(Text(kind(card.bean)[:_CODE_LENGTH], _style(card.bean)) for card in cards)


def _style(bean: Bean | None) -> str:
    return "" if bean is None else _STYLES[bean]
