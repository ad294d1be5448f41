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
from domain.history import Trailer

_TAIL: Final = 2 * (LONGEST_LINE + 1)
"""Bytes at the end of a file in which its two last lines are, if they are lines of an export."""

Heard = Callable[[int], None]
"""Told, now and then, how many bytes have been read."""

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
    """What is wrong with that file, if anything is, and be it that it cannot be read."""
    try:
        with path.open("rb") as file:
            return _check(_Lines(file, heard), _revealed_seed(file), signature_of)
    except OSError as error:
        return Verdict(None, 0, None, unread("The file", f"{error.strerror or error}."))


class _Lines:
    """The lines of a file, one at a time, without their ends."""

    def __init__(self, file: BinaryIO, heard: Heard) -> None:
        self._file = file
        self._heard = heard
        self._bytes = 0
        self.number = 0

    def next(self) -> bytes | None:
        """The next line; None when there is none. Unreadable."""
        text = self._file.readline(LONGEST_LINE + 1)
        if not text:
            return None
        self.number += 1
        self._bytes += len(text)
        if self.number % _TOLD_EVERY == 0:
            self._heard(self._bytes)
        if text.endswith(b"\n"):
            return text[:-1]
        if len(text) > LONGEST_LINE:
            raise Unreadable(f"It is longer than {LONGEST_LINE} bytes, as no line of an export is.")
        raise Unreadable("The file stops amid this line: it was cut off.")


def _check(lines: _Lines, seed: bytes | None, signature_of: SignatureOf) -> Verdict:
    game: str | None = None
    auditor: Auditor | None = None
    try:
        header_line = _required(lines.next(), "The file is empty.")
        header = read_header(header_line)
        game = header.game
        auditor = Auditor(header_line, header, seed=seed)
        trailer = _take_all(lines, auditor)
    except Unreadable as error:
        events = 0 if auditor is None else auditor.version
        return Verdict(game, events, None, unread(_named(lines.number), str(error)))
    return Verdict(game, auditor.version, trailer.head, auditor.finish(trailer, signature_of), auditor.at)


def _take_all(lines: _Lines, auditor: Auditor) -> Trailer:
    while not is_trailer(text := _required(lines.next(), "The file stops before its trailer: it was cut off.")):
        auditor.take(read_entry(text))
    trailer = read_trailer(text)
    if lines.next() is not None:
        raise Unreadable("It comes after the trailer, which is the last line of an export.")
    return trailer


def _required(text: bytes | None, sentence: str) -> bytes:
    if text is None:
        raise Unreadable(sentence)
    return text


def _named(number: int) -> str:
    """The line, and the version that belongs there."""
    version = number - 1
    return f"Line {max(number, 1)}" if version < 1 else f"Line {number} (version {version})"


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
