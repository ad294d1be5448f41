"""What a person sees: on a terminal, in a file, and when much is wrong."""

import io

from rich.console import Console

from domain.state import Seat, State
from services.demo.fault import Fault
from services.demo.progress import Bars, Lines, Passes, watcher
from services.demo.report import MOST_FAULTS, show_game, show_summary
from services.demo.table import Played


def state(*, deck: int, exhaustions: int = 0, turn: int = 1) -> State:
    return State(
        "g",
        version=10,
        status="running",
        ruleset="classic",
        rules_version=1,
        seats=[Seat() for _ in range(4)],
        deck=[None] * deck,
        turn=turn,
        exhaustions=exhaustions,
    )


def console(*, terminal: bool) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, force_terminal=terminal, width=100), file


def test_a_game_is_as_far_as_its_deck_and_never_goes_back() -> None:
    passes = Passes()
    shares = []
    for at in (state(deck=110), state(deck=55), state(deck=0, exhaustions=1), state(deck=40, exhaustions=1)):
        passes.take(at)
        shares.append(round(passes.share, 3))
    assert shares == [0, 0.167, 0.333, 0.333]


def test_on_a_terminal_every_running_game_has_a_bar() -> None:
    screen, file = console(terminal=True)
    with watcher(screen) as watching:
        assert isinstance(watching, Bars)
        watching.moved(1, state(deck=110, turn=12))
        watching.ended(1)
        watching.ended(2)
    assert "Game 1" in file.getvalue()
    assert "turn  12" in file.getvalue()


def test_in_a_file_a_line_is_written_when_the_deck_runs_out() -> None:
    screen, file = console(terminal=False)
    with watcher(screen) as watching:
        assert isinstance(watching, Lines)
        for at in (state(deck=110), state(deck=100), state(deck=0, exhaustions=1, turn=20)):
            watching.moved(1, at)
        watching.ended(1)
    assert file.getvalue().splitlines() == [
        "Game 1: 4 players, the cards are dealt.",
        "Game 1: turn 20, 10 events, the deck has run out 1 of 3 times.",
    ]


def test_every_fault_is_one_line_and_a_flood_of_them_is_counted() -> None:
    screen, file = console(terminal=False)
    faults = [Fault(version, "x" * 200) for version in range(1, MOST_FAULTS + 4)]
    played = Played(number=2, game=None, view=None, faults=faults, seconds=1.0)
    show_game(played, screen)
    show_summary([played], 1.0, screen, right=False)
    lines = file.getvalue().splitlines()
    assert lines[1] == "Game 2"
    assert lines[2] == f"Wrong: game 2, version 1: {'x' * 200}"
    assert "Wrong: game 2: 3 more faults." in lines
    assert lines[-2] == "1 game, 0 commands, 0 events, 1.0 s, 0 retried calls, 0 replayed answers"
    assert lines[-1] == "Not all is right: 1 of 1 game."
