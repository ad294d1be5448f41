"""What was to be seen of a game while it was played, kept as bytes, and looked back on when it is over: a replay shows
the very same (pitfall D8), with who acted, when, and where one can go from there. Of some games that is every version,
as one viewer was told it; of the others a few moments."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from domain.actions import actions
from domain.events import Event, TradeCompleted, TurnStarted, decode_event, encode_event
from domain.evolve import evolve, initial
from domain.history import Record
from domain.redaction import redact
from domain.replay import Viewpoint
from domain.state import State
from domain.views import view, with_names
from infra.event_store import Append, NewGame
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from infra.players import SOMEONE
from services.games.live_game import summary_of
from services.replay.replays import Replays
from services.replay.standing import Standing

WHOLE: Final = 1 / 128
"""Games of which every version is looked back on: each takes as long as a dozen others."""

MOMENTS: Final = 3
"""Of each other game."""

LONGEST_THOUGHT: Final = 3_000_000
"""Microseconds between two commands."""

_NOON: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
_encode: Final = msgspec.json.Encoder().encode


class Moment(Struct, frozen=True):
    """What a seat, or None for a spectator, could see and do after that version."""

    version: int
    viewer: int | None
    event: bytes
    view: bytes
    actions: bytes


class Happened(Struct, frozen=True):
    """When an event came, in microseconds after noon, and who acted."""

    at: int
    seat: int


class Witness:
    """Adds up what one viewer is told, from its bytes, as a client does: so it knows the table between two events of
    one command too."""

    def __init__(self, game: str, viewer: int | None) -> None:
        self._viewer = viewer
        self._state = initial(game)

    def hear(self, event: Event) -> Moment:
        """The next event."""
        told = decode_event(_encode(redact(event, self._viewer)))
        evolve(self._state, told)
        return _moment(self._state, self._viewer, told)


class Memory:
    """Keeps every version of a game, or some moments of it, each as likely as any other."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._is_whole = chance.random() < WHOLE
        self._witness: Witness | None = None
        self._now = 0
        self._commands = 0
        self._kept: list[Moment] = []
        self._happened: list[Happened] = []
        self._turns: list[int] = []
        self._trades: list[int] = []

    def pass_by(self, state: State, seat: int, events: Sequence[Event]) -> None:
        """The game after a command of that seat which gave those events."""
        self._now += self._chance.randrange(LONGEST_THOUGHT)
        for event in events:
            self._happened.append(Happened(self._now, seat))
            if isinstance(event, TurnStarted):
                self._turns.append(len(self._happened))
            elif isinstance(event, TradeCompleted):
                self._trades.append(len(self._happened))
        if self._is_whole:
            if self._witness is None:
                self._witness = Witness(state.game, self._anybody(state))
            self._kept += map(self._witness.hear, events)
            return
        self._commands += 1
        if self._commands <= MOMENTS:
            self._kept.append(_moment(state, viewer := self._anybody(state), redact(events[-1], viewer)))
        elif (place := self._chance.randrange(self._commands)) < MOMENTS:
            self._kept[place] = _moment(state, viewer := self._anybody(state), redact(events[-1], viewer))

    def different(self, state: State, events: Sequence[Event]) -> str | None:
        """What a replay of the game, which is over now, shows in another way than it was seen: a sentence about the
        first such moment."""
        return asyncio.run(self._different(state, events))

    def _anybody(self, state: State) -> int | None:
        seats: list[int | None] = [None, *range(len(state.seats))]
        return self._chance.choice(seats)

    async def _different(self, state: State, events: Sequence[Event]) -> str | None:
        records = [
            Record(version, _NOON + timedelta(microseconds=happened.at), happened.seat, encode_event(event), b"")
            for version, (happened, event) in enumerate(zip(self._happened, events, strict=True), 1)
        ]
        store = MemoryEventStore()
        await store.create(NewGame(Append(state.game, 0, records, summary_of(state), None), b"", b"", None))
        replays = Replays(store, MemoryPlayerStore())
        # Somebody else asks, who has no seat here.
        standing = Standing(state.game, state.version, len(state.seats), None, state.is_over)
        for moment in self._kept:
            viewpoint: Viewpoint = "spectator" if moment.viewer is None else moment.viewer
            found = _encode(await replays.step(standing, moment.version, viewpoint))
            expected = _encode(self._expected(moment, state.game, viewpoint))
            if found != expected:
                who = "a spectator" if moment.viewer is None else f"seat {moment.viewer}"
                return f"a replay of version {moment.version} is not what {who} saw then, in {_names(found, expected)}"
        return None

    def _expected(self, moment: Moment, game: str, viewpoint: Viewpoint) -> dict[str, object]:
        version, last = moment.version, len(self._happened)
        happened = self._happened[version - 1]
        at = _NOON + timedelta(microseconds=happened.at)

        def link(to: int | None) -> object:
            if to is None or not 1 <= to <= last:
                return None
            return {"version": to, "href": f"/v1/games/{game}/replay?version={to}&as={viewpoint}"}

        return {
            "version": version,
            "last": last,
            "at": f"{at:%Y-%m-%dT%H:%M:%S.%f}Z",
            "seat": happened.seat,
            "thinking_ms": None if version == 1 else (happened.at - self._happened[version - 2].at) // 1000,
            "event": Raw(moment.event),
            "view": Raw(moment.view),
            "actions": Raw(moment.actions),
            "deck": None,
            "links": {
                "previous": link(version - 1),
                "next": link(version + 1),
                "previous_turn": link(max((turn for turn in self._turns if turn < version), default=None)),
                "next_turn": link(min((turn for turn in self._turns if turn > version), default=None)),
                "previous_trade": link(max((trade for trade in self._trades if trade < version), default=None)),
                "next_trade": link(min((trade for trade in self._trades if trade > version), default=None)),
            },
        }


def _moment(state: State, viewer: int | None, event: Event) -> Moment:
    # Nobody here has a row of his own, and so no name.
    names = {seat.player: SOMEONE for seat in state.seats if seat.player is not None}
    return Moment(
        version=state.version,
        viewer=viewer,
        event=_encode(event),
        view=_encode(with_names(view(state, viewer), names)),
        actions=_encode([] if viewer is None else actions(state, viewer)),
    )


def _names(found: bytes, expected: bytes) -> str:
    """The parts that are not the same, or come in another order."""
    one: dict[str, Any] = msgspec.json.decode(found, type=dict[str, Raw])
    other: dict[str, Any] = msgspec.json.decode(expected, type=dict[str, Raw])
    return ", ".join(name for name in other if one.get(name) != other[name]) or "the order of its parts"
