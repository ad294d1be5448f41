"""The soak finds nothing in the engine, and everything that is broken in it on purpose."""

import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from click.testing import CliRunner, Result

from domain import beans
from domain.bots import casual
from domain.cards import Card
from domain.commands import Command
from domain.decide import decide, ending, stock
from domain.decide.stock import Stock, Taken
from domain.events import DeckShuffled, Event, GameEnded, TurnStarted
from domain.evolve import evolve
from domain.refusal import Refused
from domain.replay import Viewpoint, seen, told
from domain.state import State
from domain.views import View
from tests.domain import going_on, whole_game
from tests.domain.editions import SETUPS, Setup
from tests.soak import game, looking_back
from tests.soak.__main__ import command
from tests.soak.game import Order, play
from tests.soak.run import Plan, games

DECIDE: Final = import_module("domain.decide.decide")
"""The package has a function of that name."""

ROOT: Final = Path(__file__).parents[2]


def soaked(output: Path, *arguments: str) -> tuple[Result, dict[str, Any]]:
    """The command's result, and what it wrote."""
    done = CliRunner().invoke(command, [*arguments, "--output", str(output)])
    return done, msgspec.json.decode(output.read_bytes())


def test_every_setup_is_played_by_casual_players_and_by_chance(tmp_path: Path) -> None:
    done, kept = soaked(tmp_path / "soak.json", "--games", str(2 * len(SETUPS)), "--processes", "1", "--seed", "1")

    assert done.exit_code == 0, done.output
    assert kept["well"] is True
    assert kept["failures"] == []
    assert [(row["setup"], row["games"]) for row in kept["setups"]] == [(str(setup), 2) for setup in SETUPS]
    assert kept["total"]["games"] == 2 * len(SETUPS)
    assert all(0 < row["refused"] < row["commands"] < row["events"] for row in kept["setups"])
    assert all(row["longest"] < row["commands"] for row in kept["setups"])
    assert "games/s" in done.output


def test_several_processes_play_the_same_games() -> None:
    plan = Plan(setups=SETUPS, games=len(SETUPS) + 2, seed=5, first=8, processes=2)
    several = list(games(plan))
    assert [played.order for played in several] == list(plan.orders())
    assert [played.order.number for played in several] == [8] * len(SETUPS) + [9] * 2
    assert several == list(games(msgspec.structs.replace(plan, processes=1)))


def test_some_games_are_deserted_and_some_are_tied() -> None:
    orders = [Order(Setup("classic", 7), 2, number) for number in range(2, 300, 2)]
    assert any(played.abandoned and played.failure is None for played in map(play, orders))
    assert any(play(order).tied for order in orders[:20])


@pytest.mark.parametrize("setup", [Setup("classic", 2), Setup("amigo_2023", 4), Setup("new_beans", 7)], ids=str)
def test_every_version_of_a_game_can_be_looked_back_on_as_it_was_told(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking_back, "WHOLE", 1.0)
    for number in (1, 2):
        assert play(Order(setup, 3, number)).failure is None


# One thing each that an engine could do wrong, and what must be said about it.

Break = Callable[[pytest.MonkeyPatch], None]


def payout(patch: pytest.MonkeyPatch) -> None:
    true = beans.payout
    for module in ("domain.decide.harvesting", "domain.decide.ending"):
        patch.setattr(f"{module}.payout", lambda bean, count: min(true(bean, count) + 1, count))


def draw(patch: pytest.MonkeyPatch) -> None:
    true = Stock.draw

    def one_less(self: Stock, count: int, taken: Taken) -> list[Event]:
        return true(self, max(1, count - 1), taken)

    patch.setattr(Stock, "draw", one_less)


def numbers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stock, "Card", lambda number, bean: Card(number + 1, bean))


def shuffle(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stock, "shuffled", lambda _seed, _game, _nonces, _number, beans: sorted(beans))


def ranking(patch: pytest.MonkeyPatch) -> None:
    true = ending.final_scoring

    def last_wins(state: State, seed: bytes) -> list[Event]:
        *harvests, last = true(state, seed)
        assert isinstance(last, GameEnded)
        return [*harvests, msgspec.structs.replace(last, winners=[last.ranking[-1].seat])]

    patch.setattr("domain.decide.turn.final_scoring", last_wins)


