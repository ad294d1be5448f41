"""Exports made from golden games, signed with a key that everybody may know."""

import base64
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.history import first_hash, next_hash, trailer
from infra.signing import SigningKeys, parse_signing_keys
from tests.golden import checks

KEYS: Final = parse_signing_keys(base64.b64encode(b"a key of tests, known to anybody").decode())
"""Whose signatures are good."""

OTHERS: Final = parse_signing_keys(base64.b64encode(b"the key of somebody who forges!!").decode())


def export(header_line: bytes, lines: Sequence[bytes], keys: SigningKeys = KEYS) -> bytes:
    """The file of that history, its chain and signature included."""
    head = first_hash(header_line)
    for line in lines:
        head = next_hash(head, line)
    signed = keys.sign(head)
    return b"".join(line + b"\n" for line in [header_line, *lines, trailer(head, signed.key, signed.signature)])


@cache
def golden_export(setup: str, number: int = 1) -> bytes:
    """The file of a golden game."""
    (path,) = (path for path in checks.expectations_files() if path.parent.name == setup)
    recorded = checks.golden(path, number).recorded
    return export(recorded.header_line, recorded.log_lines)


def parts(setup: str) -> tuple[bytes, list[bytes]]:
    """Header and events of a golden export, to be changed and exported again."""
    header_line, *lines, _ = golden_export(setup).splitlines()
    return header_line, lines


def changed(
    lines: list[bytes], wanted: Callable[[dict[str, Any]], bool], change: Callable[[dict[str, Any]], None]
) -> int:
    """Change the first event that is wanted, as somebody would who writes canonical lines; its version."""
    for place, line in enumerate(lines):
        entry = json.loads(line)
        if wanted(entry["event"]):
            change(entry)
            lines[place] = msgspec.json.encode(entry)
            assert lines[place] != line
            return place + 1
    raise AssertionError("there is no such event")


def setups() -> list[str]:
    """All that there are golden games of."""
    return sorted({path.parent.name for path in checks.expectations_files()})


def kept(folder: Path, content: bytes) -> Path:
    """That content in a file."""
    path = folder / "game.jsonl"
    path.write_bytes(content)
    return path
