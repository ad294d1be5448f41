"""Which refusal a command gets in which phase: a table to be read, and the list of all codes."""

from typing import Final, get_args

import pytest

from domain.commands import (
    Accept,
    BuyField,
    Command,
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
from domain.refusal import REFUSAL_CODES
from domain.state import Phase, Status
from tests.domain.scenario import At, Scenario, given

ACTIVE: Final = 0
OTHER: Final = 1
GONE: Final = 777


def table_in(phase: Phase) -> Scenario:
    """Seat 0 is active; seats 0 and 1 have a hand, a planted field and coins. In phase 2 offer 1 goes from seat 0
    to seat 1, offer 2 from seat 1 to seat 0; in phase 3 both have a pending card."""
    settling = phase == "settle"
    game = given(
        {
            ACTIVE: At(
                hand="red:1 soy:2",
                fields="blue:51 | wax:53 wax:54",
                coins="green x3",
                pending="red:7" if settling else "",
            ),
            OTHER: At(hand="red:3 soy:4", fields="blue:61 | empty", pending="soy:8" if settling else ""),
        },
        phase=phase,
        face_up="chili:31 stink:32" if phase == "trade" else "",
    )
    if phase == "trade":
        game.after(ACTIVE, Offer(to=OTHER, give=[2], want={"red": 1}))
        game.after(OTHER, Offer(to=ACTIVE, give=[4], want_cards=[31]))
    return game


# Command, then what the active player and the other get in the phases plant, trade, settle; - is wrong_phase.
TABLE: Final[list[tuple[Command, str, str, str]]] = [
    (Plant(1, 1), "field_occupied not_your_turn", "- -", "unknown_card unknown_card"),
    (Plant(2, 1), "not_front_card not_your_turn", "- -", "unknown_card unknown_card"),
    (Plant(3, 1), "unknown_card not_your_turn", "- -", "unknown_card unknown_card"),
    (Plant(7, 1), "unknown_card not_your_turn", "- -", "field_occupied unknown_card"),
    (Plant(8, 1), "unknown_card not_your_turn", "- -", "unknown_card legal"),
    (Plant(GONE, 0), "unknown_card not_your_turn", "- -", "unknown_card unknown_card"),
    (Plant(1, 2), "no_such_field not_your_turn", "- -", "unknown_card unknown_card"),
    (Plant(8, 9), "unknown_card not_your_turn", "- -", "unknown_card no_such_field"),
    (Reveal(), "must_plant_first not_your_turn", "- -", "- -"),
    (EndTrading(), "- -", "legal not_your_turn", "- -"),
    (Offer(to=1, give=[1]), "- -", "legal not_a_party", "- -"),
    (Offer(to=0, give=[3]), "- -", "not_a_party legal", "- -"),
    (Offer(to=2, want={"red": 1}), "- -", "legal not_a_party", "- -"),
    (Offer(to=None, give=[31]), "- -", "legal not_a_party", "- -"),
    (Offer(to=0, give=[31]), "- -", "not_a_party unknown_card", "- -"),
    (Offer(to=9, give=[1]), "- -", "not_a_party not_a_party", "- -"),
    (Offer(to=1), "- -", "empty_offer empty_offer", "- -"),
    (Offer(to=0, want_cards=[1]), "- -", "not_a_party unknown_card", "- -"),
    (Offer(to=1, give=[51]), "- -", "unknown_card not_a_party", "- -"),
    (Offer(to=1, give=[GONE]), "- -", "unknown_card not_a_party", "- -"),
    (Offer(to=1, give=[1], answers=2), "- -", "legal not_a_party", "- -"),
    (Offer(to=1, give=[1], answers=1), "- -", "not_a_party not_a_party", "- -"),
    (Offer(to=1, give=[1], answers=9), "- -", "offer_not_found not_a_party", "- -"),
    (Accept(1, [3]), "- -", "not_a_party legal", "- -"),
    (Accept(1, [4]), "- -", "not_a_party offer_mismatch", "- -"),
    (Accept(1, [1]), "- -", "not_a_party unknown_card", "- -"),
    (Accept(1), "- -", "not_a_party offer_mismatch", "- -"),
    (Accept(2, [31]), "- -", "legal not_a_party", "- -"),
    (Accept(2, [32]), "- -", "offer_mismatch not_a_party", "- -"),
    (Accept(9), "- -", "offer_not_found offer_not_found", "- -"),
    (Reject(1), "- -", "not_a_party legal", "- -"),
    (Reject(2), "- -", "legal not_a_party", "- -"),
    (Reject(9), "- -", "offer_not_found offer_not_found", "- -"),
    (Withdraw(1), "- -", "legal not_a_party", "- -"),
    (Withdraw(2), "- -", "not_a_party legal", "- -"),
    (Withdraw(9), "- -", "offer_not_found offer_not_found", "- -"),
    (Harvest(0), "bean_protected legal", "bean_protected legal", "bean_protected legal"),
    (Harvest(1), "legal field_empty", "legal field_empty", "legal field_empty"),
    (Harvest(2), "no_such_field no_such_field", "no_such_field no_such_field", "no_such_field no_such_field"),
    (BuyField(), "legal not_enough_coins", "legal not_enough_coins", "legal not_enough_coins"),
    (Discard(1), "- -", "- -", "- -"),
    (EndTurn(), "- -", "- -", "- -"),
]  # fmt: skip
PHASES: Final[tuple[Phase, ...]] = ("plant", "trade", "settle")


@pytest.mark.parametrize(
    ("command", "phase", "seat", "answer"),
    [
        pytest.param(command, phase, seat, answers.split()[seat], id=f"{phase}-{seat}-{command}")
        for command, *columns in TABLE
        for phase, answers in zip(PHASES, columns, strict=True)
        for seat in (ACTIVE, OTHER)
    ],
)
def test_every_command_in_every_phase(command: Command, phase: Phase, seat: int, answer: str) -> None:
    outcome = table_in(phase).when(seat, command)
    if answer == "legal":
        outcome.legal()
    else:
        outcome.refused("wrong_phase" if answer == "-" else answer)


@pytest.mark.parametrize("status", [status for status in get_args(Status) if status != "running"])
@pytest.mark.parametrize("command", [row[0] for row in TABLE], ids=str)
def test_nothing_can_be_done_while_no_game_is_running(command: Command, status: Status) -> None:
    game = table_in("trade")
    game.state.status = status
    for seat in range(4):
        game.when(seat, command).refused("game_not_running")


def test_the_codes_are_those_of_the_design() -> None:
    design = {
        "not_your_turn",
        "wrong_phase",
        "not_front_card",
        "must_plant_first",
        "already_planted_two",
        "unknown_card",
        "no_such_field",
        "field_occupied",
        "bean_protected",
        "field_empty",
        "not_enough_coins",
        "field_not_for_sale",
        "empty_offer",
        "not_a_party",
        "offer_not_found",
        "offer_mismatch",
        "game_not_running",
        "game_full",
    }
    assert set(REFUSAL_CODES) == design | {"seats_open", "already_started", "too_many_offers"}
