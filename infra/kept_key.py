"""A file of keys in the data directory, made by whichever process comes first and readable by its owner only."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class KeyRefused(ValueError):
    """A key that must not be used; the message says why and never shows it."""


def kept_lines(path: Path, make: Callable[[], str]) -> list[str]:
    """The lines of that file that hold something; `make` gives the one that a new file begins with. KeyRefused.

    Processes that start at the same time agree on one key: a file that is complete is linked to its name, and the name
    is given once.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path, make)
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        msg = f"{path} can be read by others; `chmod 600` it and start again."
        raise KeyRefused(msg)
    try:
        kept = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        # Without the cause: it may quote what is in the file.
        msg = f"{path} cannot be read as a file of keys; mend it, or put back the one that it was."
        raise KeyRefused(msg) from None
    return [line.strip() for line in kept.splitlines() if line.strip()]


def _make(path: Path, make: Callable[[], str]) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(make() + "\n")
            file.flush()
            os.fsync(file.fileno())
        # If another process was first, its key counts.
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    # What is signed with it outlives a power cut, so its name must, too.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
