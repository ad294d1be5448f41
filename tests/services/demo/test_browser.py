"""A browser that is driven: what it shows is read, and whatever goes wrong with it ends in time and in a sentence."""

import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from services.demo import browser, page_verdict
from services.demo.browser import NO_BROWSER, find_browser, headless
from services.demo.devtools import BrowserFailed
from services.demo.page_verdict import verdicts
from tests.exports import golden_export, kept
from tests.services.api.verifier_page import KNOWN, served


@pytest.fixture
def program() -> str:
    found = find_browser()
    if found is None:
        pytest.skip(NO_BROWSER)
    return found


def played_by(folder: Path, script: str) -> str:
    """A program that passes for a browser."""
    (folder / "played.py").write_text(script)
    path = folder / "chromium"
    # Not Python in the first line: its path may have a space.
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder / "played.py"}"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def children() -> list[str]:
    """The programs that this process has started and that still run."""
    found = []
    for child in psutil.Process().children(recursive=True):
        # One may end while the list is read.
        with suppress(psutil.NoSuchProcess):
            found.append(" ".join(child.cmdline()))
    return found


def test_without_a_browser_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_browser() is None
    assert page_verdict.page_verdict("http://127.0.0.1:1/verify", tmp_path / "game.jsonl") is None


def test_the_verdict_on_a_file_is_read_off_the_page(program: str, tmp_path: Path) -> None:
    assert program
    with served(KNOWN) as (origin, _):
        right = page_verdict.page_verdict(f"{origin}/verify", kept(tmp_path, golden_export("classic-2")))
    assert right is not None
    assert right.colour == "right"
    assert all(check.ok for check in right.checks)


def test_nothing_of_a_browser_is_left(program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with suppress(BrowserFailed), headless(program) as page:
        assert page.evaluate("1 + 1") == 2
        assert [command for command in children() if str(tmp_path) in command]
        raise BrowserFailed("Something went wrong in the middle.")
    until = time.monotonic() + 10
    while [command for command in children() if str(tmp_path) in command] and time.monotonic() < until:
        time.sleep(0.05)
    assert [command for command in children() if str(tmp_path) in command] == []
    assert [path for path in tmp_path.iterdir() if path.name.startswith("bohnanza-browser-")] == []


def test_what_a_page_throws_is_told(program: str) -> None:
    with headless(program) as page, pytest.raises(BrowserFailed, match="The page threw: Error: no beans"):
        page.evaluate("Promise.reject(new Error('no beans'))")


def test_a_page_that_is_not_there_is_told(program: str) -> None:
    with headless(program) as page, pytest.raises(BrowserFailed, match=r"cannot open http://127\.0\.0\.1:1/verify"):
        page.open("http://127.0.0.1:1/verify")


def test_a_page_without_a_verdict_is_not_waited_for_without_end(
    program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page_verdict, "VERDICT_SECONDS", 0.3)
    page_file = tmp_path / "page.html"
    page_file.write_text('<input id="files" type="file"><section id="verdicts"></section>')
    with headless(program) as page:
        page.open(page_file.as_uri())
        with pytest.raises(BrowserFailed, match="no verdict in time"):
            verdicts(page, [page_file])


def test_a_browser_that_does_not_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    broken = played_by(tmp_path, "raise SystemExit('No usable sandbox!')")
    with pytest.raises(BrowserFailed, match=r"The browser ended(.|\n)*No usable sandbox!"), headless(broken):
        pytest.fail("it did start")


def test_a_browser_that_says_nothing_is_given_up_and_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(browser, "CALL_SECONDS", 1.0)
    silent = played_by(tmp_path, "import time\ntime.sleep(1000)")
    with pytest.raises(BrowserFailed, match="took too long"), headless(silent):
        pytest.fail("it did answer")
    assert [command for command in children() if str(tmp_path) in command] == []


def test_a_browser_that_talks_nonsense_is_told(tmp_path: Path) -> None:
    mad = played_by(tmp_path, "import os, time\nos.write(4, b'no JSON\\0')\ntime.sleep(1000)")
    with pytest.raises(BrowserFailed, match="The browser does not speak the protocol"), headless(mad):
        pytest.fail("it was understood")
