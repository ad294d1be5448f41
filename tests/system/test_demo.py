"""`bohnanza demo` as a person runs it: whole games over HTTP, and a verdict that can be trusted."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from msgspec import UNSET

from infra.settings import PREFIX
from services.demo.browser import NO_BROWSER, find_browser
from tests.domain.editions import SETUPS, Setup
from tests.servers import wait_until
from tests.services.demo.liar import lying
from tests.system.running import alive, up

SECONDS = 240
FIGURES = re.compile(
    r"(\d+) games?, (\d+) commands, (\d+) events, [\d.]+ s, (\d+) retried calls?, (\d+) replayed answers?"
)

pytestmark = pytest.mark.timeout(SECONDS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all the games here. Its access tokens end within a game, so that every client renews his."""
    with up(tmp_path_factory.mktemp("served"), access_token_seconds="10") as running:
        yield running.ready()


def arguments(*options: str) -> list[str]:
    return [sys.executable, "-P", "-m", "services.cli.main", "demo", *options]


def environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return kept | {"COLUMNS": "100"} | changes


def demo(*options: str) -> tuple[int, str]:
    """Exit code and all that it printed."""
    done = subprocess.run(
        arguments(*options),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        env=environment(),
    )
    return done.returncode, done.stdout


def begun(folder: Path, *options: str, **changes: str) -> tuple[subprocess.Popen[bytes], Path]:
    """A demo that runs, and the file that it prints to."""
    output = folder / "demo.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            arguments(*options), stdout=file, stderr=file, env=environment(**changes), start_new_session=True
        )
    return process, output


def says(process: subprocess.Popen[bytes], output: Path, words: str) -> None:
    """Waits until it has printed that."""
    wait_until(lambda: words in output.read_text() or process.poll() is not None, SECONDS, f"it says {words!r}")
    assert words in output.read_text(), output.read_text()


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_edition_is_played_to_its_end_and_all_is_right(server: str, setup: Setup) -> None:
    wanted = ["--ruleset", setup.ruleset, "--players", str(setup.players)]
    if setup.options.duel_fields is not UNSET:
        wanted += ["--duel-fields", str(setup.options.duel_fields)]
    code, text = demo(*wanted, "--seed", "7", "--url", server, "--no-browser")
    assert code == 0, text
    assert "All is right." in text
    assert "Right: bohnanza verify finds all right, and byte " in text
    assert text.count("winner") >= 1
    assert f"Playing at {server} with --seed 7" in text
    found = FIGURES.search(text)
    assert found is not None, text
    games, commands, events, _, _ = map(int, found.groups())
    assert games == 1
    assert events > commands > 100


@pytest.mark.parametrize("players", ["2", "5"])
def test_the_last_act_asks_the_page_in_a_browser_too(server: str, players: str) -> None:
    code, text = demo("--players", players, "--seed", "11", "--url", server)
    assert code == 0, text
    assert "Right: bohnanza verify finds all right, and byte " in text
    if find_browser() is None:
        assert f"Not checked by the page {server}/verify. {NO_BROWSER}" in text
        pytest.skip(NO_BROWSER)
    assert f"Right: the page {server}/verify finds all right, and byte " in text


def test_several_games_at_a_time(server: str) -> None:
    code, text = demo("--players", "3", "--games", "5", "--url", server, "--no-browser")
    assert code == 0, text
    assert all(f"Game {number} ·" in text for number in range(1, 6))
    # One for each game, and one for the file of the last.
    assert text.count("Right: ") == 6
    found = FIGURES.search(text)
    assert found is not None
    assert found[1] == "5"


def test_a_kill_of_the_api_in_the_middle_costs_nothing(tmp_path: Path) -> None:
    with up(tmp_path) as running:
        process, output = begun(tmp_path, "--games", "2", "--url", running.ready())
        try:
            says(process, output, "run out 1 of 3")
            running.api().send_signal(signal.SIGKILL)
            running.says("The API is ready again.")
            says(process, output, "run out 2 of 3")
            running.api().send_signal(signal.SIGKILL)
            code = process.wait(SECONDS)
        finally:
            process.kill()
            process.wait()
    text = output.read_text()
    assert code == 0, text
    assert "All is right." in text
    found = FIGURES.search(text)
    assert found is not None
    assert int(found[4]) > 0


async def test_a_server_that_lies_is_told_with_game_and_version_and_exit_code_1(server: str) -> None:
    def richer(_path: str, body: Any) -> Any:
        for item in body.get("events", []) if isinstance(body, dict) else []:
            if item["event"]["type"] == "field_harvested" and item["event"]["discarded"]:
                item["event"]["coins"] += 1
                item["event"]["discarded"] -= 1
        return body

    async with lying(server, richer) as url:
        process = await asyncio.create_subprocess_exec(
            *arguments("--url", url, "--players", "3"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(),
        )
        printed, _ = await process.communicate()
    text = printed.decode()
    assert process.returncode == 1, text
    assert re.search(r"Wrong: game 1, version \d+: The view of seat \d is not what its events add up to: ", text)
    assert "Not all is right: 1 of 1 game." in text


def test_without_a_server_it_brings_its_own_and_leaves_nothing_behind(tmp_path: Path) -> None:
    code, text = demo_in(tmp_path, "--players", "3", "--seed", "0")
    assert code == 0, text
    assert "All is right." in text
    assert list(tmp_path.glob("bohnanza-demo-*")) == []


def demo_in(folder: Path, *options: str) -> tuple[int, str]:
    """With its temporary files in that folder."""
    process, output = begun(folder, *options, TMPDIR=str(folder))
    return process.wait(SECONDS), output.read_text()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_end_by_the_person_is_tidy(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process, output = begun(tmp_path, TMPDIR=str(tmp_path))
    try:
        says(process, output, "the cards are dealt")
        tree = psutil.Process(process.pid).children(recursive=True)
        assert len(tree) > 3
        process.send_signal(number)
        assert process.wait(60) == code
    finally:
        process.kill()
        process.wait()
    text = output.read_text()
    assert "Ended before all games were." in text
    assert "Traceback" not in text
    assert alive(tree) == []
    assert list(tmp_path.glob("bohnanza-demo-*")) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--players", "8"], "classic is played by 2, 3, 4, 5, 6 or 7 players, not by 8."),
        (["--players", "2", "--ruleset", "boonanza"], "boonanza is played by 3, 4 or 5 players, not by 2."),
        (["--players", "2", "--duel-fields", "4"], "The option duel_fields is 2 or 3, not 4."),
        (["--players", "4", "--duel-fields", "3"], "belongs to a game for two (classic with 2 players)"),
        (["--players", "many"], "not a valid integer"),
        (["--games", "0"], "not in the range"),
        (["--ruleset", "poker"], "classic"),
        (["--seed", "-1"], "not in the range"),
        (["--url", "localhost"], "A server's address looks like http://127.0.0.1:8000."),
    ],
)
def test_an_option_that_makes_no_sense(options: list[str], words: str) -> None:
    code, text = demo(*options)
    assert code == 2
    assert words in re.sub(r"[│\s]+", " ", text)


def test_nobody_at_the_address() -> None:
    code, text = demo("--url", "http://127.0.0.1:1")
    assert code == 1
    assert "There is nobody to play with" in text
    assert "Traceback" not in text
