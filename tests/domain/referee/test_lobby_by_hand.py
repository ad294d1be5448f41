"""Before the first turn: small histories written by hand, each with its verdict."""

import hashlib
from typing import Literal

import pytest
from msgspec.structs import replace

from domain.beans import Bean
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    BotJoined,
    CardsDealt,
    DeckShuffled,
    Event,
    GameAbandoned,
    GameCreated,
    GameStarted,
    Options,
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    TurnStarted,
)
from domain.referee import Referee, judge, judge_events
from domain.referee.fault import Wrong
from domain.referee.history import Line
from domain.referee.lobby import created
from domain.referee.seed import check_seed
from domain.shuffle import start_seat
from tests.domain.referee.laid_out import laid

SEED = bytes(32)
CREATED = GameCreated("classic", Options(), 1, 3, "public", None, "ann", hashlib.sha256(SEED).hexdigest())
OPENED: list[Line] = [(0, CREATED), (0, PlayerJoined(0, "ann", "n"))]
JOINED: list[Line] = [(1, PlayerJoined(1, "bob", "")), (2, PlayerJoined(2, "cid", ""))]
STARTED: Line = (0, GameStarted(0, 3))


def verdict(*lines: Line) -> str:
    """The reason of the first fault and the number of its line; "fine" for a history that may go on."""
    fault = judge("a-game", lines, running=True)
    assert fault is None or fault.sentence
    return "fine" if fault is None else f"{fault.version}: {fault.reason}"


def test_the_host_sits_down_first_on_seat_0() -> None:
    assert verdict(*OPENED) == "fine"
    assert verdict(OPENED[0]) == "2: must_follow"
    assert verdict(OPENED[0], JOINED[0]) == "2: wrong_actor"
    assert verdict(OPENED[0], (0, PlayerJoined(0, "bob", ""))) == "2: wrong_lobby"
    assert verdict(OPENED[0], (0, PlayerJoined(1, "ann", ""))) == "2: wrong_lobby"
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
    assert verdict(*OPENED, (1, PlayerJoined(-1, "bob", ""))) == "3: wrong_lobby"
    assert verdict(*OPENED, (1, PlayerJoined(1, "bob", "n" * 65))) == "3: malformed"
    assert verdict(*OPENED, (1, PlayerJoined(1, "bob", "n" * 64))) == "fine"


def test_a_seat_that_was_left_is_free_again() -> None:
    left: Line = (1, PlayerLeft(1))
    assert verdict(*OPENED, JOINED[0], left, (1, PlayerJoined(1, "dan", ""))) == "fine"
    assert verdict(*OPENED, left) == "3: wrong_lobby"
    assert verdict(*OPENED, (3, PlayerLeft(3))) == "3: wrong_lobby"
    assert verdict(*OPENED, (-1, PlayerLeft(-1))) == "3: wrong_lobby"
    assert verdict(*OPENED, JOINED[0], (0, PlayerLeft(1))) == "4: wrong_actor"


def test_only_the_host_seats_bots_and_sends_them_away() -> None:
    bot: Line = (0, BotJoined(1, "casual"))
    assert verdict(*OPENED, bot, (0, PlayerLeft(1)), JOINED[0]) == "fine"
    assert verdict(*OPENED, (1, BotJoined(1, "casual"))) == "3: wrong_actor"
    assert verdict(*OPENED, bot, (1, PlayerLeft(1))) == "4: wrong_actor"
    assert verdict(*OPENED, bot, JOINED[0]) == "4: wrong_lobby"
    assert verdict(*OPENED, (0, BotJoined(0, "casual"))) == "3: wrong_lobby"
    assert verdict(*OPENED, bot, (0, BotJoined(2, "casual")), STARTED) == "6: must_follow", "bots fill a table"


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


@pytest.mark.parametrize("event", [GameStarted(-1, 3), GameStarted(3, 3), GameStarted(0, 4), GameStarted(0, 2)])
def test_one_of_the_seats_starts(event: GameStarted) -> None:
    assert verdict(*OPENED, *JOINED, (0, event)) == "5: wrong_start_seat"


# Three players: 154 cards without the four cocoa beans, five for everybody.
CARDS: list[Bean] = [
    *("wax", "blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden", "coffee"),
    *("wax",) * 21,
    *("blue",) * 19,
    *("chili",) * 17,
    *("stink",) * 15,
    *("green",) * 13,
    *("soy",) * 11,
    *("black_eyed",) * 9,
    *("red",) * 7,
    *("garden",) * 5,
    *("coffee",) * 23,
]
SHUFFLED = DeckShuffled(1, 150, CARDS)
FIRST = [Card(1, "wax"), Card(2, "blue"), Card(3, "chili"), Card(4, "stink"), Card(5, "green")]
SECOND = [Card(6, "soy"), Card(7, "black_eyed"), Card(8, "red"), Card(9, "garden"), Card(10, "coffee")]
THIRD = [Card(number, "wax") for number in range(11, 16)]


