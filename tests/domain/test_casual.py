"""The casual player plays by the rules, to the end, and trades."""

from random import Random

import pytest

from domain import lobby
from domain.actions import actions
from domain.bots.casual import choose
from domain.decide import decide
from domain.events import Options, TradeCompleted
from domain.evolve import evolve, initial
from domain.views import view
from tests.domain.listing import is_listed

SEED = bytes(32)
MOST_COMMANDS = 5_000


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_he_plays_what_is_listed_until_the_game_ends(players: int) -> None:
    dice = Random(players)
    state = initial("a-game")
    events = lobby.create(
        ruleset="classic",
        seats=players,
        visibility="public",
        options=Options(start_when_full=True),
        host="p0",
        seed=SEED,
        nonce="",
    )
    for event in events:
        evolve(state, event)
    for seat in range(1, players):
        for event in lobby.join(state, seat, f"p{seat}", "", SEED):
            evolve(state, event)
    deals = commands = 0
    while state.status == "running":
        for seat in dice.sample(range(players), players):
            listed = actions(state, seat)
            command = choose(view(state, seat), listed, dice)
            if command is None:
                continue
            assert is_listed(listed, command)
            commands += 1
            for event in decide(state, seat, command, SEED):
                deals += isinstance(event, TradeCompleted)
                evolve(state, event)
        assert commands < MOST_COMMANDS
    assert state.status == "ended"
    assert deals > 0
