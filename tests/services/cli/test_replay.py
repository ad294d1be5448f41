"""`bohnanza replay`: at a terminal, without one, and what it says when there is nothing to show."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from services.cli.failure import Failure
from services.cli.replay import command
from tests.exports import golden_export, kept
from tests.services.cli.terminal import Terminal, at_terminal

LAST = 828
"""Events of the golden game."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return kept(tmp_path, golden_export("classic-4"))


@pytest.fixture
def terminal(game: Path) -> Iterator[Terminal]:
    with at_terminal(["replay", str(game)], game.parent) as running:
        running.until("version 1 of 828")
        running.until("q quit")
        yield running


def printed(*arguments: str | Path, columns: str = "100") -> Result:
    return CliRunner(env={"COLUMNS": columns}).invoke(command, [str(argument) for argument in arguments])


def refused(*arguments: str | Path) -> str:
    done = printed(*arguments)
    assert isinstance(done.exception, Failure), done.output
    assert done.exception.exit_code == 1
    return str(done.exception)


def test_a_game_is_gone_through_with_the_keys(terminal: Terminal) -> None:
    before = terminal.settings
    for keys, there in (
        ("n", "version 2 of 828"),
        ("\x1b[C", "version 3 of 828"),
        (" \x1bOC", "version 5 of 828"),
        ("\x1b[D", "version 4 of 828"),
        ("p", "version 3 of 828"),
        ("t", "turn 1 "),
        ("t", "turn 2 "),
        ("T", "turn 1 "),
        ("x", "Trade: seat"),
        ("l", "Only a seat can do something"),
        ("l", "Deck "),
        ("g300", "Go to version (1 to 828): 300_"),
        ("\r", "version 300 of 828"),
        ("\x1b[F", "version 828 of 828"),
        ("\x1b[H", "version 1 of 828"),
        ("g9999\r", "There is no version"),
        ("v", "as seat 0"),
        ("?", "real thinking times"),
        ("g57\r", "version 57 of 828"),
    ):
        terminal.type(keys)
        terminal.until(there)
    assert terminal.settings == before
    terminal.type("q")
    assert terminal.ended() == 0
    assert terminal.is_left
    assert "Traceback" not in terminal.written


def test_a_game_plays_by_itself(game: Path) -> None:
    with at_terminal(["replay", str(game), "--pace", "fixed", "--speed", "64"], game.parent) as terminal:
        terminal.until("q quit")
        terminal.type("a")
        terminal.until("version 12 of 828")
        terminal.type("a")
        terminal.until("paused x64 fixed")
        terminal.type("q")
        assert terminal.ended() == 0


@pytest.mark.parametrize(("key", "number"), [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)])
def test_a_key_that_interrupts_leaves_the_terminal_as_it_was(terminal: Terminal, key: str, number: int) -> None:
    terminal.type(key)
    assert terminal.ended() == 128 + number
    assert terminal.is_left
    assert "Traceback" not in terminal.written


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_leaves_the_terminal_as_it_was(game: Path, number: int) -> None:
    with at_terminal(["replay", str(game)], game.parent) as terminal:
        before = terminal.settings
        terminal.until("q quit")
        assert terminal.settings != before
        terminal.process.send_signal(number)
        assert terminal.ended() == 128 + number
        assert terminal.is_left
        assert terminal.settings == before


def test_the_terminal_is_given_back_while_the_program_is_stopped(game: Path) -> None:
    with at_terminal(["replay", str(game)], game.parent) as terminal:
        before = terminal.settings
        terminal.until("q quit")
        during = terminal.settings
        # A session of its own has nobody who would continue it, so the kernel ignores the key; the terminal is given
        # back and taken again all the same.
        terminal.written = ""
        terminal.type("\x1a")
        terminal.until("q quit")
        assert "\x1b[?1049l" in terminal.written
        assert "\x1b[?1049h" in terminal.written
        terminal.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
        terminal.written = ""
        terminal.process.send_signal(signal.SIGCONT)
        terminal.until("q quit")
        assert terminal.settings == during
        terminal.type("nq")
        assert terminal.ended() == 0
        assert terminal.settings == before


