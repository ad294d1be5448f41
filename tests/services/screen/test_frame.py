"""What is on the screen: everything, for every viewer, on terminals of every size; and nothing that is hidden."""

from itertools import cycle, product
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace
from rich.screen import Screen

from domain.cards import Card
from domain.events import EVENT_TYPES, BotJoined, GameAbandoned, PlayerJoined, SeatHandedOver
from domain.replay import Viewpoint
from domain.rulesets import table_for
from domain.state import Phase
from domain.views import FieldView, OfferView, SeatView, View
from services.screen.frame import Frame, happened, place, step_at
from services.screen.playback import Playback
from services.screen.seats import worth
from services.screen.table import Step
from services.screen.timeline import Timeline
from services.screen.viewer import viewers
from tests.domain.alternatives import alternative
from tests.domain.editions import SETUPS, Setup
from tests.domain.play import Game, begun
from tests.domain.random_play import legal_commands
from tests.exports import setups
from tests.golden.features import NOT_EMITTED
from tests.services.screen.recordings import golden, on_screen, recorded

VIEWERS: list[Viewpoint] = ["all", 0]
SIZES = [(80, 24), (130, 40), (60, 12)]


def frame(timeline: Timeline, version: int, viewer: Viewpoint, width: int = 80, height: int = 24) -> list[str]:
    at = Playback(timeline, viewer=viewer)
    at.version = version
    return on_screen(Screen(Frame(at)), width, height).split("\n")


def played(setup: Setup, seed: int, moves: int) -> Game:
    game, chance = begun(setup, seed=seed.to_bytes(32, "big")), Random(seed)
    for _, (seat, command) in zip(range(moves), legal_commands(game.state, chance), strict=False):
        game.act(seat, command)
    return game


@pytest.mark.parametrize("setup", setups())
def test_every_version_of_every_edition_is_told_and_every_kind_of_step_drawn(setup: str) -> None:
    """Told to every viewer; drawn for one after the other, on one size after the other, after the first event of each
    type in each phase, and after each twentieth version."""
    timeline = golden(setup)
    who, widths = cycle(viewers(timeline.seats)), cycle([80, 80, 80, 130])
    drawn = set()
    for version in range(1, timeline.last + 1):
        kind = type(timeline.entry(version).event), timeline.state(version).phase
        if kind not in drawn or version % 20 == 0 or version == timeline.last:
            drawn.add(kind)
            assert "seat" in on_screen(step_at(timeline, version, next(who)), next(widths))
        for viewer in viewers(timeline.seats):
            assert happened(timeline, version, viewer).endswith((".", "…"))


def test_these_games_have_every_phase_and_every_event_that_games_have() -> None:
    games = [golden(setup) for setup in setups()]
    events = {type(entry.event) for game in games for entry in game.entries}
    assert events | {GameAbandoned} == set(EVENT_TYPES) - NOT_EMITTED
    duel, trading = golden("classic-2"), golden("classic-4")
    phases = {game.state(version).phase for game in (duel, trading) for version in range(1, 200)}
    assert phases == {None, *get_args(Phase)}


@pytest.mark.parametrize(("setup", "number"), [("classic-2", 1), ("classic-3", 4), ("amigo_2023-4", 3)])
def test_steps_of_a_whole_game_are_drawn_for_every_viewer(setup: str, number: int) -> None:
    timeline = golden(setup, number)
    for viewer in viewers(timeline.seats):
        for version in [*range(1, timeline.last, 9), timeline.last]:
            assert "seat 0" in on_screen(step_at(timeline, version, viewer))


