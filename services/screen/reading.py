"""A file, or an export that was fetched, as a recording in which everything is right. Whatever the bytes are, the
answer is a recording or a sentence that says what is wrong with them and where."""

import os
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import Final

from domain import export
from domain.audit import NOT_REACHED, Auditor, Check
from domain.export import LONGEST_LINE, Unreadable, is_trailer, read_entry, read_header, read_trailer
from domain.history import Header, Trailer
from domain.referee import revealed_seed
from services.audit.signatures import signature_of
from services.screen.harmless import harmless
from services.screen.recording import Entry, NotPlayable, Recording

LARGEST: Final = 64 * 1024 * 1024
"""Bytes. A long game has some 200 kB."""


def read_file(path: Path) -> Recording:
    """The game in that file. NotPlayable."""
    try:
        # A pipe would be waited for, perhaps for ever, and a device has no end.
        with open(path, "rb", opener=_at_once) as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                raise NotPlayable(f"{harmless(str(path))}: no regular file. Save what it gives in one.")
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise NotPlayable(f"{harmless(str(path))}: {error.strerror or error}") from error
    return read(content, str(path))


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def read(content: bytes, name: str) -> Recording:
    """The game in those bytes; `name` is what they are called. NotPlayable."""
    called = harmless(name)
    if len(content) > LARGEST:
        raise NotPlayable(f"{called}: more than {LARGEST // 1024**2} MiB, which is too large for the record of a game.")
    lines = _Lines(content)
    try:
        header_line = lines.required()
        header = read_header(header_line)
        entries, trailer = _entries_and_trailer(lines)
    except Unreadable as error:
        raise NotPlayable(f"{called}: {_place(lines.number)}: {harmless(str(error))}") from None
    wrong = _wrong(header_line, header, entries, trailer)
    if wrong is not None:
        told = f"{wrong.name}: {harmless(wrong.detail)} `bohnanza verify` tells more."
        raise NotPlayable(f"{called} contradicts itself or the rules. {told}")
    slim = [Entry(entry.version, entry.at, entry.seat, entry.event) for entry in entries]
    return Recording(header.game, header.ruleset, header.rules_version, slim)


class _Lines:
    """One after the other, without their ends. `number` is that of the last one, counted from 1."""

    def __init__(self, content: bytes) -> None:
        self._content = BytesIO(content)
        self.number = 0

    def next(self) -> bytes | None:
        """None when there is none. Unreadable where it is cut off."""
        line = self._content.readline(LONGEST_LINE + 1)
        self.number += 1
        if not line:
            return None
        if line.endswith(b"\n"):
            return line[:-1]
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"It is longer than {LONGEST_LINE} bytes, as no line of an export is.")
        raise Unreadable("The file stops amid this line: it was cut off.")

    def required(self) -> bytes:
        """One that must be there. Unreadable."""
        line = self.next()
        if line is None:
            raise Unreadable("The file stops before its trailer: it was cut off.")
        return line


def _entries_and_trailer(lines: _Lines) -> tuple[list[export.Entry], Trailer]:
    entries = []
    while not is_trailer(line := lines.required()):
        entries.append(read_entry(line))
    trailer = read_trailer(line)
    if lines.next() is not None:
        raise Unreadable("It comes after the trailer, which is the last line of an export.")
    return entries, trailer


def _wrong(header_line: bytes, header: Header, entries: list[export.Entry], trailer: Trailer) -> Check | None:
    """The first check that is not passed. What has passed them all folds into a state without surprises."""
    auditor = Auditor(header_line, header, seed=revealed_seed([entry.event for entry in entries]))
    for entry in entries:
        auditor.take(entry)
    checks = auditor.finish(trailer, signature_of(None))
    failed = [check for check in checks if not check.ok]
    found = [check for check in failed if not check.detail.startswith(NOT_REACHED)] or failed
    # A line that was changed breaks the chain and mostly a rule: the rule tells where.
    return next((check for check in found if "Version" in check.detail), found[0] if found else None)


def _place(number: int) -> str:
    """The line, and the version that belongs there."""
    return f"line {number} (version {number - 1})" if number > 1 else f"line {number}"
