"""The casual player knows every edition: it plays to the end, always by commands that are listed for its seat, and
uses what is special about an edition."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from domain.actions import actions
from domain.bots.casual import choose
from domain.commands import Command
from domain.events import BeanPlanted, CardDiscarded, CardsSwept, Event, FieldBought, FieldHarvested, GameEnded
from domain.state import State
from domain.views import view
from tests.domain.conservation import check_conserved
from tests.domain.editions import PRINTING_B, SETUPS, Setup, final_exhaustion
from tests.domain.listing import is_listed
from tests.domain.play import begun


def moves(state: State, chance: Random) -> Iterator[tuple[int, Command]]:
    """Whoever wants to move, one after the other, until the game has ended."""
    seats = list(range(len(state.seats)))
    rounds = 0
    while state.status == "running":
        rounds += 1
        assert rounds < 1000, "nobody wants to move"
        chance.shuffle(seats)
        for seat in seats:
            listed = actions(state, seat)
            command = choose(view(state, seat), listed, chance)
            if command is not None:
                assert is_listed(listed, command), command
                rounds = 0
                yield seat, command
                break


def played(setup: Setup, seed: int) -> list[Event]:
    """A whole game."""
    game = begun(setup, seed=seed.to_bytes(32, "big"))
    for seat, command in moves(game.state, Random(seed)):
        game.act(seat, command)
        check_conserved(game.state)
    assert game.state.exhaustions == final_exhaustion(setup)
    return game.history


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_game_of_casual_players_comes_to_its_end(setup: Setup) -> None:
    last = played(setup, 1)[-1]
    assert isinstance(last, GameEnded)
    assert any(row.coins for row in last.ranking)


@pytest.mark.parametrize("setup", [Setup("classic", 2), Setup("classic", 2, PRINTING_B)], ids=str)
def test_in_a_duel_it_takes_gifts_discards_and_keeps(setup: Setup) -> None:
    events = [event for seed in range(3) for event in played(setup, seed)]
    sources = Counter(event.source for event in events if isinstance(event, BeanPlanted))
    assert set(sources) == {"hand", "gift", "face_up"}
    assert any(isinstance(event, CardDiscarded) for event in events)
    assert any(isinstance(event, CardsSwept) for event in events)
    assert any(isinstance(event, FieldBought) for event in events) == (setup.options != PRINTING_B)


def test_with_field_beans_it_gets_a_third_field() -> None:
    events = [event for seed in range(6) for event in played(Setup("field_beans", 4), seed)]
    granted = [event for event in events if isinstance(event, FieldHarvested) and event.bean == "field_bean"]
    assert any(event.count == 2 and not event.final for event in granted)
    assert any(isinstance(event, BeanPlanted) and event.field == 2 for event in events)
