"""A headless Chromium for as long as it is needed: a profile that is gone afterwards, nothing that listens, and an end
that is waited for."""

import base64
import fcntl
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from infra.embedded.processes import Launch, server_environment, start
from services.demo.devtools import BrowserEnded, BrowserFailed, DevTools

CALL_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
)
NO_BROWSER: Final = "There is no Chromium or Chrome on this machine's path (on Debian: apt-get install chromium)."

# The browser takes its orders from descriptor 3 and answers on 4. The ends are moved there after the fork, by a small
# program that then becomes the browser.
_FIRST_FREE: Final = 10
_ON_3_AND_4: Final = (
    "import os, sys; reads, writes = map(int, sys.argv[1:3]); os.dup2(reads, 3); os.dup2(writes, 4); "
    "os.close(reads); os.close(writes); os.execvp(sys.argv[3], sys.argv[3:])"
)

_FLAGS: Final = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--password-store=basic",
)


def find_browser() -> str | None:
    """The first one that is there, or None: then NO_BROWSER is what to say."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab. Every call may raise BrowserFailed."""

    def __init__(self, tools: DevTools, session: str) -> None:
        self._tools = tools
        self._session = session

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Any method of the protocol."""
        return self._tools.call(method, parameters, session=self._session, seconds=CALL_SECONDS)

    def open(self, url: str) -> None:
        """Until the page is loaded."""
        self._tools.events.clear()
        answer = self.call("Page.navigate", url=url)
        if "errorText" in answer:
            raise BrowserFailed(f"The browser cannot open {url}: {answer['errorText']}")
        self._tools.wait_for("Page.loadEventFired", session=self._session, seconds=CALL_SECONDS)

    def evaluate(self, expression: str) -> Any:
        """Its value, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            told = thrown.get("exception", {}).get("description", thrown.get("text"))
            raise BrowserFailed(f"The page threw: {told}")
        return answer["result"].get("value")

    def choose_files(self, selector: str, files: Sequence[Path]) -> None:
        """As if a person had chosen them in that input."""
        document = self.call("DOM.getDocument", depth=0)["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[str(file.resolve()) for file in files])

    def requested(self) -> list[str]:
        """The address of every request since the page was opened, its own among them."""
        self.evaluate("0")
        asked = [told["params"] for told in self._tools.events if told["method"] == "Network.requestWillBeSent"]
        return [parameters["request"]["url"] for parameters in asked]

    def screenshot(self) -> bytes:
        """The whole page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])


@contextmanager
def headless(program: str) -> Iterator[Page]:
    """An empty page of a browser of its own. BrowserFailed if it does not start."""
    with tempfile.TemporaryDirectory(prefix="bohnanza-browser-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        its_reads, writes = _pipe()
        reads, its_writes = _pipe()
        # Root may not have the sandbox; everybody else keeps it.
        flags = [*_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else []), f"--user-data-dir={home / 'profile'}"]
        log = home / "browser.log"
        try:
            browser = start(
                Launch(
                    name="The browser",
                    command=[program, *flags, "about:blank"],
                    folder=home,
                    pid_file=home / "browser.pid",
                    end=signal.SIGTERM,
                    log=log,
                    prefix=[sys.executable, "-I", "-S", "-c", _ON_3_AND_4, str(its_reads), str(its_writes)],
                    environment=server_environment() | {"HOME": str(home)},
                    inherited=[its_reads, its_writes],
                )
            )
        finally:
            os.close(its_reads)
            os.close(its_writes)
        tools = DevTools(reads, writes)
        try:
            yield _first_page(tools)
        except BrowserEnded as ended:
            raise BrowserFailed(str(browser.failure("ended"))) from ended
        finally:
            browser.stop(STOP_SECONDS)
            tools.close()


def _first_page(tools: DevTools) -> Page:
    targets = tools.call("Target.getTargets", seconds=CALL_SECONDS)["targetInfos"]
    target = next((one["targetId"] for one in targets if one["type"] == "page"), None)
    if target is None:
        made = tools.call("Target.createTarget", {"url": "about:blank"}, seconds=CALL_SECONDS)
        target = made["targetId"]
    attached = tools.call("Target.attachToTarget", {"targetId": target, "flatten": True}, seconds=CALL_SECONDS)
    page = Page(tools, attached["sessionId"])
    for part in ("Page", "Network", "Runtime", "DOM"):
        page.call(f"{part}.enable")
    return page


def _pipe() -> tuple[int, int]:
    """What is read from, and what is written to; neither is 3 or 4."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]
