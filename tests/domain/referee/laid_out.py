"""A table laid out in the middle of a game, and the lines that are put before the referee there.

Cards are written `red:7` (number 7), fields `red:1,red:2 | empty`, hands and coins from the front and the bottom,
the deck from its top, the discard pile from its bottom.
"""

from collections.abc import Mapping
from typing import Final

from domain.beans import BEANS, Bean
from domain.cards import Card
from domain.events import BeanPlanted, Event, FieldHarvested, Options
from domain.referee import Referee
from domain.referee.editions import edition
from domain.referee.tabletop import Phase, Place, Plot, Tabletop

VERSION: Final = 100
NEXT_CARD: Final = 1000

Text = Mapping[int, str]
NOTHING: Final[Text] = {}

Line = tuple[int | None, Event]


class Laid:
    """What the referee says to lines that follow this layout."""

    def __init__(self, top: Tabletop) -> None:
        self.top = top
        self._referee = Referee(top.game)
        self._referee._top = top
        self._referee._version = VERSION
        self._version = VERSION

    def says(self, *lines: Line) -> str:
        """The reason of the first fault, with the number of its line; "fine" without one."""
        for number, (seat, event) in enumerate(lines, 1):
            self._version += 1
            fault = self._referee.check(self._version, seat, event)
            if fault is not None:
                assert fault.version == self._version
                assert fault.sentence
                return f"{number}: {fault.reason}"
        return "fine"

    def then(self) -> str:
        """What is said if nothing more comes: "fine" between two commands."""
        fault = self._referee.finish(running=True)
        return "fine" if fault is None else fault.reason


def laid(
    ruleset: str = "classic",
    players: int = 4,
    *,
    phase: Phase = "plant",
    hands: Text = NOTHING,
    fields: Text = NOTHING,
    pending: Text = NOTHING,
    coins: Text = NOTHING,
    deck: str = "wax wax wax wax wax wax",
    discard: str = "",
    face_up: str = "",
    gifts: str = "",
    active: int = 0,
    start: int = 0,
    planted: int = 0,
    exhaustions: int = 0,
    final: bool = False,
    duel_fields: int = 2,
) -> Laid:
    played = edition(1, ruleset, players, duel_fields)
    assert played is not None
    places = [
        Place(
            player=f"player-{seat}",
            hand=_cards(hands.get(seat, "")),
            pending=_cards(pending.get(seat, "")),
            plots=_plots(fields.get(seat, ""), played.fields),
            coins=[Card(number, bean) for number, bean in _cards(coins.get(seat, "")).items()],
        )
        for seat in range(players)
    ]
    return Laid(
        Tabletop(
            game="a-game",
            seed=None,
            actors_told=True,
            edition=played,
            options=Options(),
            has_clock=False,
            host="player-0",
            commitment="",
            places=places,
            phase=phase,
            deck=_kinds(deck)[::-1],
            discard=_kinds(discard),
            next_card=NEXT_CARD,
            exhaustions=exhaustions,
            final=final,
            version=VERSION,
            start_seat=start,
            turn=9,
            active=active,
            planted=planted,
            face_up=_cards(face_up),
            gifts=_cards(gifts),
        )
    )


def _plots(text: str, fields: int) -> list[Plot]:
    plots = [_plot(part.strip()) for part in text.split("|")] if text else []
    return plots + [Plot(None, []) for _ in range(fields - len(plots))]


def _plot(text: str) -> Plot:
    if text == "empty":
        return Plot(None, [])
    cards = _cards(text.replace(",", " "))
    assert len(set(cards.values())) == 1
    return Plot(next(iter(cards.values())), [*cards])


def _cards(text: str) -> dict[int, Bean]:
    pairs = [word.split(":") for word in text.split()]
    return {int(number): bean(name) for name, number in pairs}


def _kinds(text: str) -> list[Bean]:
    return [bean(name) for name in text.split()]


def bean(name: str) -> Bean:
    return next(kind for kind in BEANS if kind == name)


def from_hand(card: int, kind: Bean, field: int = 0, seat: int = 0) -> Line:
    return seat, BeanPlanted(seat, field, card, kind, "hand")


def settled(card: int, kind: Bean, field: int = 0, seat: int = 0) -> Line:
    return seat, BeanPlanted(seat, field, card, kind, "pending")


def sold(seat: int, field: int, kind: Bean, count: int, coins: int) -> Line:
    return seat, FieldHarvested(seat, field, kind, count, coins, count - coins, final=False)
