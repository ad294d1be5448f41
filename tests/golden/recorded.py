"""A golden game in its files: `N.jsonl.xz` has its history as the export has it, a header and a line for each event;
`N.commands.jsonl.xz` has what was asked for, by whom and at which version, what was refused too."""

import lzma
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from domain.history import Header
from tests.domain.whole_game import Act

# As preset 9 gives it, without its memory: no game is larger than this dictionary.
_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 20}]


class Line(Struct, frozen=True):
    """An event as it was written. `event`: the stored bytes."""

    version: int
    at: str
    seat: int | None
    event: msgspec.Raw


class Asked(Struct, frozen=True):
    """A command, and the version at which it was decided. It gave the events up to the version of the next one."""

    version: int
    seat: int
    command: Act


class Recorded(Struct, frozen=True):
    """Everything of one game, as bytes and as what they say."""

    header: Header
    header_line: bytes
    lines: list[Line]
    log_lines: list[bytes]
    asked: list[Asked]


_headers: Final = msgspec.json.Decoder(Header)
_lines: Final = msgspec.json.Decoder(Line)
_asked: Final = msgspec.json.Decoder(Asked)


def history_file(folder: Path, number: int) -> Path:
    """Where the events of that game are."""
    return folder / f"{number}.jsonl.xz"


def commands_file(folder: Path, number: int) -> Path:
    """Where its commands are."""
    return folder / f"{number}.commands.jsonl.xz"


def read(folder: Path, number: int) -> Recorded:
    """That game."""
    header_line, *log_lines = _unpacked(history_file(folder, number))
    return Recorded(
        header=_headers.decode(header_line),
        header_line=header_line,
        lines=[_lines.decode(line) for line in log_lines],
        log_lines=log_lines,
        asked=[_asked.decode(line) for line in _unpacked(commands_file(folder, number))],
    )


def write(folder: Path, number: int, history: list[bytes], asked: list[Asked]) -> None:
    """Keep a new game: its lines, the header first. FileExistsError if there is one of that number."""
    _pack(history_file(folder, number), history)
    _pack(commands_file(folder, number), [msgspec.json.encode(command) for command in asked])


def _unpacked(path: Path) -> list[bytes]:
    return lzma.decompress(path.read_bytes()).splitlines()


def _pack(path: Path, lines: list[bytes]) -> None:
    packed = lzma.compress(b"".join(line + b"\n" for line in lines), filters=_FILTERS)
    with path.open("xb") as file:
        file.write(packed)
