"""A folder for a Unix socket that only its owner can enter, with a path short enough for the kernel."""

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

LONGEST_PATH: Final = 107
"""Bytes. The address of a Unix socket has room for 108 with the closing zero."""

PREFIX: Final = "bohnanza-"


class SocketFolder:
    """`home`/socket where that is short enough, else a private temporary folder that `home` keeps a note of.

    The note lets the next start remove what a killed process left behind.
    """

    def __init__(self, home: Path, socket_name: str) -> None:
        self.note = home / "socket.json"
        self.path = home / "socket"
        self.is_made = False
        self.short = len(os.fsencode(self.path / socket_name)) <= LONGEST_PATH

    def found(self) -> Path | None:
        """The folder of a server that another process has started; None if there is none."""
        if self.short:
            return self.path if self.path.is_dir() else None
        return Path(json.loads(self.note.read_text())) if self.note.exists() else None

    def create(self, user: int, group: int) -> Path:
        """The folder, empty and owned by that user; the same one at every call, so that clients find it again."""
        self.remove()
        if self.short or self.is_made:
            self.path.mkdir(mode=0o700)
            if not self.short:
                self.note.write_text(json.dumps(str(self.path)))
        else:
            # A long TMPDIR would not help; /tmp exists wherever Unix sockets do, and mkdtemp makes its folders private.
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
            self.is_made = True
            self.note.write_text(json.dumps(str(self.path)))
        if os.geteuid() == 0:
            os.chown(self.path, user, group)
        return self.path

    def remove(self) -> None:
        """Remove the folder, this process's or a killed predecessor's."""
        if self.short:
            if self.path.exists():
                shutil.rmtree(self.path)
        elif self.note.exists():
            noted = Path(json.loads(self.note.read_text()))
            # Never more than what create() makes, whatever the note says.
            if noted.parent == Path("/tmp") and noted.name.startswith(PREFIX) and noted.is_dir():  # noqa: S108 - as above
                shutil.rmtree(noted)
            self.note.unlink()
