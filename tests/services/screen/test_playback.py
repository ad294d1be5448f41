"""What the keys do."""

import pytest

from domain.events import TradeCompleted, TurnStarted
from services.screen.playback import BINDINGS, Playback
from services.screen.timeline import Timeline
from tests.domain.play import started
from tests.services.screen.recordings import golden, recorded


def playback(version: int = 1) -> Playback:
    at = Playback(golden("classic-4"))
    at.version = version
    return at


def pressed(at: Playback, *keys: str) -> Playback:
    for key in keys:
        at.press(key)
    return at


@pytest.mark.parametrize("forward", ["right", " ", "n"])
@pytest.mark.parametrize("back", ["left", "p"])
def test_on_and_back(forward: str, back: str) -> None:
    at = pressed(playback(), forward, forward, forward)
    assert at.version == 4
    assert pressed(at, back).version == 3


def test_nothing_is_before_the_first_event_and_after_the_last() -> None:
    at = pressed(playback(), "left")
    assert (at.version, bool(at.note)) == (1, True)
    at = pressed(playback(), "end", "right")
    assert (at.version, bool(at.note)) == (828, True)
    assert pressed(at, "home").version == 1


def test_from_turn_to_turn_and_from_trade_to_trade() -> None:
    at = pressed(playback(100), "t")
    after = at.version
    assert isinstance(at.timeline.entry(after).event, TurnStarted)
    assert pressed(at, "T").version < 100
    assert pressed(at, "t").version == after
    trade = pressed(at, "x").version
    assert isinstance(at.timeline.entry(trade).event, TradeCompleted)
    assert trade > after
    assert pressed(at, "x", "X").version == trade
    at = pressed(playback(), "T")
    assert (at.version, bool(at.note)) == (1, True)


def test_a_version_is_gone_to_by_its_number() -> None:
    at = pressed(playback(), "g", "5", "8", "backspace", "7")
    assert (at.typed, at.version) == ("57", 1)
    at = pressed(at, "enter")
    assert (at.typed, at.version) == (None, 57)


@pytest.mark.parametrize("keys", [("0",), ("8", "2", "9")])
def test_a_version_that_there_is_not_is_told(keys: tuple[str, ...]) -> None:
    at = pressed(playback(), "g", *keys, "enter")
    assert at.version == 1
    assert "from 1 to 828" in at.note


@pytest.mark.parametrize("keys", [("5", "escape"), ("enter",), ("5", "q"), ("5", "right"), ("²", "enter")])
def test_going_to_a_version_can_be_given_up(keys: tuple[str, ...]) -> None:
    at = pressed(playback(10), "g", *keys)
    assert (at.version, at.typed, at.over) == (10, None, False)


def test_the_viewers_are_gone_through_in_turn() -> None:
    at = playback()
    seen = []
    for _ in range(7):
        seen.append(at.viewer)
        at.press("v")
    assert seen == ["all", 0, 1, 2, 3, "spectator", "all"]


def test_it_plays_by_itself_until_the_end_and_then_starts_over() -> None:
    at = pressed(playback(826), "a")
    at.advance()
    assert (at.version, at.playing) == (827, True)
    at.advance()
    assert (at.version, at.playing, at.pause()) == (828, False, None)
    at.press("a")
    assert (at.version, at.playing) == (1, True)
    assert pressed(at, "a").playing is False


@pytest.mark.parametrize("key", ["right", "left", "t", "home", "g"])
def test_who_moves_by_hand_stops_what_plays_by_itself(key: str) -> None:
    assert pressed(playback(100), "a", key).playing is False


@pytest.mark.parametrize("key", ["+", "-", "f", "v", "?", "l", "m", "d", "z"])
def test_what_does_not_move_lets_it_play_on(key: str) -> None:
    assert pressed(playback(100), "a", key).playing is True


def test_pauses_are_as_long_as_was_thought_within_bounds() -> None:
    timeline = Timeline(recorded(started(4).history, seconds=[0, 2.0, 0.0, 3600.0]))
    at = Playback(timeline)
    assert at.pause() is None
    at.press("a")
    pauses = []
    for _ in range(3):
        pauses.append(at.pause())
        at.advance()
    assert pauses == [2.0, 0.4, 4.0]


def test_speed_divides_the_pauses_and_has_bounds() -> None:
    at = pressed(Playback(Timeline(recorded(started(4).history, seconds=[0, 2.0]))), "a", "+", "+")
    assert (at.speed, at.pause()) == (4.0, 0.5)
    assert pressed(at, *"---").pause() == 4.0
    assert pressed(at, *"-" * 20).speed == 0.125
    assert pressed(at, *"+" * 20).speed == 64.0


def test_a_fixed_pace_does_not_ask_how_long_was_thought() -> None:
    at = pressed(Playback(Timeline(recorded(started(4).history, seconds=[0, 3.0]))), "a", "f")
    assert at.pause() == 1.0
    assert pressed(at, "+").pause() == 0.5
    assert pressed(at, "f").pause() == 1.5


def test_the_help_is_closed_by_the_next_key() -> None:
    at = pressed(playback(), "?")
    assert at.help
    assert pressed(at, "?").help is False
    at = pressed(at, "?", "n")
    assert (at.help, at.version) == (False, 2)


def test_q_leaves() -> None:
    assert pressed(playback(), "q").over


def test_no_key_has_two_meanings() -> None:
    keys = [key for binding in BINDINGS for key in binding.keys]
    assert len(keys) == len(set(keys))
