"""Whatever is done to a game, in whatever order, by whomever: nothing breaks it (what is checked after every step
stands in `game_machine`). And what is broken on purpose is found."""

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

import domain.actions
import domain.decide.harvesting
import domain.decide.trading
import domain.evolve
from domain.beans import payout
from domain.cards import Card
from domain.decide.harvesting import protected
from domain.events import CardsDrawn
from domain.redaction import AUDIENCES
from domain.refusal import Refused
from domain.state import Seat, State
from tests.domain.editions import SETUPS, Setup, final_exhaustion
from tests.domain.game_machine import GameMachine

_thorough = settings(
    max_examples=12,
    stateful_step_count=30,
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
Bug = Callable[[pytest.MonkeyPatch], None]
# Of a bug that is there on purpose the first sight is enough.
_until_found = settings(_thorough, max_examples=2000, phases=[Phase.generate], print_blob=False)


def machine_of(setup: Setup) -> type[GameMachine]:
    return type("Machine", (GameMachine,), {"setups": [setup], "reached": Counter()})


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_no_sequence_of_commands_breaks_a_game(setup: Setup) -> None:
    machine = machine_of(setup)
    missed = to_be_reached(setup)
    # What is drawn changes with the code. Where the runs happen to miss something, there are more of them.
    for examples in (12, 60, 300):
        if missed:
            run_state_machine_as_test(machine, settings=settings(_thorough, max_examples=examples))
            missed = [what for what in missed if not machine.reached[what]]
    assert not missed


def to_be_reached(setup: Setup) -> list[str]:
    """What the runs must come across, or they prove little."""
    phases = ["duel gifts", "duel plant", "duel keep"]
    if setup.players > 2:
        phases = ["trading plant", "trading trade", "trading settle"]
    codes = ["game_not_running", "not_your_turn", "wrong_phase", "unknown_card", "field_empty", "no_such_field"]
    return [
        *(f"phase: {phase}" for phase in phases),
        *(f"exhaustions: {count}" for count in range(final_exhaustion(setup))),
        *(f"refused: {code}" for code in codes),
        "happened: game_ended",
        "malformed",
        "on the past: refused",
        "said again: refused",
        "twins that differ",
    ]


def one_coin_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain.decide.harvesting, "payout", lambda bean, count: min(payout(bean, count) + 1, count))


def no_bean_protection(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (domain.decide.harvesting, domain.actions):
        monkeypatch.setattr(module, "protected", lambda _owner, _index: False)


def received_cards_join_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def hand_over(state: State, giver: int, receiver: int, cards: list[Card]) -> None:
        for card in cards:
            state.seats[giver].hand.pop(card.card, None)
            state.face_up.pop(card.card, None)
            state.seats[receiver].hand[card.card] = card.bean

    monkeypatch.setattr(domain.evolve, "_hand_over", hand_over)


def drawn_cards_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AUDIENCES, CardsDrawn, "everyone")


def a_refusal_tells_of_a_hidden_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(state: State, seat: int, numbers: Iterable[int]) -> list[Card]:
        asked = [*numbers]
        for other in state.seats:
            for number in asked:
                if number in other.hand and other is not state.seats[seat]:
                    raise Refused("unknown_card", f"Card {number} is not yours, it is a {other.hand[number]} bean.")
        return own_cards(state, seat, asked)

    own_cards = domain.decide.trading._own_cards
    monkeypatch.setattr(domain.decide.trading, "_own_cards", telling)


def a_refused_harvest_loses_the_bean(monkeypatch: pytest.MonkeyPatch) -> None:
    def losing(owner: Seat, index: int) -> bool:
        lost = protected(owner, index)
        if lost:
            owner.fields[index].cards.clear()
        return lost

    monkeypatch.setattr(domain.decide.harvesting, "protected", losing)


@pytest.mark.parametrize(
    ("bug", "complaint"),
    [
        (one_coin_too_many, "wrong_payout"),
        (no_bean_protection, "bean_protected"),
        (received_cards_join_the_hand, "a hand is not in the order of its numbers"),
        (drawn_cards_are_shown, "the hand of another was told"),
        (a_refusal_tells_of_a_hidden_card, "an answer depends on what is hidden"),
        (a_refused_harvest_loses_the_bean, "a refused command has changed the game"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_bug_is_found(bug: Bug, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError, match=complaint):
        run_state_machine_as_test(machine_of(Setup("classic", 4)), settings=_until_found)
