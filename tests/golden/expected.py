"""What must come out of a golden game, for ever: in plain JSON beside the games, one file for each setup and version of
the rules."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.events import Event, Options, Rank, encode_event
from domain.evolve import evolve, initial
from domain.redaction import redact
from domain.upcasting import UPCASTS
from domain.views import view
from tests.golden.shapes import state_bytes, view_bytes

SPECTATOR: Final = "spectator"


class Hashes(Struct, frozen=True):
    """SHA-256 over what there is after each version in turn, each followed by a line feed: the states, and by viewer
    the views, and the events as they may be seen."""

    states: str
    views: dict[str, str]
    events: dict[str, str]


class Expected(Struct, frozen=True):
    """One game. `versions`: how many events it has; `head`: the end of its chain."""

    number: int
    style: str
    versions: int
    commands: int
    head: str
    ranking: list[Rank]
    winners: list[int]
    hashes: Hashes


class Expectations(Struct, frozen=True):
    """The games of one setup that were recorded under one version of the rules."""

    ruleset: str
    players: int
    options: Options
    rules_version: int
    games: list[Expected]


_expectations: Final = msgspec.json.Decoder(Expectations)


def expectations_file(folder: Path, rules_version: int) -> Path:
    """Where they are for that version of the rules."""
    return folder / f"rules-{rules_version}.json"


def read(path: Path) -> Expectations:
    """Those of a file."""
    return _expectations.decode(path.read_bytes())


def write(path: Path, expectations: Expectations) -> None:
    """Keep new ones. FileExistsError if there are some."""
    with path.open("xb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(expectations), indent=2) + b"\n")


def hashes(game: str, stored: Sequence[bytes], events: Sequence[Event]) -> Hashes:
    """Of a game whose events are stored in those bytes."""
    state = initial(game)
    states = hashlib.sha256()
    viewers: list[int | None] = []
    views: list[Any] = []
    seen: list[Any] = []
    for payload, event in zip(stored, events, strict=True):
        evolve(state, event)
        states.update(state_bytes(state) + b"\n")
        if not viewers:
            viewers = [*range(len(state.seats)), None]
            views = [hashlib.sha256() for _ in viewers]
            seen = [hashlib.sha256() for _ in viewers]
        for place, viewer in enumerate(viewers):
            views[place].update(view_bytes(view(state, viewer)) + b"\n")
            seen[place].update(_redacted(payload, event, viewer) + b"\n")
    names = [SPECTATOR if viewer is None else str(viewer) for viewer in viewers]
    return Hashes(
        states=states.hexdigest(),
        views={name: digest.hexdigest() for name, digest in zip(names, views, strict=True)},
        events={name: digest.hexdigest() for name, digest in zip(names, seen, strict=True)},
    )


def as_recorded(stored: bytes, event: Event) -> bytes:
    """The event's bytes. Where an upcast has added to what was stored: without what it added."""
    encoded = encode_event(event)
    if event.__struct_config__.tag not in UPCASTS:
        return encoded
    return msgspec.json.encode(_within(msgspec.json.decode(stored), msgspec.json.decode(encoded)))


def _redacted(stored: bytes, event: Event, viewer: int | None) -> bytes:
    seen = redact(event, viewer)
    return as_recorded(stored, seen)


def _within(recorded: object, present: object) -> object:
    """What of `present` was there when it was recorded, in the order of that time."""
    if isinstance(recorded, dict) and isinstance(present, dict):
        return {name: _within(value, present[name]) for name, value in recorded.items()}
    if isinstance(recorded, list) and isinstance(present, list):
        return [_within(old, new) for old, new in zip(recorded, present, strict=True)]
    return present