def test_another_size_is_drawn_anew(terminal: Terminal) -> None:
    terminal.type("g300\r")
    assert "fields: beans" not in terminal.until("version 300 of 828")
    terminal.written = ""
    terminal.resize(140, 40)
    assert "fields: beans" in terminal.until("q quit")
    terminal.type("q")
    assert terminal.ended() == 0


def test_the_size_is_that_of_the_terminal_whatever_is_exported(game: Path) -> None:
    with at_terminal(["replay", str(game)], game.parent, COLUMNS="60", LINES="30") as terminal:
        assert max(map(len, terminal.until("q quit").splitlines())) == 80
        terminal.written = ""
        terminal.resize(140, 40)
        screen = terminal.until("q quit")
        assert max(map(len, screen.splitlines())) == 140
        assert len(screen.splitlines()) == 40
        terminal.type("q")
        assert terminal.ended() == 0


def test_a_terminal_that_is_closed_ends_it(terminal: Terminal) -> None:
    terminal.close()
    assert terminal.process.wait(60) in (128 + signal.SIGHUP, 120)


def test_keys_that_come_from_no_terminal_make_it_a_list(game: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "services.cli.main", "replay", str(game)],
        input=b"nq",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == LAST
    assert b"\x1b" not in done.stdout


def test_without_a_terminal_every_event_is_a_line(game: Path) -> None:
    done = printed(game)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert len(lines) == LAST
    assert lines == printed(game, "--list").output.splitlines()
    assert lines[0].startswith("  1  2026-01-01T00:00:00.000000Z")


def test_one_table_is_printed(game: Path) -> None:
    done = printed(game, "--version", "300", "--as", "2")
    assert done.exit_code == 0
    for words in ("as seat 2", "Turn 16", "> seat 2", "version 300 of 828", "Deck 33"):
        assert words in done.output
    assert "Next in the deck" not in done.output
    assert "Next in the deck" in printed(game, "--version", "300").output
    assert "\x1b" not in done.output


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_colours_are_left_out_where_they_are_not_wanted(game: Path, environment: dict[str, str]) -> None:
    with at_terminal(["replay", str(game), "--version", "300"], game.parent, **environment) as terminal:
        assert terminal.ended() == 0
        assert ("38;5;" in terminal.written) == (not environment)
        assert "1 Blue =0 +3 | 1 Red =0 +1" in terminal.screen


def test_a_terminal_that_can_do_nothing_gets_a_list(game: Path) -> None:
    with at_terminal(["replay", str(game)], game.parent, TERM="dumb") as terminal:
        assert terminal.ended() == 0
        assert "\x1b" not in terminal.written
        assert len(terminal.written.splitlines()) == LAST


def test_a_version_or_a_viewer_that_there_is_not(game: Path) -> None:
    assert "from 1 to 828" in refused(game, "--version", "829")
    for viewer in ("4", "-1", "nobody", ""):
        done = printed(game, "--as", viewer)
        assert done.exit_code == 2
        assert "seat from 0 to 3" in " ".join(done.output.replace("│", " ").split())
    assert printed(game, "--version", "0").exit_code == 2
    assert printed(game, "--version", "3", "--list").exit_code == 2


@pytest.mark.parametrize("speed", ["nan", "NaN", "inf", "-inf", "0", "-1", "65", "fast", ""])
def test_a_speed_that_is_none_is_refused(game: Path, speed: str) -> None:
    assert printed(game, "--speed", speed).exit_code == 2


def test_what_is_no_game(tmp_path: Path) -> None:
    assert "No such file" in refused(tmp_path / "none")
    assert "Is a directory" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "pipe: no regular file" in refused(tmp_path / "pipe")
    assert "/dev/zero: no regular file" in refused("/dev/zero")
    assert "line 1" in refused(kept(tmp_path, b"\xff\xfe"))
    assert "cut off" in refused(kept(tmp_path, golden_export("classic-2")[:5000]))


def test_a_terminal_without_the_signs_shows_others(game: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "services.cli.main", "replay", str(game), "--version", "300"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    assert b"version 300 of 828 ? turn 16" in done.stdout


def test_without_an_address_the_server_of_the_settings_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_HOST", "127.0.0.1")
    monkeypatch.setenv("BOHNANZA_PORT", "1")
    done = CliRunner().invoke(command, ["00000000-0000-4000-8000-000000000000"])
    assert isinstance(done.exception, Failure)
    assert "http://127.0.0.1:1" in str(done.exception)
