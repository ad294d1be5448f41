"""Two games that differ only in what a watcher may not know give him identical bytes: as they happen, when he comes
back, and when he comes anew (pitfalls D1, D7, D8, D9, D13)."""

import asyncio
import random

import msgspec
import pytest

from domain.events import Event, decode_event
from domain.history import Record
from infra.event_store import Append, NewGame, Summary
from services.games.requests import NewGameRequest
from services.live.frames import Frame
from services.live.hints import moved
from services.live.watcher import Watcher
from tests.domain.editions import PLAYERS
from tests.services.games.knowledge import Knowledge
from tests.services.games.tables import Table, World, new_id, next_move
from tests.services.games.test_hidden import SPECTATOR, viewers, with_other_secrets
from tests.services.live.hall import Hall, Process, hall

Happened = list[tuple[Record, Event]]


async def a_whole_game(world: World, ruleset: str, seats: int) -> tuple[Table, list[Happened], Knowledge]:
    """Its batches, and what may be known before the end of it."""
    games = world.process()
    host = new_id()
    created = await games.create(host, NewGameRequest(ruleset=ruleset, seats=seats))
    table = Table(created.game, [host, *(new_id() for _ in range(seats - 1))])
    for player in table.players[1:]:
        await games.join(table.game, player, None, "")
    await games.start(table.game, host)
    chance = random.Random(f"{ruleset} {seats}")
    seen = len(await world.store.read(table.game))
    secrets = await world.store.secrets(table.game)
    assert secrets is not None
    knowledge = Knowledge(secrets.seed)
    knowledge.learn(await world.store.read(table.game))
    batches = [await happened(world, table, 0)]
    for _ in range(260):
        if await next_move(table, [games], chance) is None:
            break
        batches.append(await happened(world, table, seen))
        seen += len(batches[-1])
        if batches[-1][-1][0].payload.startswith(b'{"type":"game_ended"'):
            batches.pop()
            break
        knowledge.learn([record for record, _ in batches[-1]])
    return table, batches, knowledge


async def happened(world: World, table: Table, after: int) -> Happened:
    return [(record, decode_event(record.payload)) for record in await world.store.read(table.game, after)]


def twin_of(batches: list[Happened], hidden: set[int], chance: random.Random) -> list[Happened]:
    """The same game, with all that the viewer does not know changed."""
    events = [event for batch in batches for _, event in batch]
    changed = iter(with_other_secrets(events, hidden, chance))
    return [
        [
            (msgspec.structs.replace(record, payload=msgspec.json.encode(event)), event)
            for (record, _), event in zip(batch, changed, strict=False)
        ]
        for batch in batches
    ]


async def told(opened: Hall, table: Table, ruleset: str, batches: list[Happened], player: str) -> list[bytes]:
    """All that a watcher gets: as it happens in the process and in another one, after a return, and anew."""
    here, there = opened.processes
    summary = Summary("running", ruleset, len(table.players), "public", table.players[0], [*table.players])
    first = [record for record, _ in batches[0]]
    await opened.store.create(NewGame(Append(table.game, 0, first, summary, None), bytes(32), bytes(32), None))
    watchers = [await process.live.watch(table.game, player, 0) for process in (here, there)]
    got: list[list[Frame]] = [[], []]
    await take(watchers, got, len(first))
    for batch in batches[1:]:
        records = [record for record, _ in batch]
        assert await opened.store.append(Append(table.game, records[0].version - 1, records, summary, None))
        here.rooms.announce(table.game, batch)
        there.rooms.heard(table.game, moved("elsewhere", records))
        await take(watchers, got, records[-1].version)
    for process, watcher in zip((here, there), watchers, strict=True):
        process.live.leave(watcher)
    last = batches[-1][-1][0].version
    got += [await comes_back(here, table, player, at, last) for at in (None, 0, last // 2, last - 1, last, last + 5)]
    return [frame.sse for frames in got for frame in frames if frame.type != "presence"]


async def take(watchers: list[Watcher], got: list[list[Frame]], version: int) -> None:
    for watcher, frames in zip(watchers, got, strict=True):
        while not frames or (frames[-1].version or 0) < version:
            frame = await watcher.next(5)
            assert frame is not None
            if frame.type != "presence":
                frames.append(frame)


async def comes_back(process: Process, table: Table, player: str, after: int | None, last: int) -> list[Frame]:
    watcher = await process.live.watch(table.game, player, after)
    frames: list[Frame] = []
    if after != last:
        await take([watcher], [frames], last)
    process.live.leave(watcher)
    return frames


@pytest.mark.parametrize(
    ("ruleset", "seats"), [*((name, counts[-1]) for name, counts in PLAYERS.items()), ("classic", 2)]
)
async def test_what_a_watcher_gets_depends_on_nothing_that_he_may_not_know(
    memory_world: World, ruleset: str, seats: int
) -> None:
    table, batches, knowledge = await a_whole_game(memory_world, ruleset, seats)
    for viewer, player in random.Random(seats).sample(viewers(table), 3):
        both = []
        for history in (batches, twin_of(batches, knowledge.hidden_from(viewer), random.Random(7))):
            async with hall(sweep=3600) as opened:
                both.append(await told(opened, table, ruleset, history, player))
        assert both[0] == both[1]
        assert len(both[0]) > 200


async def test_the_search_would_notice(memory_world: World) -> None:
    """The other way round: two games that differ in something that the watcher may know."""
    table, batches, knowledge = await a_whole_game(memory_world, "classic", 3)
    hidden = knowledge.hidden_from(None)
    assert hidden > knowledge.hidden_from(1)
    both = []
    for history in (batches, twin_of(batches, hidden, random.Random(7))):
        async with hall(sweep=3600) as opened:
            both.append(await told(opened, table, "classic", history, table.players[1]))
    assert both[0] != both[1]


async def test_nothing_but_the_bus_between_servers_carries_what_is_hidden(memory_world: World) -> None:
    """Pitfall D13: whatever a stranger or a spectator can get hold of is what the public may know."""
    table, batches, knowledge = await a_whole_game(memory_world, "classic", 4)
    async with hall(sweep=3600) as opened:
        frames = await told(opened, table, "classic", batches, SPECTATOR)
        await asyncio.sleep(0)
    for frame in frames:
        _, _, data = frame.partition(b"data: ")
        knowledge.check(msgspec.Raw(data.strip()), None)
