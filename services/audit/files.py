"""Checks an export in a file, line by line: whatever the file holds and however long it is, in constant memory."""

import os
import stat
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from domain.audit import Auditor, Check, SignatureOf, unread
from domain.events import GameAbandoned, GameEnded
from domain.export import LONGEST_LINE, Entry, Unreadable, is_trailer, read_entry, read_header, read_trailer
from domain.history import FORMAT, Trailer

_TAIL: Final = 2 * (LONGEST_LINE + 1)
"""Bytes at the end of a file in which its two last lines are, if they are lines of an export."""

Heard = Callable[[int], None]
"""Told, now and then, how many bytes have been read."""

_BEGINNING: Final = f'{{"format":"{FORMAT}"'.encode()
_CUT_OFF: Final = "The file stops amid this line: it was cut off."
_TOLD_EVERY: Final = 1000


class Verdict(Struct, frozen=True):
    """What the checks of one history have found. `game` is None where not even its header could be read, `head` (in
    hexadecimal) where the trailer could not; `events` is the number of those that were read, and `ended_at` the time of
    the last one, None where there is none."""

    game: str | None
    events: int
    head: str | None
    checks: list[Check]
    ended_at: datetime | None = None

    @property
    def ok(self) -> bool:
        """Whether everything is right."""
        return all(check.ok for check in self.checks)


def check_file(path: Path, signature_of: SignatureOf, heard: Heard = lambda _: None) -> Verdict:
    """What is wrong with that file, if anything is. OSError when it cannot be read."""
    with path.open("rb") as file:
        return _check(_Lines(file, heard), _revealed_seed(file), signature_of)


class _Lines:
    """The lines of a file, one at a time, without their ends."""

    def __init__(self, file: BinaryIO, heard: Heard) -> None:
        self._file = file
        self._heard = heard
        self._bytes = 0
        self._number = 0
        self._is_event = False

    @property
    def place(self) -> str:
        """The line that was read last, and the version that it should hold, if it is one of an event."""
        return f"Line {self._number} (version {self._number - 1})" if self._is_event else f"Line {max(self._number, 1)}"

    def header(self) -> bytes:
        """The first line. Unreadable."""
        text = self._file.readline(LONGEST_LINE + 1)
        if not text:
            raise Unreadable("The file is empty.")
        self._number, self._bytes = 1, len(text)
        if not text.endswith(b"\n") and text.startswith(_BEGINNING):
            raise Unreadable(_CUT_OFF)
        # What is no export at all is said to be that, wherever its lines may end.
        return text.removesuffix(b"\n")

    def next(self) -> bytes | None:
        """The next line; None when there is none. Unreadable."""
        text = self._file.readline(LONGEST_LINE + 1)
        if not text:
            return None
        self._number += 1
        self._bytes += len(text)
        self._is_event = not is_trailer(text)
        if self._number % _TOLD_EVERY == 0:
            self._heard(self._bytes)
        if text.endswith(b"\n"):
            return text[:-1]
        if len(text) > LONGEST_LINE:
            raise Unreadable(f"It is longer than {LONGEST_LINE} bytes, as no line of an export is.")
        raise Unreadable(_CUT_OFF)

    def end(self) -> None:
        """Nothing may follow. Unreadable."""
        if self._file.read(1):
            self._number += 1
            self._is_event = False
            raise Unreadable("It comes after the trailer, which is the last line of an export.")


def _check(lines: _Lines, seed: bytes | None, signature_of: SignatureOf) -> Verdict:
    game: str | None = None
    auditor: Auditor | None = None
    try:
        header_line = lines.header()
        header = read_header(header_line)
        game = header.game
        auditor = Auditor(header_line, header, seed=seed)
        trailer = _take_all(lines, auditor)
    except Unreadable as error:
        events = 0 if auditor is None else auditor.version
        return Verdict(game, events, None, unread(lines.place, str(error)))
    return Verdict(game, auditor.version, trailer.head, auditor.finish(trailer, signature_of), auditor.at)


def _take_all(lines: _Lines, auditor: Auditor) -> Trailer:
    while (text := lines.next()) is not None and not is_trailer(text):
        auditor.take(read_entry(text))
    if text is None:
        raise Unreadable("The file stops before its trailer: it was cut off.")
    trailer = read_trailer(text)
    lines.end()
    return trailer


def _revealed_seed(file: BinaryIO) -> bytes | None:
    """What the last event reveals, where the end of the file can be looked at before the rest. Whether it is right is
    for the checks to tell."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return None
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _TAIL))
    lines = file.read(_TAIL).splitlines()
    file.seek(0)
    return _seed_of(lines[-2]) if len(lines) > 1 else None


def _seed_of(text: bytes) -> bytes | None:
    try:
        entry: Entry = read_entry(text)
        return bytes.fromhex(entry.event.seed) if isinstance(entry.event, GameEnded | GameAbandoned) else None
    except ValueError:
        return None
