"""The soak of live updates finds nothing, and what is broken on purpose."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from domain.replay import Viewpoint, seen
from domain.state import State
from domain.views import View
from services.live.batch import Batch
from services.live.frames import Frame
from services.live.rooms import Rooms
from services.live.watcher import Watcher
from tests.soak.live import hub
from tests.soak.live.__main__ import command


def soaked(output: Path, *arguments: str) -> tuple[Result, dict[str, Any]]:
    """The command's result, and what it wrote."""
    done = CliRunner().invoke(command, [*arguments, "--output", str(output)])
    return done, msgspec.json.decode(output.read_bytes())


def test_games_in_memory_are_followed_without_a_fault(tmp_path: Path) -> None:
    done, kept = soaked(tmp_path / "soak-live.json", "--games", "3", "--seed", "1")
    assert done.exit_code == 0, done.output
    assert (kept["games"], kept["failures"], kept["broken"]) == (3, 0, None)
    assert kept["joins"] > kept["clients"], "nobody was cut off"
    assert kept["views"] > 0, "nobody was too slow"
    assert kept["troubles"] > 0


Break = Callable[[pytest.MonkeyPatch], None]


def forgetful(patch: pytest.MonkeyPatch) -> None:
    """A frame counts as sent and is not."""
    true = Watcher._shown

    def shown(self: Watcher, batch: Batch, *, revealed: bool = False) -> Frame | None:
        frame = true(self, batch, revealed=revealed)
        return None if batch.last % 50 == 0 else frame

    patch.setattr(Watcher, "_shown", shown)


def sleepy(patch: pytest.MonkeyPatch) -> None:
    """What is lost at the very end is never looked for."""

    async def sweep(_: Rooms) -> None:
        return

    patch.setattr(Rooms, "_sweep", sweep)
    patch.setattr(hub, "MOST_SECONDS", 6.0)


def replay_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    """Who looks back sits beside his place."""

    def beside(state: State, viewpoint: Viewpoint) -> View:
        return seen(state, (viewpoint + 1) % len(state.seats) if isinstance(viewpoint, int) else viewpoint)

    patch.setattr("services.replay.replays.seen", beside)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (forgetful, "follows version"),
        (sleepy, "TimeoutError"),
        (replay_of_the_next_seat, "saw then, in view"),
    ],
)
def test_what_is_broken_is_found(broken: Break, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch)
    done, kept = soaked(tmp_path / "soak-live.json", "--games", "8", "--seed", "2")
    assert done.exit_code == 1
    assert kept["failures"] == len(kept["found"]) > 0
    assert what in kept["found"][0]["failure"]
    assert f"--seed 2 --first {kept['found'][0]['number']} --games 1" in done.output
