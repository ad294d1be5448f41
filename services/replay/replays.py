"""The table at any version of a game, from the events that are stored: for a seat or a spectator exactly what was to be
seen there live, and once the game is over everything."""

from contextlib import aclosing
from typing import Final

from domain.history import timestamp
from domain.replay import Viewpoint, deck_from_top, following, open_to, preceding, seen, thinking_ms, told
from infra.event_store import EventStore
from infra.players import PlayerStore
from services.games.errors import HistoryUnreadable
from services.games.names import named
from services.games.pages import pages
from services.games.turns import Turns
from services.replay.answers import ReplayStep, StepLink, StepLinks
from services.replay.errors import NotRevealed, VersionNotFound
from services.replay.passage import Passage
from services.replay.standing import Standing, standing

PAGE: Final = 250
"""Events that are folded between two turns of others."""


class Replays:
    """One instance per process. It keeps nothing: a game that is over takes no place from those that are played. Every
    method may raise StoreUnavailable and StoreFault."""

    def __init__(self, store: EventStore, players: PlayerStore, turns: Turns | None = None) -> None:
        self._store = store
        self._players = players
        self._turns = turns or Turns()

    async def standing(self, game: str, player: str) -> Standing:
        """Where that player looks back from. GameNotFound."""
        return await standing(self._store, game, player)

    async def step(self, of: Standing, version: int | None, viewpoint: Viewpoint | None) -> ReplayStep:
        """The last version without one, the own view without a viewpoint; one that is a seat is there in this game.
        NotRevealed, VersionNotFound, HistoryUnreadable, and Contention when too many look back at once."""
        own: Viewpoint = "spectator" if of.seat is None else of.seat
        viewpoint = own if viewpoint is None else viewpoint
        if not of.is_over and viewpoint not in (own, "spectator"):
            raise NotRevealed(version=of.version)
        version = of.version if version is None else version
        if not 1 <= version <= of.version:
            raise VersionNotFound(version=of.version)
        async with self._turns.turn(of.version):
            return await self._shown(await self._passed(of, version), of, viewpoint)

    async def _passed(self, of: Standing, version: int) -> Passage:
        passage = Passage(of.game, version)
        async with aclosing(pages(self._store, of.game, of.version, PAGE)) as read:
            async for page in read:
                passage.take(page)
                if passage.is_over:
                    break
        return passage

    async def _shown(self, passage: Passage, of: Standing, viewpoint: Viewpoint) -> ReplayStep:
        if passage.happened is None:
            raise HistoryUnreadable(of.game, passage.passed + 1, "an event is missing")
        record, event = passage.happened
        state = passage.state
        return ReplayStep(
            version=record.version,
            last=of.version,
            at=timestamp(record.at),
            seat=record.seat,
            thinking_ms=thinking_ms(passage.before, record.at),
            event=told(event, viewpoint),
            view=await named(self._players, seen(state, viewpoint)),
            actions=open_to(state, viewpoint),
            deck=deck_from_top(state, viewpoint),
            links=_links(passage, of, viewpoint),
        )


def _links(passage: Passage, of: Standing, viewpoint: Viewpoint) -> StepLinks:
    version = passage.state.version
    landmarks = passage.landmarks

    def link(to: int | None) -> StepLink | None:
        if to is None:
            return None
        return StepLink(to, f"/v1/games/{of.game}/replay?version={to}&as={viewpoint}")

    return StepLinks(
        previous=link(version - 1 or None),
        next=link(version + 1 if version < of.version else None),
        previous_turn=link(preceding(landmarks.turns, version)),
        next_turn=link(following(landmarks.turns, version)),
        previous_trade=link(preceding(landmarks.trades, version)),
        next_trade=link(following(landmarks.trades, version)),
    )
