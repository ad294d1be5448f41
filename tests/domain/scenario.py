"""Given / when / then: a table laid out in one line each, a command, and what must follow.

Cards are written as kinds: `red`, `red:7` (card number 7) or `red x3` (three of them). Fields are
separated by bars: `blue x4 | red | empty`. Hands run from the front, the deck from its top, the
discard pile and the coins from the bottom. Whatever is not laid out lies in the deck, or in the box
when the deck is written out, so that no constructed game has more or fewer cards than a real one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, pairwise
from typing import Final, get_args

import msgspec
from msgspec import Struct

from domain.beans import BEANS, Bean
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, Options
from domain.evolve import evolve, initial
from domain.refusal import Refused
from domain.rulesets import RULES_VERSION, table_for
from domain.shuffle import commitment
from domain.state import Field, Phase, Seat, State
from tests.domain.conservation import check_conserved

SEED: Final = bytes(range(32))
GAME: Final = "a-game"
_UNNUMBERED_FROM: Final = 1001
"""Cards without a number in the notation get numbers from here on."""


class At(Struct, frozen=True):
    """What lies before one seat."""

    hand: str = ""
    fields: str = ""
    pending: str = ""
    coins: str = ""
    bought: bool = False


class Outcome:
    """What a command led to; must be compared with what the rules say."""

    def __init__(self, events: list[Event], refusal: Refused | None) -> None:
        self.events = events
        self._refusal = refusal

    def then(self, *expected: Event) -> None:
        """Exactly these events, in this order."""
        assert self._refusal is None, f"refused: {self._refusal}"
        assert self.events == [*expected]

    def legal(self) -> list[Event]:
        """Not refused; gives the events."""
        assert self._refusal is None, f"refused: {self._refusal}"
        return self.events

    def refused(self, code: str) -> None:
        """Refused for that reason."""
        assert self._refusal is not None, f"allowed: {self.events}"
        assert self._refusal.code == code
        assert self._refusal.detail


class Scenario:
    """A game in play, with every card accounted for after every event."""

    def __init__(self, state: State) -> None:
        self.state = state
        check_conserved(state)

    def when(self, seat: int, command: Command) -> Outcome:
        """That seat asks for that. The table moves on if the rules allow it."""
        before = content(self.state)
        try:
            events = decide(self.state, seat, command, SEED)
        except Refused as refusal:
            assert content(self.state) == before, "a refused command has changed the game"
            return Outcome([], refusal)
        assert content(self.state) == before, "deciding has changed the game"
        for event in events:
            evolve(self.state, event)
            check_conserved(self.state)
        return Outcome(events, None)

    def after(self, seat: int, command: Command) -> "Scenario":
        """A step on the way that must be legal."""
        self.when(seat, command).legal()
        return self

    def hand(self, seat: int) -> str:
        return _written(self.state.seats[seat].hand)

    def pending(self, seat: int) -> str:
        return _written(self.state.seats[seat].pending)

    def fields(self, seat: int) -> str:
        return " | ".join(
            "empty" if field.bean is None else f"{field.bean} x{len(field.cards)}"
            for field in self.state.seats[seat].fields
        )

    def coins(self, seat: int) -> int:
        return len(self.state.seats[seat].coins)

    @property
    def face_up(self) -> str:
        return _written(self.state.face_up)

    @property
    def discard(self) -> str:
        return " ".join(str(bean) for bean in self.state.discard)

    @property
    def offers(self) -> list[int]:
        return [*self.state.offers]

    @property
    def gifts(self) -> str:
        return _written(self.state.gifts)

    @property
    def box(self) -> Counter[str]:
        return Counter(str(bean) for bean in self.state.box)


def given(
    seats: Mapping[int, At],
    *,
    players: int = 4,
    ruleset: str = "classic",
    options: Options = Options(),  # noqa: B008 - it is frozen
    phase: Phase = "plant",
    active: int = 0,
    start: int = 0,
    planted: int = 0,
    deck: str | None = None,
    discard: str = "",
    face_up: str = "",
    gifts: str = "",
    exhaustions: int = 0,
    final: bool = False,
) -> Scenario:
    """A table in the middle of a game."""
    numbers = count(_UNNUMBERED_FROM)
    table = table_for(ruleset, players, options)
    state = initial(GAME)
    state.version = 100
    state.status = "running"
    state.ruleset = ruleset
    state.options = options
    state.rules_version = RULES_VERSION
    state.host = "player-0"
    state.commitment = commitment(SEED)
    state.seats = [_seat(f"player-{index}", seats.get(index, At()), table.fields, numbers) for index in range(players)]
    state.phase = phase
    state.active = active
    state.start_seat = start
    state.turn = 9
    state.planted = planted
    state.exhaustions = exhaustions
    state.final_exhaustion = final
    state.shuffles = 1 + exhaustions
    state.face_up = dict(_cards(face_up, numbers))
    state.gifts = dict(_cards(gifts, numbers))
    state.discard = [*_kinds(discard)]
    state.next_card = next(numbers)
    _lay_out_the_rest(state, deck)
    return Scenario(state)


def content(state: State) -> bytes:
    """Everything of a state, the order of every pile and hand included."""
    return msgspec.msgpack.encode(state)


def _lay_out_the_rest(state: State, deck: str | None) -> None:
    laid_out = [bean for seat in state.seats for bean in (*seat.hand.values(), *seat.pending.values())]
    laid_out += [bean for seat in state.seats for bean in seat.coins.values()]
    laid_out += [field.bean for seat in state.seats for field in seat.fields for _ in field.cards]
    laid_out += [*state.face_up.values(), *state.gifts.values(), *state.discard]
    written = [] if deck is None else [*_kinds(deck)]
    rest = Counter[Bean | None](state.table.deck)
    rest.subtract([*laid_out, *written])
    assert min(rest.values()) >= 0, f"more cards than the game has: {rest}"
    # Spread, so that no two neighbours of the deck are of one kind without need.
    spread = sorted((place / copies, kind) for kind, copies in rest.items() if kind for place in range(copies))
    others: list[Bean | None] = [kind for _, kind in spread]
    state.deck = others if deck is None else [*reversed(written)]
    state.box = [] if deck is None else others


def _seat(player: str, at: At, fields: int, numbers: Iterator[int]) -> Seat:
    plots = [_field(plot, numbers) for plot in at.fields.split("|")] if at.fields else []
    plots += [Field() for _ in range(fields - len(plots))]
    return Seat(
        player=player,
        hand=dict(_cards(at.hand, numbers)),
        fields=plots,
        pending=dict(_cards(at.pending, numbers)),
        coins=dict(_cards(at.coins, numbers)),
        bought_field=at.bought,
    )


def _field(plot: str, numbers: Iterator[int]) -> Field:
    if plot.strip() == "empty":
        return Field()
    cards = [*_cards(plot, numbers)]
    kinds = {bean for _, bean in cards}
    assert len(kinds) == 1, f"a field holds one kind: {plot}"
    return Field(kinds.pop(), [number for number, _ in cards])


def _cards(notation: str, numbers: Iterator[int]) -> Iterator[tuple[int, Bean]]:
    for word, copies in _words(notation):
        name, _, number = word.partition(":")
        for _ in range(copies):
            yield (int(number) if number else next(numbers)), bean_named(name)


def _kinds(notation: str) -> Iterator[Bean]:
    for word, copies in _words(notation):
        yield from [bean_named(word)] * copies


def _words(notation: str) -> Iterator[tuple[str, int]]:
    words = [*notation.split(), ""]
    for word, following in pairwise(words):
        if not _is_count(word):
            yield word, int(following[1:]) if _is_count(following) else 1


def _is_count(word: str) -> bool:
    return word.startswith("x") and word[1:].isdigit()


def bean_named(name: str) -> Bean:
    """The kind of that name."""
    assert name in get_args(Bean), f"no bean kind: {name}"
    return next(bean for bean in BEANS if bean == name)


def _written(cards: Mapping[int, Bean | None]) -> str:
    return " ".join(f"{bean}:{number}" for number, bean in cards.items())
