"""One owner at a time for a folder. The kernel lets go of the lock when its owner dies, however it dies."""

import fcntl
from pathlib import Path
from typing import IO

from infra.embedded.failures import ServerFailed


class FolderLock:
    """A lock on `folder`/lock; taken by acquire(), which refuses at once when another process has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file: IO[bytes] | None = None

    def acquire(self) -> None:
        """ServerFailed if another process has it."""
        file = (self.folder / "lock").open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            message = (
                f"{self.folder} is in use by another process. Stop that one, "
                "or choose another folder with BOHNANZA_DATA_DIR."
            )
            raise ServerFailed(message) from error
        self._file = file

    def release(self) -> None:
        """Does nothing if it is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None
