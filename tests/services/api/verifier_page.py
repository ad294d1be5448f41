"""The page at /verify in a real browser, and files put before it as a person would. Its script alone runs under Node,
too, where there is no browser."""

import base64
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import msgspec
import pytest

from services.api.verifier import NO_KEYS, logic, verifier_page
from services.audit.jwks import jwks
from services.demo.browser import NO_BROWSER, Page, find_browser, headless
from services.demo.page_verdict import PageVerdict, verdicts
from tests.exports import KEYS

NODE_SECONDS: Final = 60.0

KNOWN: Final = msgspec.json.encode(jwks(KEYS.public))


class Verifier:
    """The script of the page, wherever it runs."""

    def __init__(self, evaluate: Callable[[str], Any]) -> None:
        self.evaluate = evaluate

    def of_bytes(self, content: bytes, keys: bytes = KNOWN) -> dict[str, Any]:
        """What `verify` says."""
        text = base64.b64encode(content).decode()
        found: dict[str, Any] = self.evaluate(
            f"verify(Uint8Array.from(atob('{text}'), (sign) => sign.charCodeAt(0)), {keys.decode()})"
        )
        return found

    def unfound(self, content: bytes, edits: list[tuple[int, int]]) -> list[list[int]]:
        """Those edits (place, byte) after which `verify` still finds everything right."""
        text = base64.b64encode(content).decode()
        left: list[list[int]] = self.evaluate(f"""(async () => {{
          const right = Uint8Array.from(atob("{text}"), (sign) => sign.charCodeAt(0));
          const unfound = [];
          for (const [place, byte] of {json.dumps(edits)}) {{
            const edited = right.slice();
            edited[place] = byte;
            if ((await verify(edited, {KNOWN.decode()})).ok) unfound.push([place, byte]);
          }}
          return unfound;
        }})()""")
        return left


class OpenedVerifier(Verifier):
    """The page, opened. `asked` has the path of every request that came to its server."""

    def __init__(self, page: Page, origin: str, asked: list[str]) -> None:
        super().__init__(page.evaluate)
        self.page = page
        self.origin = origin
        self.asked = asked

    def of_file(self, path: Path) -> PageVerdict:
        """What the screen says of a chosen file."""
        (verdict,) = self.of_files([path])
        return verdict

    def of_files(self, paths: list[Path]) -> list[PageVerdict]:
        """What it says of several that are chosen together."""
        return verdicts(self.page, paths)


def wrong(found: dict[str, Any]) -> dict[str, str]:
    """The checks that failed, by name."""
    return {check["name"]: check["detail"] for check in found["checks"] if check["ok"] is False}


@contextmanager
def script() -> Iterator[Verifier]:
    """The script in a browser, or else under Node; skips where there is neither."""
    if find_browser() is not None:
        with opened() as page:
            yield page
    elif (node := find_node()) is not None:
        yield Verifier(lambda expression: under_node(node, expression))
    else:
        pytest.skip(f"{NO_BROWSER} Nor is there Node: no line of the page's JavaScript was run.")


def find_node() -> str | None:
    return shutil.which("node")


def under_node(node: str, expression: str) -> Any:
    """What the expression gives in the script of the page, but for the part that shows it."""
    told = "process.stdout.write(JSON.stringify(found ?? null))"
    program = f"globalThis.crypto ??= require('node:crypto').webcrypto;\n{logic()}\n"
    program += f"(async () => {{ const found = await ({expression}); {told}; }})();"
    done = subprocess.run([node, "-"], input=program, capture_output=True, text=True, timeout=NODE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@contextmanager
def opened(keys: bytes = KNOWN, *, before: str = "") -> Iterator[OpenedVerifier]:
    """The page with those keys in it; `before` is run in it before anything else. Skips where there is no browser."""
    program = find_browser()
    if program is None:
        pytest.skip(f"{NO_BROWSER} What the page shows, and what its policy forbids, was not looked at.")
    with served(keys) as (origin, asked), headless(program) as page:
        if before:
            page.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        page.open(f"{origin}/verify")
        yield OpenedVerifier(page, origin, asked)


@contextmanager
def served(keys: bytes = NO_KEYS) -> Iterator[tuple[str, list[str]]]:
    """A server that has the page and nothing else: its origin, and what it was asked for."""
    asked: list[str] = []
    shown = verifier_page(keys)

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200 if self.path == "/verify" else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Security-Policy", shown.policy)
            self.end_headers()
            self.wfile.write(shown.body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