@pytest.mark.parametrize("setup", ["classic-2", "classic-4", "new_beans-7"])
def test_a_frame_fills_the_screen_and_says_where_one_is(setup: str) -> None:
    timeline = golden(setup)
    for version in range(1, timeline.last + 1, 37):
        for (width, height), viewer in product(SIZES, VIEWERS):
            lines = frame(timeline, version, viewer, width, height)
            assert len(lines) == height
            assert {len(line) for line in lines} == {width}
            assert lines[-2].startswith(f"version {version} of {timeline.last}")


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (10, 2), (20, 5), (79, 10), (300, 100)])
@pytest.mark.parametrize("setup", ["classic-7", "classic-2"])
def test_a_terminal_may_have_any_size(setup: str, size: tuple[int, int]) -> None:
    timeline = golden(setup)
    for version in (1, timeline.last // 2, timeline.last):
        lines = frame(timeline, version, "all", *size)
        assert len(lines) == size[1]
        assert {len(line) for line in lines} == {size[0]}


@pytest.mark.parametrize("size", [(80, 24), (80, 12), (40, 9), (100, 5)])
def test_what_does_not_fit_is_on_another_page(size: tuple[int, int]) -> None:
    """Every line of the table, in its order."""
    timeline = golden("classic-7")
    for version in (300, timeline.last):
        at = Playback(timeline)
        at.version = version
        dense = replace(step_at(timeline, version, "all"), dense=True)
        wanted = [line.rstrip() for line in on_screen(dense, size[0]).splitlines()]
        found: list[str] = []
        for _ in range(len(wanted)):
            *upper, _, _ = on_screen(Screen(Frame(at)), *size).split("\n")
            cut = next((place for place, line in enumerate(upper) if line.startswith("… page ")), None)
            if cut is None:
                found = wanted
                break
            found += [line.rstrip() for line in upper[:cut]]
            page, pages = upper[cut].split()[2::2][:2]
            if page == pages.rstrip(","):
                break
            at.press("m")
        assert [line for line in found if line] == [line for line in wanted if line]


def test_the_pages_begin_anew_at_the_end_and_with_another_step() -> None:
    at = Playback(golden("classic-7"))
    at.version = 300
    pages = []
    for _ in range(4):
        (line,) = [line for line in on_screen(Screen(Frame(at)), 80, 16).split("\n") if line.startswith("… page ")]
        pages.append(line.split()[2])
        at.press("m")
    assert pages[0] == "1"
    assert pages[1] == "2"
    assert "1" in pages[2:]
    at.press("n")
    assert at.page == 0


def test_the_help_can_be_read_to_its_end_on_a_low_screen() -> None:
    at = Playback(golden("classic-2"))
    at.press("?")
    read = ""
    for _ in range(6):
        read += on_screen(Screen(Frame(at)), 80, 10)
        at.press("m")
    assert at.help
    for words in ("Space", "Home", "quit", "Black-eyed"):
        assert words in read


def test_what_a_seat_could_do_is_listed_in_place_of_the_table() -> None:
    timeline = golden("classic-4")
    version = next(version for version in timeline.turns if version > 100)
    active = timeline.state(version).active
    assert active is not None
    at = Playback(timeline, viewer=active)
    at.version = version
    at.press("l")
    shown = on_screen(Screen(Frame(at)))
    assert f"Seat {active} could do then:" in shown
    assert "Deck" not in shown
    at.viewer = "all"
    assert "Only a seat can do something" in on_screen(Screen(Frame(at)))
    at.press("l")
    assert "Deck" in on_screen(Screen(Frame(at)))


def test_seven_open_hands_fit_on_the_smallest_usual_terminal() -> None:
    timeline = golden("classic-7")
    for version in (300, timeline.last):
        text = "\n".join(frame(timeline, version, "all"))
        assert "… page" not in text
        assert "seat 6" in text
        assert "Deck" in text


def test_what_does_not_fit_is_said_to_be_missing() -> None:
    lines = frame(golden("classic-7"), 300, "all", 80, 12)
    assert any(line.startswith("… page 1 of ") and "m for more" in line for line in lines)
    assert lines[-2].startswith("version 300 of")


def test_the_help_has_every_key() -> None:
    at = Playback(golden("classic-2"))
    at.press("?")
    text = on_screen(Screen(Frame(at)))
    for words in ("Space", "Home", "the next turn", "the trade before", "a spectator", "q "):
        assert words in text


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_two_games_that_differ_in_hidden_cards_look_the_same(setup: Setup) -> None:
    """Non-interference, to the last letter of the screen, and by no line of the list."""
    differed = False
    for seed, moves in ((1, 25), (2, 90)):
        game = played(setup, seed, moves)
        if game.state.status != "running":
            continue
        chance = Random(seed)
        viewer: Viewpoint = chance.choice([*range(setup.players), "spectator"])
        other = alternative(game.history, viewer if isinstance(viewer, int) else None, chance)
        one, another = Timeline(recorded(game.history)), Timeline(recorded(other))
        for version in range(1, one.last + 1):
            assert happened(one, version, viewer) == happened(another, version, viewer)
        for version in range(1, one.last + 1, 11):
            for size in SIZES[:2]:
                assert frame(one, version, viewer, *size) == frame(another, version, viewer, *size)
        differed |= frame(one, one.last, "all") != frame(another, another.last, "all")
    assert differed, "the alternatives hid nothing, so nothing was tested"


def test_after_the_end_a_seat_still_sees_only_its_own_hand() -> None:
    timeline = golden("classic-4")
    for version in (timeline.last - 1, timeline.last):
        hands = [seat.hand for seat in step_at(timeline, version, 1).view.seats]
        assert [hand is None for hand in hands] == [True, False, True, True]
        assert step_at(timeline, version, 1).deck is None
    opened = step_at(timeline, timeline.last, "all")
    assert all(seat.hand is not None and len(seat.hand) == seat.hand_size for seat in opened.view.seats)


def seat(number: int, **told: object) -> SeatView:
    plain: dict[str, object] = {
        "player": f"0b4f7c52-{number}",
        "name": None,
        "policy": None,
        "away": False,
        "hand_size": 2,
        "hand": None,
        "fields": [None, None],
        "pending": [],
        "coins": 0,
        "bought_field": False,
    }
    return SeatView(seat=number, **{**plain, **told})  # type: ignore[arg-type] # laid out by hand


def table_by_hand() -> Step:
    """Laid out by hand, with everything that can lie on a table."""
    seats = [
        seat(
            0,
            coins=1,
            hand=[Card(3, "red"), Card(4, "black_eyed")],
            fields=[FieldView("red", 3), FieldView("garden", 3)],
            pending=[Card(9, "wax")],
        ),
        seat(1, coins=12, policy="casual", away=True, fields=[FieldView("chili", 8), None, None]),
        seat(2, player=None, policy="casual"),
    ]
    offer = OfferView(3, 0, None, [Card(12, "wax")], {"red": 2}, [31], 2, [1])
    view = View(
        game="5f0c2f8e-7b0a-4d56-9c43-0f8a3a1f2b11",
        version=57,
        status="running",
        ruleset="classic",
        rules_version=1,
        viewer=0,
        phase="trade",
        turn=9,
        active=0,
        seats=seats,
        face_up=[Card(31, "blue")],
        gifts=[],
        offers=[offer],
        planted=2,
        discarded=False,
        deck_size=54,
        discard_size=12,
        discard_top="stink",
        exhaustions=1,
        final=False,
        commitment="",
        deadline=None,
        result=None,
    )
    return Step(view, 0, None, table_for("classic", 3).final_exhaustion)


def test_a_table_on_a_narrow_screen() -> None:
    assert [line.rstrip() for line in on_screen(table_by_hand(), 90).splitlines()] == [
        "classic · 3 players · game 5f0c2f8e · as seat 0",
        "Turn 9 · trading · seat 0 is active · 2 beans planted",
        "",
        # The beanometers of the rules: red 2 3 4 5, garden - 2 3 -, chili 3 6 8 9.
        "> seat 0 · 1 coin   · 3 Red =2 +1 | 3 Garden =3",
        "    0b4f7c52 · hand 2: Red, Black-eyed · to plant: Wax",
        "  seat 1 · 12 coins · 8 Chili =3 +1 | empty | empty",
        "    0b4f7c52, away: bot casual · hand 2",
        "  seat 2 · 0 coins  · empty | empty",
        "    bot casual · hand 2",
        "",
        "Face up: Blue #31",
        "Offer 3: seat 0 gives anyone Wax #12 for 2 Red, #31, answers 2, rejected by seat 1",
        "Deck 54 · discard pile 12, Stink on top · used up 1 of 2 times",
    ]


def test_a_table_on_a_low_screen_has_its_hands_in_short() -> None:
    lines = [line.rstrip() for line in on_screen(replace(table_by_hand(), dense=True), 150).splitlines()]
    assert lines[2:4] == ["> seat 0 · 1 coin   · 3 Red =2 +1 | 3 Garden =3", "    hand 2: Red Bla · to plant: Wax"]


def test_a_table_on_a_wide_screen_has_a_row_for_each_seat() -> None:
    lines = [" ".join(line.split()) for line in on_screen(table_by_hand(), 140).splitlines()]
    assert lines[5:8] == [
        "> 0 0b4f7c52 1 3 Red =2 +1 | 3 Garden =3 2 Red, Black-eyed Wax",
        "1 0b4f7c52, away: bot casual 12 8 Chili =3 +1 | empty | empty 2",
        "2 bot casual 0 empty | empty 2",
    ]


@pytest.mark.parametrize(
    ("bean", "count", "told"),
    [
        ("coffee", 1, "=0 +3"),
        ("coffee", 12, "=4"),
        ("red", 5, "=4"),
        ("garden", 1, "=0 +1"),
        ("garden", 2, "=2 +1"),
        ("garden", 6, "=3"),
        ("cocoa", 3, "=3 +1"),
        ("field_bean", 1, "=0 +2"),
        ("field_bean", 2, "=field +1"),
        ("field_bean", 3, "=3"),
    ],
)
def test_what_a_field_is_worth(bean: str, count: int, told: str) -> None:
    """By the beanometers (rules, section 2)."""
    assert worth(bean, count) == told  # type: ignore[arg-type] # a literal of the table above


def test_the_ranking_is_shown_in_the_end() -> None:
    timeline = golden("classic-4")
    result = step_at(timeline, timeline.last, "spectator").view.result
    assert result is not None
    text = " ".join(on_screen(step_at(timeline, timeline.last, "spectator"), 300).split())
    for row in result.ranking:
        won = ", winner" if row.seat in result.winners else ""
        assert f"{row.rank}. seat {row.seat}: {row.coins} coin" in text
        assert won in text
    assert text.count("winner") == len(result.winners)


def test_the_deck_is_shown_to_nobody_but_who_sees_all() -> None:
    timeline = golden("classic-4")
    for viewer in viewers(4):
        assert ("Next in the deck" in on_screen(step_at(timeline, 300, viewer))) == (viewer == "all")


def test_where_one_is() -> None:
    timeline = Timeline(recorded(begun(SETUPS[2]).history, seconds=[0, 1.2, 0.001, 75, 7384]))
    last = timeline.last
    assert place(timeline, 1) == f"version 1 of {last} · turn 0 · 2026-11-30 12:00:00Z"
    assert place(timeline, 2, "paused") == f"version 2 of {last} · turn 0 · paused · after 1.2 s · 2026-11-30 12:00:01Z"
    assert place(timeline, 3).endswith("after 1 ms · 2026-11-30 12:00:01Z")
    assert place(timeline, 4).endswith("after 1 min 15 s · 2026-11-30 12:01:16Z")
    assert place(timeline, 5).endswith("after 2 h 3 min · 2026-11-30 14:04:20Z")


def test_text_from_a_file_cannot_move_the_cursor() -> None:
    evil = "\x1b]0;title\x07\x1b[2J[red]\u202e\r\n"
    game = Game(4, full=False)
    events = [
        *game.history,
        PlayerJoined(1, evil, evil),
        BotJoined(2, evil),
        SeatHandedOver(1, evil, evil),
    ]
    timeline = Timeline(recorded(events))
    for version in range(1, timeline.last + 1):
        for size in SIZES:
            lines = frame(timeline, version, "all", *size)
            assert len(lines) == size[1]
            assert all(line.isprintable() for line in lines)