def error(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DECIDE, "harvest", lambda *_: 1 // 0)


def refusal(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> list[Event]:
        raise Refused("wrong_phase", "Not now.")

    patch.setattr(DECIDE, "end_trading", refuse)


def trace_of_a_refusal(patch: pytest.MonkeyPatch) -> None:
    def careless(state: State, seat: int, asked: Command, seed: bytes) -> list[Event]:
        try:
            return decide(state, seat, asked, seed)
        except Refused:
            state.planted += 1
            raise

    patch.setattr(whole_game, "decide", careless)


def live_state(patch: pytest.MonkeyPatch) -> None:
    def forgetful(state: State, event: Event) -> None:
        evolve(state, event)
        if isinstance(event, TurnStarted):
            state.host = "nobody"

    patch.setattr(whole_game, "evolve", forgetful)


def replay_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    def beside(state: State, viewpoint: Viewpoint) -> View:
        return seen(state, (viewpoint + 1) % len(state.seats) if isinstance(viewpoint, int) else viewpoint)

    patch.setattr("services.replay.replays.seen", beside)


def replay_of_another_time(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("services.replay.replays.thinking_ms", lambda _before, _at: 1234)


def replay_that_leads_on_too_far(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("services.replay.replays.following", lambda versions, _version: versions[-1] if versions else None)


def replay_of_more_than_was_told(patch: pytest.MonkeyPatch) -> None:
    """At versions that no `GET` shows while a game is played: amid what one command brings about."""

    def whole_order(event: Event, viewpoint: Viewpoint) -> Event:
        return event if isinstance(event, DeckShuffled) else told(event, viewpoint)

    patch.setattr("services.replay.replays.told", whole_order)
    patch.setattr(looking_back, "WHOLE", 1.0)


def nothing_to_do(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(going_on, "actions", lambda _state, _seat: [])


def nobody_wants_to(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(casual, "_trade", lambda *_: None)
    patch.setattr(whole_game, "_PATIENCE", 100)


def trading_without_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(DECIDE, "end_trading", lambda *_: [])
    patch.setattr(game, "MOST_COMMANDS", 500)


def command_without_end(patch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> list[Event]:
        while True:
            pass

    patch.setattr(DECIDE, "end_trading", never)
    patch.setattr(game, "MOST_SECONDS", 0.05)


BROKEN: Final[list[tuple[Break, str]]] = [
    (payout, "wrong_payout"),
    (draw, "wrong_reveal"),
    (numbers, "wrong_reveal"),
    (shuffle, "wrong_shuffle"),
    (ranking, "wrong_ranking: The winners are"),
    (error, "ZeroDivisionError"),
    (refusal, "Refused: ('wrong_phase', 'Not now.')"),
    (trace_of_a_refusal, "has changed the state"),
    (live_state, "the stored events add up to another state, in host"),
    (replay_of_the_next_seat, "saw then, in view"),
    (replay_of_another_time, "saw then, in thinking_ms"),
    (replay_that_leads_on_too_far, "saw then, in links"),
    (replay_of_more_than_was_told, "a replay of version 6 is not what"),
    (nothing_to_do, "no way out of phase plant"),
    (nobody_wants_to, "Stuck: nobody wants to move"),
    (trading_without_end, "Stuck: no end after 500 commands"),
    (command_without_end, "Stuck: no end after 0.05 seconds of work"),
]


@pytest.mark.parametrize(("broken", "what"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_engine_is_found_and_the_game_can_be_played_again(
    broken: Break, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        broken(patch)
        wanted = ["--games", "6", "--processes", "1", "--seed", "1", "--only", "classic-4", "--only", "amigo_2023-3"]
        done, kept = soaked(tmp_path / "soak.json", *wanted)
        assert done.exit_code == 1, done.output
        assert kept["total"]["games"] == 6, "it goes on after a failure"
        assert kept["total"]["failures"] == len(kept["failures"])
        first = next(failure for failure in kept["failures"] if what in failure["what"])
        assert first["what"] in done.output
        assert f"make soak ARGS='{first['again']}'" in done.output

        alone, kept = soaked(tmp_path / "again.json", *first["again"].split())
        assert alone.exit_code == 1
        (again,) = kept["failures"]
        assert (again["setup"], again["number"], again["version"], again["what"]) == (
            first["setup"],
            first["number"],
            first["version"],
            first["what"],
        )
        assert again["trace"].splitlines()[-1] in alone.output

    mended, _ = soaked(tmp_path / "mended.json", *first["again"].split())
    assert mended.exit_code == 0, mended.output


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_at_once_with_the_report(tmp_path: Path, number: int, code: int, processes: str) -> None:
    output = tmp_path / "soak.json"
    program = [sys.executable, "-m", "tests.soak", "--processes", processes, "--output", str(output)]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("100,000 games, seed ")
        running.send_signal(number)
        told, _ = running.communicate(timeout=60)

    assert running.returncode == code
    kept = msgspec.json.decode(output.read_bytes())
    assert (kept["well"], kept["broken"]) == (False, "Interrupted.")
    assert f"Interrupted. {kept['total']['games']:,} of 100,000 games were played." in told


@pytest.mark.parametrize("wrong", [["--only", "classic-8"], ["--games", "0"], ["--processes", "0"], ["--seed", "x"]])
def test_a_wrong_argument_is_refused(wrong: list[str]) -> None:
    done = CliRunner().invoke(command, wrong)
    assert done.exit_code == 2
    assert wrong[0] in done.output
