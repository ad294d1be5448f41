"""What a seat could do after a version, in words: a line for each action, and nothing left out."""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rich.console import Group
from rich.text import Text

from domain.actions import AcceptChoices, Action, OfferChoices
from domain.commands import (
    Accept,
    BuyField,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.views import View
from services.screen.words import NOTHING, counted, kind, numbered, seat

NO_SEAT: Final = "Only a seat can do something: v changes the viewer."


def legal(view: View, actions: Sequence[Action]) -> Group:
    """For the seat whose view that is, and whose actions."""
    if view.viewer is None:
        return Group(Text(NO_SEAT))
    if not actions:
        return Group(Text(f"Seat {view.viewer} could do nothing then."))
    lines = (Text(f"  {line}") for line in possible(view, actions))
    return Group(Text(f"Seat {view.viewer} could do then:", "bold"), *lines)


def possible(view: View, actions: Iterable[Action]) -> list[str]:
    """Each action in words; `view` has the cards that they name."""
    words = _Words(view)
    return [words.said(action) for action in actions]


class _Words:
    """Knows the cards of one view by their numbers."""

    def __init__(self, view: View) -> None:
        own = [] if view.viewer is None else [view.seats[view.viewer]]
        hands = [card for seat_view in own for card in (*(seat_view.hand or ()), *seat_view.pending)]
        self._cards = {card.card: numbered(card) for card in (*hands, *view.face_up, *view.gifts)}
        self._fields = [field for seat_view in own for field in seat_view.fields]

    def said(self, action: Action) -> str:
        """What the command does."""
        command = action.command
        match command:
            case Plant():
                return f"plant {self._card(command.card)} in field {command.field}"
            case Discard():
                return f"discard {self._card(command.card)}"
            case Reveal():
                return "turn up cards"
            case EndTrading():
                return "end the trading"
            case EndTurn():
                return "end the turn"
            case Harvest():
                field = self._fields[command.field]
                planted = "" if field is None else f": {counted(field.count, f'{kind(field.bean)} bean')}"
                return f"harvest field {command.field}{planted}"
            case BuyField():
                return "buy a field"
            case Offer():
                return self._offer(command, action.choices)
            case Accept():
                return self._accept(command, action.choices)
            case Reject():
                return f"reject offer {command.offer}"
            case Withdraw():
                return f"withdraw offer {command.offer}"
            case _:
                assert_never(command)

    def _offer(self, command: Offer, choices: OfferChoices | AcceptChoices | None) -> str:
        what = "make an offer" if command.answers is None else f"answer offer {command.answers} with another one"
        if not isinstance(choices, OfferChoices):
            return what
        to = " or ".join(map(seat, choices.to))
        up = f" or of {self._listed(choices.want_cards)}" if choices.want_cards else ""
        return f"{what} to {to}: any of {self._listed(choices.give)} for beans of any kind{up}"

    def _accept(self, command: Accept, choices: OfferChoices | AcceptChoices | None) -> str:
        if not isinstance(choices, AcceptChoices):
            return f"accept offer {command.offer}"
        picks = " and ".join(
            self._listed(pick.cards) if pick.count == len(pick.cards) else f"{pick.count} of {self._listed(pick.cards)}"
            for pick in choices.picks
        )
        return f"accept offer {command.offer} and give {picks}"

    def _listed(self, cards: Sequence[int]) -> str:
        return ", ".join(map(self._card, cards)) or NOTHING

    def _card(self, card: int) -> str:
        return self._cards.get(card, f"#{card}")
