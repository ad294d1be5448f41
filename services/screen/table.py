"""One step of a game as a person sees it: the whole table as one viewer has it. What the viewer may not know is not in
the view that it is drawn from."""

from collections.abc import Iterator
from typing import Final, assert_never

from msgspec import Struct
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from domain.beans import Bean
from domain.replay import Viewpoint
from domain.state import Phase, Result
from domain.views import OfferView, View
from services.screen.harmless import harmless, short
from services.screen.seats import beans, seats
from services.screen.viewer import name_of
from services.screen.words import counted, kind, numbered, seat, wanted

WIDE: Final = 120
"""Columns from which on every seat has a row of its own."""

SHOWN_OF_DECK: Final = 8

_PHASES: Final[dict[Phase, str]] = {
    "plant": "planting from the hand",
    "trade": "trading",
    "settle": "planting what was turned up or traded",
    "gifts": "planting what was left over",
    "keep": "planting what was turned up",
}


class Step(Struct, frozen=True):
    """What is drawn. `deck` from the top, None where it is hidden; `last_exhaustion` ends the game.
    `dense`: no line more than it takes."""

    view: View
    viewer: Viewpoint
    deck: list[Bean] | None
    last_exhaustion: int
    dense: bool = False

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Narrow or wide, as there is room."""
        wide = options.max_width >= WIDE and not self.dense
        yield _heading(self.view, self.viewer)
        yield Text(_now(self.view))
        airy = not wide and not self.dense
        if airy:
            yield Text()
        yield seats(self.view, wide=wide, dense=self.dense)
        if airy:
            yield Text()
        yield from _between(self)


def _heading(view: View, viewer: Viewpoint) -> Text:
    words = [counted(len(view.seats), "player"), f"game {short(view.game)}", name_of(viewer)]
    return Text.assemble((harmless(view.ruleset), "bold"), f" · {' · '.join(words)}")


def _now(view: View) -> str:
    match view.status:
        case "open":
            taken = sum(seat.player is not None or seat.policy is not None for seat in view.seats)
            return f"Waiting for players: {taken} of {len(view.seats)} seats are taken."
        case "running":
            return _turn(view)
        case "ended":
            return f"The game has ended after {counted(view.turn, 'turn')}."
        case "abandoned":
            return "The game was abandoned."
        case _:
            assert_never(view.status)


def _turn(view: View) -> str:
    if view.phase is None or view.active is None:
        return "The cards are dealt."
    planted = f" · {counted(view.planted, 'bean')} planted" if view.planted else ""
    discarded = " · discarded" if view.discarded else ""
    return f"Turn {view.turn} · {_PHASES[view.phase]} · seat {view.active} is active{planted}{discarded}"


def _between(step: Step) -> Iterator[RenderableType]:
    """What lies between the players."""
    view = step.view
    if view.result is not None and view.result.ranking:
        yield _ranking(view.result)
    if view.face_up:
        yield Text(f"Face up: {', '.join(numbered(card) for card in view.face_up)}")
    if view.gifts:
        yield Text.assemble("Left over: ", beans(card.bean for card in view.gifts))
    for offer in view.offers:
        yield Text(_offer(offer))
    top = "" if view.discard_top is None else f", {kind(view.discard_top)} on top"
    used = f"used up {view.exhaustions} of {step.last_exhaustion} times"
    final = ", the game ends" if view.final else ""
    yield Text(f"Deck {view.deck_size} · discard pile {view.discard_size}{top} · {used}{final}")
    if step.deck:
        more = " …" if len(step.deck) > SHOWN_OF_DECK else ""
        yield Text.assemble("Next in the deck: ", beans(step.deck[:SHOWN_OF_DECK]), more)


def _offer(offer: OfferView) -> str:
    gives = ", ".join(numbered(card) for card in offer.give) or "nothing"
    answers = "" if offer.answers is None else f", answers {offer.answers}"
    rejected = f", rejected by {', '.join(map(seat, offer.rejected_by))}" if offer.rejected_by else ""
    wants = wanted(offer.want, offer.want_cards)
    return f"Offer {offer.offer}: {seat(offer.author)} gives {seat(offer.to)} {gives} for {wants}{answers}{rejected}"


def _ranking(result: Result) -> Text:
    rows = [
        Text(
            f"{row.rank}. seat {row.seat}: {counted(row.coins, 'coin')}, {counted(row.hand_size, 'card')}"
            + (", winner" if row.seat in result.winners else ""),
            "bold" if row.seat in result.winners else "",
        )
        for row in result.ranking
    ]
    return Text.assemble("Ranking: ", Text(" · ").join(rows))
