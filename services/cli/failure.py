"""What went wrong, in one clear sentence and an exit code; never a traceback for what a person can mend."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from infra.embedded.failures import ServerFailed
from infra.settings import Settings, SettingsRefused, load_settings

FAILED: Final = 1
WRONG_SETTINGS: Final = 2
SIGNALLED: Final = 128
"""Plus the number of the signal: the exit code that a shell expects."""


class Failure(Exception):
    """Ends the command with that text on the error output and that exit code."""

    def __init__(self, message: str, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def settings() -> Settings:
    """The settings; a Failure names every wrong one."""
    try:
        return load_settings()
    except SettingsRefused as error:
        # Without the cause: it holds what was given, and that may be a secret.
        raise Failure("\n".join(error.wrong), WRONG_SETTINGS) from None


@contextmanager
def explained() -> Iterator[None]:
    """Turns what the machine lacks or refuses into a Failure."""
    try:
        yield
    except ServerFailed as error:
        raise Failure(str(error)) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            where = f" ({error.filename})" if error.filename else ""
            message = f"The disk is full{where}. Free some space and start again."
            raise Failure(message) from error
        if error.filename is None:
            raise
        message = f"{error.filename}: {error.strerror}"
        raise Failure(message) from error
