"""A game folded in memory. Disposable: whatever it lacks is read from the store, and an append that
another process got ahead of stores nothing."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from domain.events import (
    BotJoined,
    Event,
    GameAbandoned,
    GameCreated,
    GameEnded,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
)
from domain.evolve import evolve, initial
from domain.history import Record, first_hash, header, records
from domain.state import State, copy_of
from infra.event_store import OVER, Append, EventStore, Receipt, Secrets, Summary
from services.games.sealing import Sign, seal_over
from services.games.stored import stored_event


class LiveGame:
    """The state, the end of the hash chain, and the secrets of one game.

    `whole` is False once folding an event has failed: such a copy is of no use any more.
    """

    def __init__(self, game: str, secrets: Secrets) -> None:
        self.state = initial(game)
        self.secrets = secrets
        self.whole = True
        self._head = b""
        self._last_at = datetime.min.replace(tzinfo=UTC)
        self._appending: asyncio.Future[None] | None = None

    @property
    def version(self) -> int:
        """The version that this copy has reached."""
        return self.state.version

    def take(self, tail: Sequence[Record]) -> bool:
        """Fold what is new in those records; whether anything was. HistoryUnreadable; RuntimeError when the copy is
        broken."""
        self._check_whole()
        before = self.version
        for record in tail:
            if record.version == self.version + 1:
                self._fold(record, stored_event(self.state.game, record))
        return self.version != before

    async def turn(self) -> None:
        """Wait until no append of this copy is under way; two of them would only race each other."""
        while self._appending is not None:
            await asyncio.shield(self._appending)

    async def append(
        self,
        store: EventStore,
        events: Sequence[Event],
        *,
        seat: int | None,
        at: datetime,
        receipt: Receipt | None,
        sign: Sign | None = None,
    ) -> list[Record]:
        """Store the events behind this version and fold them; none stored when the race was lost. When they end the
        game, `sign` seals it with them.

        To be called with nothing awaited since `turn`. Times never run backwards within a game.
        """
        expected = self.version
        stored = records(self._head, expected, max(at, self._last_at), seat, events)
        summary = summary_after(self.state, events)
        seal = seal_over(stored[-1], sign) if sign is not None and summary.status in OVER else None
        done = self._appending = asyncio.get_running_loop().create_future()
        try:
            won = await store.append(Append(self.state.game, expected, stored, summary, receipt, seal))
        finally:
            self._appending = None
            done.set_result(None)
        if not won:
            return []
        for record, event in zip(stored, events, strict=True):
            if record.version == self.version + 1:
                self._fold(record, event)
        return stored

    def _fold(self, record: Record, event: Event) -> None:
        self._check_whole()
        self.whole = False
        evolve(self.state, event)
        self.whole = True
        self._head = record.hash
        self._last_at = record.at

    def _check_whole(self) -> None:
        """Another caller may have broken this copy while this one was waiting for the store."""
        if not self.whole:
            raise RuntimeError("a copy of a game whose folding has failed")


def new_records(state: State, events: Sequence[Event], at: datetime) -> tuple[bytes, list[Record]]:
    """The hash of a new game's header line, and its first records; `state` is what those events add up to."""
    start = first_hash(header(state.game, state.ruleset, state.rules_version))
    return start, records(start, 0, at, 0, events)


def summary_of(state: State) -> Summary:
    """The lobby's row of a game."""
    players = [seat.player for seat in state.seats]
    return Summary(state.status, state.ruleset, len(players), state.visibility, state.host, players)


def summary_after(state: State, events: Sequence[Event]) -> Summary:
    """The lobby's row once those events have happened. The state itself stays as it is until they are stored."""
    if any(type(event) in _SEEN_FROM_THE_LOBBY for event in events):
        state = copy_of(state)
        for event in events:
            evolve(state, event)
    return summary_of(state)


# Most commands change nothing that the lobby shows, and need no copy.
_SEEN_FROM_THE_LOBBY: Final = frozenset(
    {GameCreated, PlayerJoined, BotJoined, PlayerLeft, GameStarted, GameEnded, GameAbandoned}
)
