"""Commands to try a game with, drawn by Hypothesis: listed ones with any choice made, and whatever may stand in the
body of a request, its numbers near those that mean something."""

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from hypothesis import strategies as st

from domain.actions import AcceptChoices, Action, OfferChoices
from domain.beans import BEANS
from domain.commands import MOST_WANTED, Accept, Command, Offer
from domain.state import State
from tests.domain.conservation import numbered_cards

Body = dict[str, object]
"""The JSON of a command, which need not be one."""

_TYPES: Final = get_args(Command)


@st.composite
def bodies(draw: st.DrawFn, state: State) -> Body:
    """Any type of command with all its fields."""
    kind = draw(st.sampled_from(_TYPES))
    values = {name: draw(_NEAR[name](state)) for name in kind.__struct_fields__}
    return {"type": kind.__struct_config__.tag, **values}


@st.composite
def spoilt(draw: st.DrawFn, state: State, body: Body) -> Body:
    """The same with one of its fields drawn anew, where it has any."""
    names = [name for name in body if name != "type"]
    if not names:
        return body
    name = draw(st.sampled_from(names))
    return {**body, name: draw(_NEAR[name](state))}


@st.composite
def chosen(draw: st.DrawFn, action: Action) -> Command:
    """The action's command, what it leaves open chosen."""
    match action.choices:
        case None:
            return action.command
        case OfferChoices() as choices:
            assert isinstance(action.command, Offer)
            give = draw(_some_of(choices.give, most=3))
            want = draw(st.dictionaries(st.sampled_from([*choices.want][:8]), st.integers(1, 2), max_size=2))
            want_cards = draw(_some_of(choices.want_cards, most=2))
            if not (give or want or want_cards):
                return action.command
            to = draw(st.sampled_from(choices.to))
            return Offer(to=to, give=give, want=want, want_cards=want_cards, answers=action.command.answers)
        case AcceptChoices() as choices:
            assert isinstance(action.command, Accept)
            picks = [draw(st.permutations(pick.cards))[: pick.count] for pick in choices.picks]
            return Accept(action.command.offer, [card for pick in picks for card in pick])
        case _:
            assert_never(action.choices)


def _some_of(cards: list[int], *, most: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(cards), unique=True, max_size=most) if cards else st.just([])


def _card(state: State) -> st.SearchStrategy[int]:
    """A card that lies somewhere, one that is gone, one that comes next, or none at all."""
    numbers = sorted(number for number, _ in numbered_cards(state))
    anywhere = st.integers(0, state.next_card + 2)
    return st.one_of(st.sampled_from(numbers), anywhere) if numbers else anywhere


def _hand_card(state: State) -> st.SearchStrategy[int]:
    """Mostly a card that somebody could give, of whatever seat."""
    cards = [*state.face_up, *state.gifts]
    for seat in state.seats:
        cards += [*seat.hand, *seat.pending]
    return st.one_of(st.sampled_from(cards), _card(state)) if cards else _card(state)


def _cards(state: State) -> st.SearchStrategy[list[int]]:
    return st.lists(_hand_card(state), max_size=3)


def _field(_: State) -> st.SearchStrategy[int]:
    return st.integers(-1, 4)


def _addressee(state: State) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(-1, len(state.seats))


def _want(_: State) -> st.SearchStrategy[dict[str, int]]:
    counts = st.sampled_from([1, 1, 2, 3, 0, MOST_WANTED, MOST_WANTED + 1])
    return st.dictionaries(st.sampled_from([*BEANS, "lima"]), counts, max_size=2)


def _offer(state: State) -> st.SearchStrategy[int]:
    """An open one or one that is closed; the next number, and none."""
    open_offers = [*state.offers]
    anyone = st.integers(0, state.next_offer + 1)
    return st.one_of(st.sampled_from(open_offers), anyone) if open_offers else anyone


def _answered(state: State) -> st.SearchStrategy[int | None]:
    return st.none() | _offer(state)


_NEAR: Final[dict[str, Callable[[State], st.SearchStrategy[Any]]]] = {
    "card": _hand_card,
    "field": _field,
    "to": _addressee,
    "give": _cards,
    "want": _want,
    "want_cards": _cards,
    "answers": _answered,
    "offer": _offer,
}
"""Values for the fields of commands, by the name of the field; a new field of a command needs its row."""
