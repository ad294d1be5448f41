"""Where every card of a game is. Used by all tests: nothing may ever get lost or appear twice."""

from collections import Counter
from collections.abc import Iterator

from domain.beans import Bean
from domain.state import State


def numbered_cards(state: State) -> list[tuple[int, Bean | None]]:
    """Every card that has a number, once for each place where it lies."""
    return [*_numbered(state)]


def _numbered(state: State) -> Iterator[tuple[int, Bean | None]]:
    for seat in state.seats:
        yield from seat.hand.items()
        yield from seat.pending.items()
        yield from seat.coins.items()
        for field in seat.fields:
            for card in field.cards:
                yield card, field.bean
    yield from state.face_up.items()
    yield from state.gifts.items()


def kinds_in_play(state: State) -> Counter[Bean | None]:
    """All cards of the game by kind, wherever they are."""
    piles = (*state.deck, *state.discard, *state.box)
    return Counter([*piles, *(bean for _, bean in _numbered(state))])


def check_conserved(state: State) -> None:
    """The invariant of the rules, section 4, for a game whose deck has been shuffled once."""
    assert kinds_in_play(state) == Counter(state.table.deck)
    numbers = [number for number, _ in _numbered(state)]
    assert len(numbers) == len(set(numbers)), "a card lies in two places"
    assert all(1 <= number < state.next_card for number in numbers)
    for seat in state.seats:
        assert [*seat.hand] == sorted(seat.hand), "a hand is not in the order of its numbers"
        assert all((field.bean is None) == (not field.cards) for field in seat.fields)
