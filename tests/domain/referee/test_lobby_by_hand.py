"""Before the first turn: small histories written by hand, each with its verdict."""

import hashlib
from typing import Literal

import pytest
from msgspec.structs import replace

from domain.events import (
    BotJoined,
    GameAbandoned,
    GameCreated,
    GameStarted,
    Options,
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    TurnStarted,
)
from domain.referee import judge, judge_events
from domain.referee.history import Line

SEED = bytes(32)
CREATED = GameCreated("classic", Options(), 1, 3, "public", None, "ann", hashlib.sha256(SEED).hexdigest())
OPENED: list[Line] = [(0, CREATED), (0, PlayerJoined(0, "ann", "n"))]
JOINED: list[Line] = [(1, PlayerJoined(1, "bob", "")), (2, PlayerJoined(2, "cid", ""))]
STARTED: Line = (0, GameStarted(0, 3))


def verdict(*lines: Line) -> str:
    """The reason of the first fault and the number of its line; "fine" for a history that may go on."""
    fault = judge("a-game", lines, running=True)
    return "fine" if fault is None else f"{fault.version}: {fault.reason}"


def test_the_host_sits_down_first_on_seat_0() -> None:
    assert verdict(*OPENED) == "fine"
    assert verdict(OPENED[0]) == "2: must_follow"
    assert verdict(OPENED[0], JOINED[0]) == "2: wrong_actor"
    assert verdict(OPENED[0], (0, PlayerJoined(0, "bob", ""))) == "2: wrong_lobby"
    assert verdict((1, CREATED)) == "1: wrong_actor"
    assert verdict(*OPENED, OPENED[0]) == "3: out_of_place"


@pytest.mark.parametrize(
    ("name", "value"),
    [("ruleset", "poker"), ("seats", 1), ("seats", 8), ("rules_version", 2), ("rules_version", 0)],
)
def test_only_editions_of_the_rules(name: str, value: object) -> None:
    assert verdict((0, replace(CREATED, **{name: value}))) == "1: unknown_edition"


def test_the_commitment_is_a_hash() -> None:
    assert verdict((0, replace(CREATED, commitment="secret"))) == "1: malformed"


@pytest.mark.parametrize("preset", ["classic", "boonanza", "amigo_classic", "amigo_2023", "new_beans", "field_beans"])
def test_every_edition_is_known(preset: str) -> None:
    assert verdict((0, replace(CREATED, ruleset=preset, seats=4)), OPENED[1]) == "fine"


class Printed(Options, frozen=True):
    """Options with a printing of the game for two."""

    duel_fields: int = 2


def test_only_the_game_for_two_has_printings() -> None:
    for seats, fields, expected in (
        (2, 2, "fine"),
        (2, 3, "fine"),
        (2, 0, "1: unknown_edition"),
        (3, 3, "1: unknown_edition"),
    ):
        created = replace(CREATED, seats=seats, options=Printed(duel_fields=fields))
        assert verdict((0, created), OPENED[1]) == expected


def test_only_what_the_encoding_knows() -> None:
    assert verdict((0, replace(CREATED, visibility="secret"))) == "1: malformed"
    left: Line = (0, PlayerLeft(0))
    bored = replace(GameAbandoned("host_left", SEED.hex()), reason="bored")
    assert verdict(*OPENED, left, (0, bored)) == "4: out_of_place"


def test_seats_are_taken_once_and_by_those_who_sit_down() -> None:
    assert verdict(*OPENED, *JOINED) == "fine"
    assert verdict(*OPENED, (1, PlayerJoined(0, "bob", ""))) == "3: wrong_lobby"
    assert verdict(*OPENED, (1, PlayerJoined(3, "bob", ""))) == "3: wrong_lobby"
    assert verdict(*OPENED, (1, PlayerJoined(1, "ann", ""))) == "3: wrong_lobby"
    assert verdict(*OPENED, (2, PlayerJoined(1, "bob", ""))) == "3: wrong_actor"
    assert verdict(*OPENED, (1, PlayerJoined(1, "bob", "n" * 65))) == "3: malformed"


def test_a_seat_that_was_left_is_free_again() -> None:
    left: Line = (1, PlayerLeft(1))
    assert verdict(*OPENED, JOINED[0], left, (1, PlayerJoined(1, "dan", ""))) == "fine"
    assert verdict(*OPENED, left) == "3: wrong_lobby"
    assert verdict(*OPENED, JOINED[0], (0, PlayerLeft(1))) == "4: wrong_actor"


def test_only_the_host_seats_bots_and_sends_them_away() -> None:
    bot: Line = (0, BotJoined(1, "casual"))
    assert verdict(*OPENED, bot, (0, PlayerLeft(1)), JOINED[0]) == "fine"
    assert verdict(*OPENED, (1, BotJoined(1, "casual"))) == "3: wrong_actor"
    assert verdict(*OPENED, bot, (1, PlayerLeft(1))) == "4: wrong_actor"


def test_without_its_host_a_game_is_abandoned() -> None:
    left: Line = (0, PlayerLeft(0))
    reason: Literal["host_left"] = "host_left"
    abandoned: Line = (0, GameAbandoned(reason, SEED.hex()))
    assert verdict(*OPENED, left) == "4: must_follow"
    assert verdict(*OPENED, left, JOINED[0]) == "4: must_follow"
    assert verdict(*OPENED, left, abandoned) == "fine"
    assert judge("a-game", [*OPENED, left, abandoned]) is None
    assert verdict(*OPENED, left, abandoned, JOINED[0]) == "5: after_the_end"
    assert verdict(*OPENED, left, (0, GameAbandoned(reason, "0" * 63 + "1"))) == "4: wrong_seed"
    assert verdict(*OPENED, abandoned) == "3: out_of_place"


def test_the_host_starts_a_full_table() -> None:
    assert verdict(*OPENED, STARTED) == "3: wrong_lobby"
    assert verdict(*OPENED, *JOINED, (1, GameStarted(0, 3))) == "5: wrong_actor"
    assert verdict(*OPENED, *JOINED, (0, GameStarted(3, 3))) == "5: wrong_start_seat"
    assert verdict(*OPENED, *JOINED, STARTED) == "6: must_follow"
    assert verdict(*OPENED, *JOINED, STARTED, (0, TurnStarted(1, 0))) == "6: must_follow"


def test_or_the_game_starts_by_itself_when_it_is_full() -> None:
    by_itself: list[Line] = [(0, replace(CREATED, options=Options(start_when_full=True))), OPENED[1]]
    assert verdict(*by_itself, *JOINED) == "5: must_follow"
    assert verdict(*by_itself, *JOINED, (2, GameStarted(0, 3))) == "6: must_follow"
    assert verdict(*by_itself, *JOINED, STARTED) == "5: wrong_actor"


def test_a_history_that_does_not_say_who_acted() -> None:
    events = [event for _, event in (*OPENED, *JOINED, (0, PlayerLeft(1)))]
    assert judge_events("a-game", events, running=True) is None
    fault = judge_events("a-game", [*events, BotJoined(2, "casual")], running=True)
    assert fault is not None
    assert (fault.version, fault.reason) == (6, "wrong_lobby")


def test_nobody_is_replaced_before_the_start() -> None:
    assert verdict(*OPENED, (None, SeatHandedOver(0, "autopilot", "absent"))) == "3: wrong_phase"
