"""How a replay reads: page by page, no further than it must, and only what is there."""

import random

import pytest

from domain.history import Record
from infra.event_store import EventStore, StoreUnavailable
from infra.memory.event_store import MemoryEventStore
from services.games.errors import HistoryUnreadable
from services.replay import replays
from services.replay.errors import VersionNotFound
from services.replay.replays import Replays
from services.replay.standing import standing as standing_of
from tests.services.games.stores import Spoilt, Through, Troubled
from tests.services.games.tables import Table, World, next_move, running_table, wire
from tests.services.replay.looking_back import links


class Noting(Through):
    """Keeps which part was asked for, and how much of it there was."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.asked: list[tuple[int, int | None]] = []
        self.given: list[int] = []

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        stored = await super().read(game, after, limit)
        self.asked.append((after, limit))
        self.given.append(len(stored))
        return stored


async def played(moves: int) -> tuple[World, Table]:
    world = World([MemoryEventStore()])
    games = world.process()
    table = await running_table(games, 3)
    chance = random.Random(moves)
    for _ in range(moves):
        await next_move(table, [games], chance)
    return world, table


@pytest.mark.parametrize("page", [1, 2, 7, 50])
async def test_the_size_of_a_page_makes_no_difference(page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world, table = await played(60)
    standing = await standing_of(world.store, table.game, table.players[1])
    assert 50 < standing.version < replays.PAGE
    at_once = [
        wire(await Replays(world.store, world.players).step(standing, version, None)) for version in range(1, 50)
    ]
    monkeypatch.setattr(replays, "PAGE", page)
    store = Noting(world.store)
    assert [
        wire(await Replays(store, world.players).step(standing, version, None)) for version in range(1, 50)
    ] == at_once
    assert max(store.given) == page


async def test_nothing_is_read_behind_the_landmarks_or_behind_the_present(monkeypatch: pytest.MonkeyPatch) -> None:
    world, table = await played(120)
    standing = await standing_of(world.store, table.game, table.players[1])
    monkeypatch.setattr(replays, "PAGE", 10)
    store = Noting(world.store)
    found = links(await Replays(store, world.players).step(standing, 15, None))
    assert found["next_turn"] is not None
    assert found["next_trade"] is not None
    # As far as the farther of the two; one page more may have been on its way by then.
    pages = -(-max(found["next_turn"], found["next_trade"]) // 10)
    assert store.asked[:pages] == [(10 * page, 10) for page in range(pages)]
    assert len(store.asked) <= pages + 1
    assert (pages + 1) * 10 < standing.version
    for version in (0, standing.version + 1):
        store = Noting(world.store)
        with pytest.raises(VersionNotFound) as refused:
            await Replays(store, world.players).step(standing, version, None)
        assert (refused.value.version, store.asked) == (standing.version, [])
    # What is added while somebody looks back belongs to the next question.
    store = Noting(world.store)
    last = await Replays(store, world.players).step(standing._replace(version=23), None, None)
    assert (last.version, last.last, last.links.next) == (23, 23, None)
    assert store.asked == [(0, 10), (10, 10), (20, 3)]


async def test_a_history_with_events_missing_is_named_as_one() -> None:
    world, table = await played(10)
    standing = await standing_of(world.store, table.game, table.players[0])
    beyond = standing._replace(version=standing.version + 5)
    for version in (None, standing.version + 1):
        with pytest.raises(HistoryUnreadable, match=f"version {standing.version + 1}: an event is missing"):
            await Replays(world.store, world.players).step(beyond, version, None)
    assert (await Replays(world.store, world.players).step(beyond, standing.version, None)).version == standing.version


async def test_an_event_that_nobody_knows_is_named_and_a_store_that_is_away_is_told() -> None:
    world, table = await played(10)
    standing = await standing_of(world.store, table.game, table.players[0])
    spoilt = Spoilt(world.store)
    spoilt.spoilt_game = table.game
    with pytest.raises(HistoryUnreadable, match=f"version {standing.version}: a bean_eaten that is not known here"):
        await Replays(spoilt, world.players).step(standing, 12, None)
    away = Troubled(world.store)
    away.is_down = True
    with pytest.raises(StoreUnavailable):
        await Replays(away, world.players).step(standing, 12, None)
