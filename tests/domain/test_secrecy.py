"""Nobody learns what the rules hide: not by a view, an event, a list of actions, or a refusal
(pitfalls D1 to D4, D7, D9; edge case 57)."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.actions import actions
from domain.events import (
    CardsDrawn,
    decode_event,
    encode_event,
)
from domain.evolve import evolve, fold, initial
from domain.redaction import AUDIENCES, redact
from domain.views import view
from tests.domain.alternatives import alternative, answer, known_cards, seen_by
from tests.domain.editions import SETUPS, Setup
from tests.domain.play import Game, begun
from tests.domain.random_play import any_command, legal_commands
from tests.domain.scenario import content
from tests.domain.thoroughness import by_chance

quick = by_chance(40)
setups = st.sampled_from(SETUPS)
seeds = st.integers(0, 2**32 - 1)
moves = st.integers(0, 600)
unfinished = st.integers(0, 330)


def played(setup: Setup, seed: int, length: int) -> tuple[Game, Random]:
    """A game after so many moves by chance, or at its end."""
    game, chance = begun(setup, seed=seed.to_bytes(32, "big")), Random(seed)
    for _, (seat, command) in zip(range(length), legal_commands(game.state, chance), strict=False):
        game.act(seat, command)
    return game, chance


@quick
@given(setups, seeds, unfinished, st.data())
def test_two_games_that_differ_in_hidden_cards_look_the_same(
    setup: Setup, seed: int, length: int, data: st.DataObject
) -> None:
    """Non-interference: identical bytes at every version, for a seat or a spectator."""
    game, chance = played(setup, seed, length)
    if game.state.status != "running":
        return
    viewer = data.draw(st.sampled_from([*range(setup.players), None]))
    other = alternative(game.history, viewer, chance)
    real, unreal = initial("a-game"), initial("a-game")
    for event, told_otherwise in zip(game.history, other, strict=True):
        assert encode_event(redact(event, viewer)) == encode_event(redact(told_otherwise, viewer))
        evolve(real, event)
        evolve(unreal, told_otherwise)
        assert seen_by(real, viewer) == seen_by(unreal, viewer)
    if viewer is None:
        return
    assert msgspec.json.encode(actions(real, viewer)) == msgspec.json.encode(actions(unreal, viewer))
    for _ in range(60):
        _, command = any_command(real, chance)
        assert answer(real, viewer, command, game.seed) == answer(unreal, viewer, command, game.seed), command


def test_the_alternatives_are_really_different_games() -> None:
    """Else the test above would compare a game with itself."""
    game, chance = played(Setup("classic", 4), 7, 150)
    for viewer in (0, 1, 2, 3, None):
        other = fold("a-game", alternative(game.history, viewer, chance))
        assert content(other) != content(game.state)
        assert other.deck != game.state.deck
        hidden = [seat for index, seat in enumerate(game.state.seats) if index != viewer]
        hidden_otherwise = [seat for index, seat in enumerate(other.seats) if index != viewer]
        assert [seat.hand for seat in hidden] != [seat.hand for seat in hidden_otherwise]


def test_a_viewer_knows_the_own_hand_and_no_other_in_full() -> None:
    game, _ = played(Setup("classic", 5), 11, 120)
    for viewer in range(5):
        known = known_cards(game.history, viewer)
        assert set(game.state.seats[viewer].hand) <= known
        others = {card for index, seat in enumerate(game.state.seats) if index != viewer for card in seat.hand}
        assert not others <= known


@quick
@given(setups, seeds, moves)
def test_folding_what_a_viewer_was_sent_gives_the_view(setup: Setup, seed: int, length: int) -> None:
    """Byte-equal at every version, for every seat and for a spectator."""
    game, _ = played(setup, seed, length)
    viewers = [*range(setup.players), None]
    clients = {viewer: initial("a-game") for viewer in viewers}
    live = initial("a-game")
    for event in game.history:
        evolve(live, event)
        for viewer, client in clients.items():
            evolve(client, decode_event(encode_event(redact(event, viewer))))
            assert seen_by(client, viewer) == seen_by(live, viewer)


def test_after_the_end_everybody_may_have_everything() -> None:
    game, _ = played(Setup("classic", 4), 5, 10_000)
    assert game.state.status == "ended"
    for viewer in (0, 3, None):
        assert [redact(event, viewer, revealed=True) for event in game.history] == game.history


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_no_payload_of_a_running_game_holds_the_seed(setup: Setup) -> None:
    """No seed before the end (pitfall D4)."""
    game, _ = played(setup, 3, 60)
    assert game.state.status == "running"
    seed = game.seed.hex().encode()
    for viewer in (*range(setup.players), None):
        assert not any(seed in encode_event(redact(event, viewer)) for event in game.history)
        assert seed not in seen_by(game.state, viewer)


def test_other_hands_are_a_number_of_cards() -> None:
    """Hand of others = count only (pitfall D9)."""
    game, _ = played(Setup("classic", 4), 2, 60)
    for viewer in (0, 1, 2, 3, None):
        for seat in view(game.state, viewer).seats:
            assert seat.hand_size == len(game.state.seats[seat.seat].hand)
            assert (seat.hand is not None) == (seat.seat == viewer)


def test_a_drawn_card_is_a_number_without_a_kind_to_others() -> None:
    """A draw tells the others a count (pitfall D3)."""
    game, _ = played(Setup("classic", 4), 2, 200)
    draws = [event for event in game.history if isinstance(event, CardsDrawn)]
    assert draws
    for draw in draws:
        for viewer in (0, 1, 2, 3, None):
            seen = redact(draw, viewer)
            assert isinstance(seen, CardsDrawn)
            assert [card.card for card in seen.cards] == [card.card for card in draw.cards]
            if viewer == draw.seat:
                assert seen == draw
            else:
                assert all(card.bean is None for card in seen.cards)


def test_an_event_without_an_audience_reaches_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail closed (pitfall D7)."""
    monkeypatch.delitem(AUDIENCES, CardsDrawn)
    with pytest.raises(KeyError):
        redact(CardsDrawn(0, []), None)
