"""A step of a golden game as a replay answers it, with the ids and names of the examples."""

from datetime import timedelta
from typing import Any

import msgspec

from domain.evolve import fold
from domain.history import Record
from domain.replay import Viewpoint
from infra.event_store import Append, NewGame
from infra.memory.event_store import MemoryEventStore
from infra.memory.players import MemoryPlayerStore
from services.games.live_game import summary_of
from services.replay.replays import Replays
from services.replay.standing import Standing
from services.screen.reading import read
from tests.exports import golden_export
from tests.services.games.tables import NOON


async def golden_step(
    setup: str, version: int, viewpoint: Viewpoint, game: str, players: dict[str, str]
) -> dict[str, Any]:
    """`players` by their new ids, in the order of their seats: how they are called."""
    recording = read(golden_export(setup), "game")
    events = [entry.event for entry in recording.entries]
    state = fold(recording.game, events)
    text = [msgspec.json.encode(event).decode() for event in events]
    for seat, player in zip(state.seats, players, strict=True):
        text = [payload.replace(f'"{seat.player}"', f'"{player}"') for payload in text]
    records = [
        Record(entry.version, entry.at, entry.seat, payload.encode(), b"")
        for entry, payload in zip(recording.entries, text, strict=True)
    ]
    store, names = MemoryEventStore(), MemoryPlayerStore()
    for player, name in players.items():
        await names.create(player, name, "en", NOON - timedelta(days=1))
    await store.create(NewGame(Append(game, 0, records, summary_of(state), None), b"", b"", None))
    standing = Standing(game, len(records), len(players), None, is_over=True)
    told: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(await Replays(store, names).step(standing, version, viewpoint))
    )
    return told
