"""Makes the folder .venv hold exactly what requirements.lock asks for, and does nothing when it already does.

Runs on a bare Python 3.11: standard library only. Safe to start twice at once, after the folder was copied or moved,
and without network once everything is there.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "stamp.json"

# Settings of a person's pip that would send packages somewhere else than into .venv.
MISLEADING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PYTHONHOME", "PYTHONPATH")


class Unavailable(Exception):
    """Something that this machine lacks; the text says what to do about it."""


def digest(*names: str) -> str:
    """One hash over the named files of the project."""
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def wanted() -> dict[str, str]:
    """What the finished environment is stamped with."""
    return {
        "venv": str(VENV),
        "lock": digest("requirements.lock"),
        "project": digest("pyproject.toml", ".ci/environment.py"),
    }


def found() -> dict[str, str]:
    """What the environment that is there was stamped with; nothing if it was never finished or does not run.

    Whichever Python is first on the path now: one that works stays, as a server may be running on it.
    """
    try:
        stamp: dict[str, str] = json.loads(STAMP.read_text())
        version = version_within()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return {}
    if stamp.pop("python", None) != version or not (VENV / "pyvenv.cfg").exists():
        return {}
    return stamp


def version_within() -> str:
    """What the environment's own Python says that it is."""
    asked = subprocess.run([PYTHON, "-c", "import sys; print(sys.version)"], check=True, capture_output=True, text=True)
    return asked.stdout.strip()


def run(*command: str | Path) -> None:
    """Run one step and show what it prints."""
    environment = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    subprocess.run(command, check=True, cwd=ROOT, env=environment)


def pip() -> list[str | Path]:
    """The pip to install with: this Python's own if it can serve another environment (since 22.3), else the bundled."""
    if importlib.util.find_spec("pip") is not None:
        shown = subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, capture_output=True, text=True)
        words = shown.stdout.split()
        if shown.returncode == 0 and tuple(int(part) for part in words[1].split(".")[:2]) >= (22, 3):
            return [sys.executable, "-m", "pip", "--python", PYTHON]
    if importlib.util.find_spec("ensurepip") is not None:
        run(PYTHON, "-m", "ensurepip")
        return [PYTHON, "-m", "pip"]
    message = (
        f"{sys.executable} has neither pip 22.3 or newer nor ensurepip. Install one of them, "
        "on Debian and Ubuntu: apt-get install python3-pip"
    )
    raise Unavailable(message)


def create() -> None:
    """An empty environment, in place of whatever was there."""
    if importlib.util.find_spec("venv") is None:
        message = f"{sys.executable} has no venv module. Install it, on Debian and Ubuntu: apt-get install python3-venv"
        raise Unavailable(message)
    if VENV.exists():
        # First of all: a removal that is interrupted must not leave a stamp on half an environment.
        STAMP.unlink(missing_ok=True)
        shutil.rmtree(VENV)
    run(sys.executable, "-m", "venv", "--without-pip", VENV)


def relocate(old: str) -> None:
    """Point the scripts of an environment that was copied or moved at its new place: that needs no network."""
    moved = re.compile(re.escape(os.fsencode(old)) + rb"(?![\w.-])")
    for script in (VENV / "pyvenv.cfg", *(VENV / "bin").iterdir()):
        if script.is_symlink() or not script.is_file():
            continue
        content = script.read_bytes()
        if b"\0" in content:
            continue
        first, _, rest = content.partition(b"\n")
        if first.startswith(b"#!") and moved.search(first):
            # The form that pip writes for paths with spaces: it is read by the shell first, then by Python.
            content = b"#!/bin/sh\n'''exec' \"" + os.fsencode(PYTHON) + b'" "$0" "$@"\n\' \'\'\'\n' + rest
        script.write_bytes(moved.sub(lambda _: os.fsencode(VENV), content))


def prepare() -> None:
    """Bring .venv from whatever it is to what is wanted; the stamp comes last, so a broken attempt never counts."""
    want, have = wanted(), found()
    if have == want:
        return
    if not have:
        print("Preparing .venv (the first time: a minute or two)", flush=True)
        create()
    STAMP.unlink(missing_ok=True)
    if have and have["venv"] != want["venv"]:
        relocate(have["venv"])
    installer = [*pip(), "--disable-pip-version-check", "--no-input", "install", "--no-cache-dir", "-qq"]
    if have.get("lock") != want["lock"]:
        run(*installer, "--require-hashes", "-r", "requirements.lock")
        STAMP.write_text(json.dumps(want | {"python": version_within(), "project": "to be installed"}))
    run(*installer, "--no-index", "--no-build-isolation", "--no-deps", "--force-reinstall", "--editable", ".")
    STAMP.write_text(json.dumps(want | {"python": version_within()}))


def main() -> int:
    """Prepare the environment, one process at a time."""
    try:
        (ROOT / ".cache").mkdir(exist_ok=True)
        with (ROOT / ".cache" / "venv.lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print("Waiting for another command that is preparing .venv", flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
            prepare()
    except PermissionError as error:
        print(
            f"{error.filename} belongs to another user. Remove it, or use a copy of the project of your own.",
            file=sys.stderr,
        )
    except (Unavailable, OSError) as error:
        print(error, file=sys.stderr)
    except subprocess.CalledProcessError as error:
        print(f"Preparing .venv failed (exit code {error.returncode}); what failed stands above.", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
