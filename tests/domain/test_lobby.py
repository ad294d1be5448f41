"""Taking seats, leaving them, and the start of a game."""

import hashlib
from collections.abc import Callable

import pytest

from domain.commands import Reveal
from domain.decide import decide
from domain.events import (
    Event,
    GameAbandoned,
    GameCreated,
    GameStarted,
    Options,
    PlayerJoined,
    PlayerLeft,
    TurnStarted,
)
from domain.evolve import fold
from domain.lobby import create, free_seat, join, leave, start
from domain.refusal import Refused
from domain.rulesets import RULES_VERSION
from domain.state import State
from tests.domain.play import SEED, Game, started


def open_game(seats: int = 3, *, full: bool = False, start_when_full: bool = False) -> State:
    events: list[Event] = create(
        ruleset="classic",
        seats=seats,
        visibility="private",
        options=Options(start_when_full=start_when_full),
        host="ada",
        seed=SEED,
        nonce="salt",
    )
    state = fold("a-game", events)
    if full:
        events += join(state, 1, "bob", "", SEED)
        events += join(fold("a-game", events), 2, "cy", "", SEED)
    return fold("a-game", events)


def test_the_host_sits_on_seat_0_and_the_seed_is_committed_to() -> None:
    events = create(
        ruleset="classic", seats=4, visibility="private", options=Options(), host="ada", seed=SEED, nonce="salt"
    )
    assert events == [
        GameCreated(
            ruleset="classic",
            options=Options(),
            rules_version=RULES_VERSION,
            seats=4,
            visibility="private",
            clock=None,
            host="ada",
            commitment=hashlib.sha256(SEED).hexdigest(),
        ),
        PlayerJoined(0, "ada", "salt"),
    ]


def test_before_its_first_event_a_game_is_at_version_0() -> None:
    assert fold("a-game", []).version == 0
    assert open_game(3).version == 2


def test_whoever_joins_gets_the_lowest_free_seat() -> None:
    state = open_game(4)
    assert free_seat(state) == 1
    assert join(state, 1, "bob", "pepper", SEED) == [PlayerJoined(1, "bob", "pepper")]


def test_a_seat_that_was_given_back_is_free_again() -> None:
    game = Game(4)
    game.take(leave(game.state, 2, SEED))
    assert game.state.seats[2].player is None
    assert free_seat(game.state) == 2
    assert join(game.state, 2, "eve", "", SEED) == [PlayerJoined(2, "eve", "")]


def test_the_eighth_player_finds_no_seat() -> None:
    game = Game(7)
    with pytest.raises(Refused) as refusal:
        free_seat(game.state)
    assert refusal.value.code == "game_full"


def test_a_game_starts_by_itself_if_so_created() -> None:
    state = open_game(3, start_when_full=True)
    (first,) = join(state, 1, "bob", "", SEED)
    state = fold("a-game", [*_events_of(state), first])
    joined, began, *_, turn = join(state, 2, "cy", "", SEED)
    assert joined == PlayerJoined(2, "cy", "")
    assert isinstance(began, GameStarted)
    assert turn == TurnStarted(1, began.start_seat)


def test_a_game_that_starts_by_itself_deals_like_one_that_is_started() -> None:
    by_hand = Game(3)
    dealt = by_hand.start()
    by_itself = Game(3, full=False)
    by_itself.take(join(by_itself.state, 1, "player-1", "nonce-1", SEED))
    by_itself.state.options = Options(start_when_full=True)
    _, *events = join(by_itself.state, 2, "player-2", "nonce-2", SEED)
    assert events == dealt


def test_a_game_with_an_open_seat_does_not_start() -> None:
    with pytest.raises(Refused) as refusal:
        start(open_game(3), SEED)
    assert refusal.value.code == "seats_open"


def test_a_game_starts_once() -> None:
    with pytest.raises(Refused) as refusal:
        start(started(3).state, SEED)
    assert refusal.value.code == "already_started"


def test_nobody_leaves_after_the_start() -> None:
    with pytest.raises(Refused) as refusal:
        leave(started(3).state, 1, SEED)
    assert refusal.value.code == "already_started"


def test_nobody_joins_after_the_start() -> None:
    with pytest.raises(Refused) as refusal:
        free_seat(started(3).state)
    assert refusal.value.code == "game_full"


def test_without_its_host_a_game_is_abandoned() -> None:
    state = open_game(3, full=True)
    events = leave(state, 0, SEED)
    assert events == [PlayerLeft(0), GameAbandoned("host_left", SEED.hex())]
    after = fold("a-game", [*_events_of(state), *events])
    assert after.status == "abandoned"
    with pytest.raises(Refused) as refusal:
        free_seat(after)
    assert refusal.value.code == "game_not_running"
    with pytest.raises(Refused):
        start(after, SEED)
    with pytest.raises(Refused):
        leave(after, 1, SEED)


def test_every_refusal_says_why() -> None:
    """A code for programs, and a sentence for people."""
    abandoned = Game(3)
    abandoned.take(leave(abandoned.state, 0, SEED))
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: free_seat(Game(7).state), "game_full"),
        (lambda: free_seat(abandoned.state), "game_not_running"),
        (lambda: leave(started(3).state, 1, SEED), "already_started"),
        (lambda: start(started(3).state, SEED), "already_started"),
        (lambda: start(open_game(3), SEED), "seats_open"),
    ]
    for refused, code in refusals:
        with pytest.raises(Refused) as refusal:
            refused()
        assert refusal.value.code == code
        assert refusal.value.detail


def test_nobody_plays_before_the_start() -> None:
    with pytest.raises(Refused) as refusal:
        decide(open_game(3, full=True), 0, Reveal(), SEED)
    assert refusal.value.code == "game_not_running"


def _events_of(state: State) -> list[Event]:
    """The events that led to an open game."""
    created = GameCreated(
        ruleset=state.ruleset,
        options=state.options,
        rules_version=state.rules_version,
        seats=len(state.seats),
        visibility=state.visibility,
        clock=None,
        host=state.host,
        commitment=state.commitment,
    )
    seated = [(index, seat) for index, seat in enumerate(state.seats) if seat.player is not None]
    return [created, *(PlayerJoined(index, seat.player or "", seat.nonce) for index, seat in seated)]
