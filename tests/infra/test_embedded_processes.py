"""Children of a killed parent, and strangers who were given the same number."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from infra.embedded.failures import ServerFailed, failure
from infra.embedded.lock import FolderLock
from infra.embedded.processes import Child, Launch, end_leftover, leftover, server_environment, start
from tests.servers import wait_until

SLEEP = ["/bin/sleep", "600"]

PARENT = """
import signal, sys, time
from pathlib import Path
from infra.embedded import processes
if sys.argv[2] == "no death signal":
    processes._death_signal = lambda end: ()
folder = Path(sys.argv[1])
processes.start(processes.Launch("Sleep", ["/bin/sleep", "600"], folder, folder / "pid", signal.SIGTERM))
(folder / "started").touch()
time.sleep(600)
"""


def launch(folder: Path, command: list[str]) -> Launch:
    return Launch("Sleep", command, folder, folder / "pid", signal.SIGTERM, log=folder / "log")


@pytest.fixture
def sleeping(tmp_path: Path) -> Iterator[Child]:
    child = start(launch(tmp_path, SLEEP))
    yield child
    child.stop(5)


def killed_parent(folder: Path, mode: str) -> psutil.Process:
    """The child of a parent that was killed as soon as it had started it."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(folder), mode])
    wait_until((folder / "started").exists, 20, "the parent starts its child")
    child = psutil.Process(json.loads((folder / "pid").read_text())["pid"])
    parent.kill()
    parent.wait()
    return child


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    child = killed_parent(tmp_path, "as usual")

    wait_until(lambda: gone(child), 5, "the child ends")


def test_a_child_that_outlived_its_parent_is_ended_at_the_next_start(tmp_path: Path) -> None:
    child = killed_parent(tmp_path, "no death signal")
    assert not gone(child)

    assert end_leftover(tmp_path / "pid", signal.SIGTERM, 5)

    wait_until(lambda: gone(child), 5, "the child ends")
    assert not end_leftover(tmp_path / "pid", signal.SIGTERM, 5)


@pytest.mark.parametrize(
    "changed",
    [{"started": 1.0}, {"program": "/usr/bin/another"}, {"pid": 2**22 + 1}],
    ids=lambda change: next(iter(change)),
)
def test_a_process_that_is_not_beyond_doubt_the_one_is_left_alone(
    sleeping: Child, tmp_path: Path, changed: dict[str, object]
) -> None:
    note = tmp_path / "pid"
    wait_until(lambda: leftover(note) is not None, 5, "the child shows the command line that it was started with")

    note.write_text(json.dumps(json.loads(note.read_text()) | changed))

    assert not end_leftover(note, signal.SIGKILL, 5)
    assert sleeping.exit_code is None


def test_a_broken_note_is_no_process(tmp_path: Path) -> None:
    (tmp_path / "pid").write_text('{"pid": 1')

    assert not end_leftover(tmp_path / "pid", signal.SIGKILL, 5)


def test_a_child_does_not_get_the_signals_of_its_parents_terminal(sleeping: Child) -> None:
    assert os.getpgid(sleeping.process.pid) != os.getpgid(0)


def test_a_child_that_does_not_listen_is_killed_after_its_time(tmp_path: Path) -> None:
    deaf = ["/bin/sh", "-c", "trap '' TERM; touch deaf; while :; do sleep 600; done"]
    child = start(launch(tmp_path, deaf))
    wait_until((tmp_path / "deaf").exists, 5, "the child stops listening")
    group = os.getpgid(child.process.pid)

    try:
        assert not child.stop(0.1)
    finally:
        os.killpg(group, signal.SIGKILL)
    assert child.exit_code == -signal.SIGKILL
    assert not (tmp_path / "pid").exists()


def test_a_child_that_dies_early_is_reported_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("what an earlier run said\n")
    child = start(launch(tmp_path, ["/bin/sh", "-c", "echo the reason; exit 3"]))

    with pytest.raises(ServerFailed) as failed:
        child.wait_until(lambda: False, 10)

    assert str(failed.value) == "Sleep did not start. Its last words were:\nthe reason"


def test_a_child_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    child = start(launch(tmp_path, SLEEP))

    with pytest.raises(ServerFailed, match="Sleep was not ready within 0 seconds"):
        child.wait_until(lambda: False, 0.1)

    assert child.exit_code is not None


def test_a_full_disk_is_called_a_full_disk(tmp_path: Path) -> None:
    said = 'FATAL:  could not write lock file "postmaster.pid": No space left on device'

    assert str(failure("Postgres", "did not start", tmp_path, said)) == (
        f"The disk is full: Postgres cannot write to {tmp_path}. Free some space and start again."
    )


def test_a_folder_has_one_owner_at_a_time(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path), FolderLock(tmp_path)
    first.acquire()

    with pytest.raises(ServerFailed, match="is in use by another process"):
        second.acquire()

    first.release()
    second.acquire()
    second.release()


@pytest.mark.parametrize("note", ["[1]", '{"pid": "x", "started": 1, "program": "p"}', "{}", '{"pid": 1', "null"])
def test_a_note_that_makes_no_sense_names_no_process(tmp_path: Path, note: str) -> None:
    (tmp_path / "pid").write_text(note)
    assert leftover(tmp_path / "pid") is None


def test_a_server_gets_nothing_secret_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_TOKEN_KEYS", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    assert "secret" not in server_environment().values()
    assert server_environment()["PATH"]
