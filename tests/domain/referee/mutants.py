"""A falsified history, and the ways in which one event of a history is changed, put in or left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.beans import BEANS, Bean
from domain.events import (
    Event,
)
from domain.evolve import evolve, initial
from domain.referee.history import Line
from domain.state import State


@dataclass(frozen=True)
class Mutant:
    """`first` is the version that was touched; at `last` at the latest it must be found."""

    lines: list[Line]
    first: int
    last: int


Mutator = Callable[[Sequence[Line], Random], Mutant | None]
Alteration = Callable[[Any, Random], Event | None]


def before(lines: Sequence[Line], version: int) -> State:
    """The table as it was when that version came."""
    state = initial("a-game")
    for _, event in lines[: version - 1]:
        evolve(state, event)
    return state


def versions(lines: Sequence[Line], *kinds: type[Event]) -> list[int]:
    return [version for version, (_, event) in enumerate(lines, 1) if isinstance(event, kinds)]


def altered(kind: type[Event], alter: Alteration) -> Mutator:
    """One field of one event says something else."""

    def mutate(lines: Sequence[Line], chance: Random) -> Mutant | None:
        found = versions(lines, kind)
        if not found:
            return None
        version = chance.choice(found)
        seat, event = lines[version - 1]
        other = alter(event, chance)
        return None if other is None or other == event else put(lines, version, seat, other)

    return mutate


def put(lines: Sequence[Line], version: int, seat: int | None, event: Event) -> Mutant:
    return Mutant([*lines[: version - 1], (seat, event), *lines[version:]], version, version)


def insert(lines: Sequence[Line], version: int, seat: int | None, event: Event) -> Mutant:
    return Mutant([*lines[: version - 1], (seat, event), *lines[version - 1 :]], version, version)


def other_bean(bean: Bean | None, chance: Random) -> Bean:
    return chance.choice([kind for kind in BEANS if kind != bean])


def left_out(kind: type[Event]) -> Mutator:
    """An event that must follow, or opens what follows, is missing."""

    def mutate(lines: Sequence[Line], chance: Random) -> Mutant | None:
        found = versions(lines, kind)
        if not found:
            return None
        version = chance.choice(found)
        return Mutant([*lines[: version - 1], *lines[version:]], version, version)

    return mutate
