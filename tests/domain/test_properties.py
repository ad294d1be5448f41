"""What holds in every game that can be played: edge cases 12, 83 and 99 of the rules, section 12, and
pitfalls A6, E8, H2. Games are played by chance; a failure is shrunk to the fewest moves that show it."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.actions import actions
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, GameEnded, decode_event, encode_event
from domain.evolve import evolve, fold, initial
from domain.refusal import Refused
from domain.state import State, copy_of
from tests.domain.conservation import check_conserved, numbered_cards
from tests.domain.editions import SETUPS, Setup, final_exhaustion
from tests.domain.going_on import check_that_it_goes_on
from tests.domain.listing import drawn, is_listed
from tests.domain.play import Game
from tests.domain.play import begun as begun_with
from tests.domain.random_play import any_command, legal_commands
from tests.domain.scenario import content
from tests.domain.thoroughness import by_chance, tries

quick = by_chance(60)
setups = st.sampled_from(SETUPS)
seeds = st.integers(0, 2**32 - 1)
moves = st.integers(0, 3000)


def begun(setup: Setup, seed: int) -> tuple[Game, Random]:
    return begun_with(setup, seed=seed.to_bytes(32, "big")), Random(seed)


def attempts(state: State, chance: Random) -> Iterator[tuple[int, Command]]:
    """Legal and illegal commands in turn."""
    for move in legal_commands(state, chance):
        yield move
        for _ in range(chance.choice([0, 0, 1, 2])):
            if state.status == "running":
                yield any_command(state, chance)


@quick
@given(setups, seeds, moves)
def test_83_every_card_is_in_one_place_after_every_event(setup: Setup, seed: int, length: int) -> None:
    """Conservation invariant after every event of random games, by number and by kind; numbers are never reused."""
    game, chance = begun(setup, seed)
    kinds: dict[int, object] = {}
    live = initial("a-game")
    seen = 0
    for _, (seat, command) in zip(range(length), attempts(game.state, chance), strict=False):
        try:
            game.act(seat, command)
        except Refused:
            continue
        for event in game.history[seen:]:
            evolve(live, event)
            if live.shuffles:
                check_conserved(live)
            for number, bean in numbered_cards(live):
                assert kinds.setdefault(number, bean) == bean, f"card {number} was another kind before"
        seen = len(game.history)


@quick
@given(setups, seeds, moves)
def test_99_the_history_replays_to_the_identical_state(setup: Setup, seed: int, length: int) -> None:
    """Replaying the event log from the start gives the identical state, including deck order after reshuffles,
    at every version, and through the stored bytes (pitfalls E8, E9)."""
    game, chance = begun(setup, seed)
    folded = fold("a-game", [decode_event(encode_event(event)) for event in game.history])
    assert content(folded) == content(game.state)
    for _, (seat, command) in zip(range(length), legal_commands(game.state, chance), strict=False):
        before = copy_of(game.state)
        events = decide(game.state, seat, command, game.seed)
        assert content(game.state) == content(before), "deciding has changed the state"
        assert decide(before, seat, command, game.seed) == events, "deciding twice gives two answers"
        for event in events:
            game.take([event])
            payload = encode_event(event)
            assert encode_event(decode_event(payload)) == payload
            evolve(folded, decode_event(payload))
            assert content(folded) == content(game.state)
            assert game.state.version == len(game.history)
    assert content(fold("a-game", game.history)) == content(game.state)


@quick
@given(setups, seeds, moves)
def test_whoever_must_act_can(setup: Setup, seed: int, length: int) -> None:
    """Every reachable state has a legal move for whoever must act (edge case 12 among them)."""
    game, chance = begun(setup, seed)
    for _, (seat, command) in zip(range(length), legal_commands(game.state, chance), strict=False):
        game.act(seat, command)
        check_that_it_goes_on(game.state, game.seed)


@quick
@given(setups, seeds, moves)
def test_what_is_listed_is_legal_and_nothing_else(setup: Setup, seed: int, length: int) -> None:
    """Every listed action is accepted as it stands and with any choice; an unlisted command is refused."""
    game, chance = begun(setup, seed)
    for _, (mover, move) in zip(range(length), legal_commands(game.state, chance), strict=False):
        if chance.random() < 0.2:
            for seat in range(setup.players):
                for action in actions(game.state, seat):
                    assert is_listed([action], action.command)
                    assert decide(game.state, seat, action.command, game.seed)
                    chosen = drawn(action, chance)
                    assert is_listed([action], chosen)
                    assert decide(game.state, seat, chosen, game.seed)
        for _ in range(4):
            seat, command = any_command(game.state, chance)
            listed = is_listed(actions(game.state, seat), command)
            assert accepted(game.state, seat, command, game.seed) == listed, (seat, command)
        game.act(mover, move)


def accepted(state: State, seat: int, command: Command, seed: bytes) -> bool:
    before = content(state)
    try:
        decide(state, seat, command, seed)
    except Refused:
        return False
    finally:
        assert content(state) == before, "deciding has changed the state"
    return True


# Which events may come in which phase, and which phase the table is in afterwards (pitfall A6).
PHASES_OF_EVENTS: dict[str, set[str | None]] = {
    "game_started": {None},
    "cards_dealt": {None},
    "deck_shuffled": {None, "plant", "trade", "settle"},
    "turn_started": {None, "settle", "keep"},
    "bean_planted": {"plant", "settle", "gifts", "keep"},
    "cards_revealed": {"plant", "trade"},
    "trade_offered": {"trade"},
    "offer_withdrawn": {"trade"},
    "offer_rejected": {"trade"},
    "offer_voided": {"trade"},
    "trade_completed": {"trade"},
    "trading_ended": {"trade"},
    "field_harvested": {"plant", "trade", "settle", "gifts", "keep"},
    "field_bought": {"plant", "trade", "settle", "gifts", "keep"},
    "cards_drawn": {"settle", "keep"},
    "deck_exhausted": {"trade", "settle", "keep"},
    "game_ended": {"settle", "keep"},
    "cards_swept": {"keep"},
    "gifts_left": {"keep"},
    "card_discarded": {"gifts", "plant"},
}
SOURCES = {"plant": "hand", "settle": "pending", "gifts": "gift", "keep": "face_up"}


@quick
@given(setups, seeds, moves)
def test_a_client_never_sees_an_event_of_a_phase_that_it_does_not_know(setup: Setup, seed: int, length: int) -> None:
    """Auto-skipped phases emit their events in order (pitfall A6)."""
    game, chance = begun(setup, seed)
    for _, (seat, command) in zip(range(length), legal_commands(game.state, chance), strict=False):
        game.act(seat, command)
    client = initial("a-game")
    for event in game.history:
        check_phase(client, event)
        evolve(client, event)


def check_phase(client: State, event: Event) -> None:
    if client.version <= len(client.seats):
        return
    tag = str(event.__struct_config__.tag)
    assert client.phase in PHASES_OF_EVENTS[tag], f"{tag} in phase {client.phase}"
    if tag == "bean_planted":
        assert SOURCES[str(client.phase)] == getattr(event, "source", None)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_games_by_chance_come_to_their_end(setup: Setup) -> None:
    """Finite, with one winner at least, and as many exhaustions as the table says."""
    for seed in range(tries(2, 1)):
        game, chance = begun(setup, seed)
        for seat, command in legal_commands(game.state, chance):
            game.act(seat, command)
        last = game.history[-1]
        assert isinstance(last, GameEnded)
        assert last.winners
        assert game.state.exhaustions == final_exhaustion(setup)
        assert [row.coins for row in last.ranking] == sorted((row.coins for row in last.ranking), reverse=True)
        assert {row.seat: row.coins for row in last.ranking} == {
            index: len(seat.coins) for index, seat in enumerate(game.state.seats)
        }
