"""What the page at /verify says of a file, read off its screen in a real browser."""

import time
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from services.demo.browser import Page, find_browser, headless
from services.demo.devtools import BrowserFailed

VERDICT_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.05

Colour = Literal["right", "wrong", "open"]
"""`open`: nothing wrong was found, but something could not be checked."""


class PageCheck(Struct, frozen=True):
    """One line of the list. `ok` None: not checked."""

    name: str
    ok: bool | None
    detail: str


class PageVerdict(Struct, frozen=True):
    """`told` is the sentence in large, `reason` the one below."""

    colour: Colour
    told: str
    reason: str
    checks: list[PageCheck]


_READ: Final = """
[...document.querySelectorAll("[data-verdict]")].map((article) => ({
  colour: article.dataset.verdict,
  told: article.querySelector("h2").textContent,
  reason: article.querySelector("header p").textContent,
  checks: [...article.querySelectorAll("[data-check]")].map((item) => ({
    name: item.dataset.check,
    ok: JSON.parse(item.dataset.ok),
    detail: item.querySelector(".detail").textContent,
  })),
}))
"""
_BEGIN: Final = 'document.querySelector("#verdicts").replaceChildren()'


def page_verdict(url: str, file: Path) -> PageVerdict | None:
    """Opens the page and chooses the file. None where there is no browser (services.demo.browser.NO_BROWSER).

    Waits for a minute at most, then BrowserFailed.
    """
    program = find_browser()
    if program is None:
        return None
    with headless(program) as page:
        page.open(url)
        (verdict,) = verdicts(page, [file])
        return verdict


def verdicts(page: Page, files: list[Path]) -> list[PageVerdict]:
    """What the opened page says of each of them, in their order."""
    page.evaluate(_BEGIN)
    page.choose_files("#files", files)
    deadline = time.monotonic() + VERDICT_SECONDS
    while time.monotonic() < deadline:
        shown = msgspec.convert(page.evaluate(_READ), list[PageVerdict])
        if shown:
            return shown
        time.sleep(_POLL_SECONDS)
    raise BrowserFailed("The page gave no verdict in time.")
