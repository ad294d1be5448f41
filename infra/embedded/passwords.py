"""Passwords of embedded servers: made once, kept beside the server's files, for its owner alone to read."""

import os
import secrets
from pathlib import Path


def kept_password(file: Path) -> str:
    """The password in that file, which is made if it is not there. It belongs to whoever owns the folder."""
    if not file.exists():
        write_private(file, secrets.token_urlsafe(24) + "\n")
    return file.read_text().strip()


def write_private(file: Path, text: str) -> None:
    """Write a file that nobody else could read at any moment; whole, or not at all."""
    draft = file.with_name(f".{file.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(descriptor)
    if os.geteuid() == 0:
        owner = file.parent.stat()
        os.chown(draft, owner.st_uid, owner.st_gid)
    draft.replace(file)
