"""What the README says is true: its commands run, its table of settings and its routes are those of the program."""

import asyncio
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar

import msgspec
import pytest
from pydantic_core import PydanticUndefined
from rich.console import Console

from domain.events import Options
from infra.settings import PREFIX, Settings
from services.cli.main import COMMANDS
from services.demo.browser import NO_BROWSER, find_browser, headless
from services.demo.run import Wish
from services.demo.run import run as run_demo
from tests.domain.referee.played import GAME, played
from tests.exports import golden_export, kept
from tests.system.running import call, up

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with up(tmp_path_factory.mktemp("readme")) as running:
        yield running.ready()


def printed(name: str, language: str = "bash") -> str:
    found = re.search(rf"<!-- run: {name} -->\n```{language}\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1]


def run(script: str, address: str, folder: Path) -> subprocess.CompletedProcess[str]:
    assert "http://127.0.0.1:8000" in script
    return in_bash(script.replace("http://127.0.0.1:8000", address), folder)


def in_bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    bash = shutil.which("bash")
    assert bash is not None
    script = "set -euo pipefail\n" + script
    return subprocess.run([bash, "-c", script], cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def test_the_first_game_works_as_printed(address: str, tmp_path: Path) -> None:
    done = run(printed("first game"), address, tmp_path)

    assert done.returncode == 0, done.stderr
    documents = list(values(done.stdout))
    listed, planted, again, revealed, ended, history = documents
    assert [action["command"]["type"] for action in listed["actions"]] == ["plant"] * 3
    assert (planted["replayed"], again["replayed"]) == (False, True)
    assert planted["events"] == again["events"]
    assert [item["event"]["type"] for item in planted["events"]] == ["bean_planted"]
    assert [item["event"]["type"] for item in revealed["events"]] == ["cards_revealed"]
    assert [item["event"]["type"] for item in ended["events"]] == ["trading_ended"]
    assert [item["version"] for item in history["events"]] == list(range(1, ended["version"] + 1))


def test_a_game_is_followed_as_printed(address: str, tmp_path: Path) -> None:
    following = printed("follow").replace("curl", "curl --max-time 2")
    done = run(printed("first game") + "echo FOLLOW\n" + following, address, tmp_path)

    # curl's word for the end of the time that it was given here: the stream itself has no end.
    assert done.returncode == 28, done.stderr
    frames = [json.loads(line) for line in re.findall("^data: (.*)$", done.stdout, re.MULTILINE)]
    assert [frame["type"] for frame in frames][:1] == ["events"]
    versions = [item["version"] for frame in frames if frame["type"] == "events" for item in frame["events"]]
    assert versions == list(range(1, versions[-1] + 1))
    assert {"type": "presence", "seats": [next(iter(seats(frames)))], "spectators": 0} in frames


def seats(frames: list[Any]) -> set[int]:
    """Whoever revealed: the player who follows."""
    events = [item["event"] for frame in frames if frame["type"] == "events" for item in frame["events"]]
    return {event["seat"] for event in events if event["type"] == "cards_revealed"}


def test_a_game_is_looked_back_on_as_printed(address: str, tmp_path: Path) -> None:
    done = run(printed("first game") + printed("replay"), address, tmp_path)

    assert done.returncode == 0, done.stderr
    *_, history, step = values(done.stdout)
    assert (step["version"], step["last"]) == (10, len(history["events"]))
    assert step["event"] == history["events"][9]["event"]
    assert step["event"]["type"] == "turn_started"
    assert step["view"]["viewer"] == step["event"]["seat"]
    assert [action["command"]["type"] for action in step["actions"]] == ["plant"] * 3
    assert step["links"]["next"]["href"].endswith(f"/replay?version=11&as={step['event']['seat']}")


def test_a_history_is_judged_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    items = [{"event": msgspec.to_builtins(event)} for _, event in played("classic", 3, "casual", 0)]
    for told in ("All is right.", "Version 1: "):
        exec(printed("judge", "python"), {"items": items, "game": GAME})  # noqa: S102 - what the README prints
        assert capsys.readouterr().out.startswith(told)
        del items[0]


def test_a_finished_game_is_verified_as_printed(address: str, tmp_path: Path) -> None:
    asyncio.run(run_demo(Wish(address, 2, 1, "classic", Options(), 3), Console(quiet=True)))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    # The functions that the shell of the first game has.
    beginning = printed("first game").partition("\n\n")[0].replace("http://127.0.0.1:8000", address) + "\n"

    done = in_bash(beginning + printed("verify"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("All is right.\n")
    assert "a trusted key" in done.stdout

    # No day is over here: there is no anchor to keep yet, and that is said.
    done = in_bash(beginning + printed("verify") + printed("anchors"), tmp_path)
    assert done.returncode == 1
    assert "anchors.json: There is no anchor in it." in done.stderr


def test_the_chain_of_a_file_is_checked_in_a_shell_as_printed(tmp_path: Path) -> None:
    if shutil.which("jq") is None:
        pytest.skip("no jq on this machine: apt-get install jq")
    content = golden_export("classic-2")
    head = json.loads(content.splitlines()[-1])["head"]
    lines, signed, seed, committed = recomputed(content, tmp_path)
    assert lines == signed == head
    assert seed == committed == json.loads(content.splitlines()[1])["event"]["commitment"]

    edited = content.replace(b'"field":0', b'"field":1', 1)
    lines, signed, seed, committed = recomputed(edited, tmp_path)
    assert lines != signed == head
    assert seed == committed

    another_seed = re.sub(rb'"seed":"..', b'"seed":"' + (b"00" if b'"seed":"00' not in content else b"11"), content)
    lines, signed, seed, committed = recomputed(another_seed, tmp_path)
    assert lines != signed
    assert seed != committed


def recomputed(content: bytes, folder: Path) -> list[str]:
    """The four hashes that the recipe prints."""
    kept(folder, content)
    done = in_bash(printed("chain"), folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return [line.split()[-1] for line in done.stdout.splitlines() if line]


class Pages(BaseHTTPRequestHandler):
    """Serves one page, and keeps what it sends back."""

    page: ClassVar[bytes] = b""
    told: ClassVar[SimpleQueue[Any]] = SimpleQueue()

    def do_GET(self) -> None:
        self._answer(self.page if self.path == "/" else b"")

    def do_POST(self) -> None:
        self.told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._answer(b"")

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_a_page_follows_a_game_as_printed(tmp_path: Path) -> None:
    """In a real browser, on a page of another origin, and again after the server has been killed."""
    browser = find_browser()
    if browser is None:
        pytest.skip(NO_BROWSER)
    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as served:
        Thread(target=served.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{served.server_port}"
        with up(tmp_path, cors_origins=origin) as running:
            address = running.ready()
            pairs = [call("POST", f"{address}/v1/players", {"name": name})[1] for name in ("Ada", "Grace")]
            host, guest = [pair["access_token"] for pair in pairs]
            game = call("POST", f"{address}/v1/games", {"seats": 3}, token=host)[1]["game"]
            Pages.page = f"""<!doctype html><script>{printed("EventSource", "js")}
                follow("{address}/v1", "{game}", () => "{host}",
                    (frame) => fetch("/", {{ method: "POST", body: JSON.stringify(frame) }}));
                </script>""".encode()
            with headless(browser) as page:
                page.open(origin)
                view = next_frame("view")["view"]
                assert (view["viewer"], view["version"]) == (0, 2)
                running.api().send_signal(signal.SIGKILL)
                running.says("The API is ready again.")
                assert call("POST", f"{address}/v1/games/{game}/seats", {}, token=guest)[0] == 201
                (joined,) = next_frame("events")["events"]
                assert (joined["version"], joined["event"]["type"]) == (3, "player_joined")
        served.shutdown()


def next_frame(kind: str) -> Any:
    while True:
        frame = Pages.told.get(timeout=30)
        if frame["type"] == kind:
            return frame


def values(text: str) -> Iterator[Any]:
    """The JSON documents that were printed one after the other."""
    decoder = json.JSONDecoder()
    position = 0
    while text[position:].strip():
        position += len(text[position:]) - len(text[position:].lstrip())
        value, position = decoder.raw_decode(text, position)
        yield value


def test_the_table_of_settings_is_that_of_the_program() -> None:
    rows = []
    for name, field in Settings.model_fields.items():
        default = field.default
        assert default is not PydanticUndefined
        shown = "" if default in (None, "") else f"`{default}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {shown} | {field.description} |")
    found = re.search(r"<!-- settings -->\n[^\n]*\n\|---[^\n]*\n(.*?)<!-- /settings -->", README, re.DOTALL)
    assert found is not None
    assert found[1].splitlines() == rows


def test_every_route_of_the_readme_is_served_and_every_served_one_is_in_the_readme(address: str) -> None:
    _, document = call("GET", f"{address}/schema/openapi.json")
    paths: dict[str, dict[str, object]] = document["paths"]
    served = {f"{method.upper()} {re.sub(r'{[^}]*}', '{id}', path)}" for path, item in paths.items() for method in item}
    told = set()
    for cell in re.findall(r"^\| (`(?:GET|POST|DELETE).*?) \|", README, re.MULTILINE):
        methods: list[str] = []
        for name in re.findall(r"`([^`]+)`", cell):
            *given, path = name.split(" ")
            methods += given
            if path.startswith("/"):
                told |= {f"{method} {path.partition('?')[0]}" for method in methods}
                methods = []
            else:
                methods.append(path)
    assert told == served


def test_every_command_of_the_readme_exists() -> None:
    goals = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)) | {"help"}
    for goal in re.findall(r"(?:`|^)make ([a-z-]+)", README, re.MULTILINE):
        assert goal in goals
    for command in re.findall(r"`bohnanza ([a-z]+)", README):
        assert command in COMMANDS
