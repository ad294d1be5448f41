"""Why an embedded server did not start, in a sentence for the person who started it."""

from pathlib import Path
from typing import Final

TAIL_BYTES: Final = 8_192
TAIL_LINES: Final = 12
DISK_FULL: Final = ("No space left on device", "Disk quota exceeded")


class ServerFailed(Exception):
    """A server did not start or did not stay; the text says what is wrong and, where known, what to do."""


def tail(log: Path, start: int = 0) -> str:
    """The last lines of a log, none of them from before byte `start`."""
    with log.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(start, end - TAIL_BYTES))
        text = file.read().decode(errors="replace")
    return "\n".join(text.splitlines()[-TAIL_LINES:])


def failure(name: str, happened: str, folder: Path, output: str) -> ServerFailed:
    """The failure that a server's own words amount to; `happened` says it where they do not."""
    if any(sign in output for sign in DISK_FULL):
        return ServerFailed(f"The disk is full: {name} cannot write to {folder}. Free some space and start again.")
    said = f" Its last words were:\n{output}" if output else ""
    return ServerFailed(f"{name} {happened}.{said}")