def test_the_deal_begins_with_the_starting_seat_and_goes_round() -> None:
    begun = [*OPENED, *JOINED, (0, GameStarted(1, 3)), (0, SHUFFLED)]
    deal = [(0, CardsDealt(1, FIRST)), (0, CardsDealt(2, SECOND)), (0, CardsDealt(0, THIRD))]
    turn = (0, TurnStarted(1, 1))
    assert verdict(*begun, *deal, turn) == "fine"
    assert verdict(*begun, *deal) == "10: must_follow"
    assert verdict(*begun, *deal, (0, TurnStarted(1, 0))) == "10: wrong_turn"
    assert verdict(*begun, *deal, (0, TurnStarted(2, 1))) == "10: wrong_turn"
    assert verdict(*begun, *deal, (1, turn[1])) == "10: wrong_actor"
    assert verdict(*begun, (0, CardsDealt(0, FIRST))) == "7: wrong_deal"
    assert verdict(*begun, deal[0], (0, CardsDealt(2, FIRST))) == "8: wrong_deal"
    assert verdict(*begun, deal[0], (0, CardsDealt(2, SECOND[:4]))) == "8: wrong_deal"
    planted = (1, BeanPlanted(1, 2, 1, "wax", "hand"))
    assert verdict(*begun, *deal, turn, planted) == "fine", "there are three fields"
    assert verdict(*begun, *deal, turn, (1, BeanPlanted(1, 3, 1, "wax", "hand"))) == "11: no_such_field"
    assert verdict(*begun, *deal, turn, (0, BeanPlanted(0, 0, 11, "wax", "hand"))) == "11: not_active"


@pytest.mark.parametrize(
    "shuffle",
    [
        DeckShuffled(2, 150, CARDS),
        DeckShuffled(1, 149, CARDS),
        DeckShuffled(1, 149, CARDS[1:]),
        DeckShuffled(1, 150, ["cocoa", *CARDS[1:]]),
    ],
)
def test_the_first_deck_is_that_of_the_edition(shuffle: DeckShuffled) -> None:
    assert verdict(*OPENED, *JOINED, STARTED, (0, shuffle)) == "6: wrong_shuffle"


def test_a_deck_that_is_left_out_cannot_be_checked() -> None:
    assert verdict(*OPENED, *JOINED, STARTED, (0, DeckShuffled(1, 150, None))) == "6: hidden"


def test_the_table_is_as_it_was_created() -> None:
    top, _ = created("a-game", SEED, 0, replace(CREATED, visibility="private"), actors_told=True)
    assert (top.game, top.host, top.options, top.phase) == ("a-game", "ann", Options(), "lobby")
    assert (top.commitment, top.seed) == (CREATED.commitment, SEED)
    assert (top.has_clock, top.actors_told) == (False, True)
    assert (top.edition.fields, top.edition.duel, [place.free for place in top.places]) == (3, False, [True] * 3)
    untold, _ = created("a-game", None, None, CREATED, actors_told=False)
    assert (untold.seed, untold.actors_told) == (None, False)
    other, _ = created("a-game", bytes(31) + b"1", 0, CREATED, actors_told=True)
    assert other.seed is None, "a seed that the commitment was not made for"


def test_the_version_of_the_start_is_remembered() -> None:
    referee = Referee("a-game")
    for version, (seat, event) in enumerate([*OPENED, *JOINED, STARTED], 1):
        assert referee.check(version, seat, event) is None
    assert referee._top is not None
    assert referee._top.started_at == 5


def test_a_wrong_starting_seat_is_named_where_the_game_started() -> None:
    """Also when the seed is revealed long after."""
    right = start_seat(SEED, "a-game", ["", "", ""])
    for start in range(3):
        top = laid(players=3, start=start).top
        top.commitment = CREATED.commitment
        check_seed(top, SEED.hex())  # a table that was never started
        top.started_at = 5
        if start == right:
            check_seed(top, SEED.hex())
            continue
        with pytest.raises(Wrong) as wrong:
            check_seed(top, SEED.hex())
        assert (wrong.value.reason, wrong.value.version) == ("wrong_start_seat", 5)


def test_after_the_start_nobody_comes_or_goes() -> None:
    events: list[Event] = [PlayerJoined(1, "eve", ""), BotJoined(1, "casual"), PlayerLeft(1), GameStarted(0, 4)]
    for event in events:
        assert laid().says((0, event)) == "1: wrong_phase"


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
