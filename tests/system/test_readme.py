"""What the README says is true: its commands run, its table of settings and its routes are those of the program."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import PydanticUndefined

from infra.settings import PREFIX, Settings
from services.cli.main import COMMANDS
from tests.system.running import call, up

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with up(tmp_path_factory.mktemp("readme")) as running:
        yield running.ready()


def first_game() -> str:
    found = re.search(r"<!-- run: first game -->\n```bash\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_first_game_works_as_printed(address: str, tmp_path: Path) -> None:
    assert "http://127.0.0.1:8000" in first_game()
    script = "set -euo pipefail\n" + first_game().replace("http://127.0.0.1:8000", address)

    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run([bash, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)

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
    goals = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)) | {"help"}
    for goal in re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE):
        assert goal in goals
    for command in re.findall(r"`bohnanza ([a-z]+)", README):
        assert command in COMMANDS
