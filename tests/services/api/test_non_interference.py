"""Two games that differ only in what a caller may not know give him the same bytes over HTTP: status, headers and body
of views, pages, lists, streams, replays and refusals, at many steps and in every edition (pitfalls D1, D4, D9, D17)."""

import asyncio
import random
from typing import Any, cast

import httpx
import pytest

from domain.events import decode_event
from infra.event_store import EventStore, Summary
from infra.memory.bus import MemoryBroker, MemoryBus
from infra.memory.event_store import MemoryEventStore
from infra.memory.presence import MemoryPresence
from services.games.games import Games
from services.games.requests import NewGameRequest
from services.live.live import Live
from services.live.rooms import Rooms
from services.replay.replays import Replays
from tests.domain.editions import SETUPS, Setup
from tests.services.api.application import World, memory_parts, running, standing_clock
from tests.services.games.knowledge import Knowledge
from tests.services.games.tables import Table, new_id, next_move
from tests.services.games.tables import World as Store
from tests.services.games.test_hidden import stored_as, with_other_secrets

COMMANDS: list[dict[str, Any]] = [
    {"type": "plant", "card": 1, "field": 0},
    {"type": "plant", "card": 9_999, "field": 9},
    {"type": "accept", "offer": 1, "give": [2]},
    {"type": "accept", "offer": 77, "give": []},
    {"type": "withdraw", "offer": 1},
    {"type": "offer", "to": 1, "give": [1, 2, 3, 99], "want": {"red": 1}},
    {"type": "discard", "card": 3},
    {"type": "harvest", "field": 7},
    {"type": "buy_field"},
    {"type": "steal"},
]
"""Mostly refused. None of them turns up what was hidden: that may differ, once it is not."""


LOOKING_BACK = ["", "version=1", "version=0", "version=9999", "as=spectator", "as=x", "as=6"] + [
    f"version={version}&as={place}" for version in (9, 14, 40) for place in ("0", "1", "spectator", "all")
]
"""Steps that there are, that there are not yet, and that are not shown before the end. All of them are compared without
HTTP, in tests/services/replay."""


async def every_answer(store: EventStore, table: Table, player: str) -> list[tuple[Any, ...]]:
    """To all that he can ask, and to commands right and wrong."""
    clock = standing_clock()
    parts = memory_parts(clock)
    rooms = Rooms(store, MemoryBus(MemoryBroker()), "here")
    games = Games(store, parts.players, clock, cast("Any", None), announce=rooms.announce)
    live = Live(games, rooms, MemoryPresence(), "here")
    replays = Replays(store, parts.players)
    async with running(parts, clock=clock, games=games, live=live, replays=replays) as world:
        headers = {"Authorization": f"Bearer {parts.access.issue(player)}"}
        at = f"/v1/games/{table.game}"
        paths = ["/v1/games?limit=5", at, f"{at}/actions", f"{at}/events", f"{at}/events?after=5&limit=3", f"{at}/no"]
        paths += [f"{at}/replay?{query}" for query in LOOKING_BACK]
        answers = [told(await world.http.get(path, headers=headers)) for path in paths]
        for number, command in enumerate(COMMANDS):
            sent = headers | {"Idempotency-Key": f"key-{number}"}
            answers.append(told(await world.http.post(f"{at}/commands", json=command, headers=sent)))
        answers.append((await first_frames(world, table.game, headers),))
        return answers


def told(answer: httpx.Response) -> tuple[Any, ...]:
    return answer.status_code, sorted(answer.headers.items()), answer.content


async def first_frames(world: World, game: str, headers: dict[str, str]) -> bytes:
    """The beginning of a stream, head and frames, as the server sends it."""
    sent: list[Any] = []
    enough = asyncio.Event()

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) > 2:
            enough.set()

    async def receive() -> Any:
        await enough.wait()
        return {"type": "http.disconnect"}

    scope: Any = {
        "type": "http",
        "method": "GET",
        "path": f"/v1/games/{game}/stream",
        "query_string": b"after=0",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
    }
    async with asyncio.timeout(5):
        await world.app(scope, receive, send)
    return repr([(message.get("status"), message.get("headers"), message.get("body")) for message in sent]).encode()


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_what_http_tells_depends_on_nothing_hidden(setup: Setup) -> None:
    world = Store([MemoryEventStore()])
    games = world.process()
    players = [new_id() for _ in range(setup.players)]
    wanted = NewGameRequest(ruleset=setup.ruleset, seats=setup.players, options=setup.options)
    table = Table((await games.create(players[0], wanted)).game, players)
    for player in players[1:]:
        await games.join(table.game, player, None, "")
    await games.start(table.game, players[0])
    secrets = await world.store.secrets(table.game)
    assert secrets is not None
    knowledge = Knowledge(secrets.seed)
    chance = random.Random(str(setup))
    summary = Summary("running", setup.ruleset, setup.players, "public", players[0], [*players])
    compared = 0
    for _ in range(4):
        for _ in range(chance.randrange(1, 60)):
            await next_move(table, [games], chance)
        originals = await world.store.read(table.game)
        knowledge.learn(originals[knowledge.version :])
        if knowledge.has_ended:
            break
        history = [decode_event(record.payload) for record in originals]
        viewer, player = chance.choice([*enumerate(players), (None, new_id())])
        changed = with_other_secrets(history, knowledge.hidden_from(viewer), chance)
        both = [
            await every_answer(await stored_as(table.game, originals, events, summary), table, player)
            for events in (history, changed)
        ]
        assert both[0] == both[1]
        compared += len(both[0])
    assert compared >= 36
