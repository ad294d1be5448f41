"""One whole game over real processes: its players act through different ones, over requests and over WebSockets, and
are each told everything a second time on another device."""

import asyncio
import random
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Final

from services.client.client import Client
from services.client.patience import Patience
from services.client.stream import GameFrame
from services.demo.notebook import Notebook
from services.demo.seat import Player
from services.demo.verdict import Witness, verdict
from services.games.requests import NewGameRequest
from tests.infra.listening import until
from tests.soak.live.played import Played, Wrong
from tests.system.socket_client import SocketClient

PATIENCE: Final = Patience(call=3.0)
SILENT_SECONDS: Final = 60.0
"""After the end of a game everybody has to know of it in that time."""


class SlowClient(Client):
    """He looks at a frame for a while before he takes the next one."""

    async def follow(self, game: str, after: int | None = None) -> AsyncIterator[GameFrame]:
        """As Client.follow."""
        async for frame in super().follow(game, after):
            yield frame
            await asyncio.sleep(0.05)


async def play(addresses: Sequence[str], number: int, seed: int, *, players: int = 3) -> Played:
    """The game, and what was wrong with it. Who plays what is decided by the seed, when is not."""
    played = Played(number)
    began = time.monotonic()
    try:
        await _play(addresses, random.Random(f"{seed}/{number}"), players, played)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
        played.failure = f"{type(error).__name__}: {error}"
        played.trace = "".join(traceback.format_exception(error))
    played.seconds = time.monotonic() - began
    return played


async def _play(addresses: Sequence[str], chance: random.Random, players: int, played: Played) -> None:
    async with AsyncExitStack() as closing:
        kinds = [Client, SocketClient] * players
        clients = [
            await closing.enter_async_context(kinds[seat](addresses[seat % len(addresses)], PATIENCE))
            for seat in range(players)
        ]
        devices = [
            await closing.enter_async_context(kind(addresses[(seat + 1) % len(addresses)], PATIENCE))
            for seat, kind in zip(range(players), [SocketClient, SlowClient, Client] * players, strict=False)
        ]
        for seat, (client, device) in enumerate(zip(clients, devices, strict=True)):
            await client.sign_up(f"Seat {seat}")
            device._tokens.take(client._tokens._signed_in())
        game = (await clients[0].create_game(NewGameRequest(seats=players))).game
        for client in clients[1:]:
            await client.join(game)
        await clients[0].start(game)
        seats = [Player(client, Notebook(game, seat), chance, _nobody) for seat, client in enumerate(clients)]
        onlookers = [Player(device, Notebook(game, seat), chance, _nobody) for seat, device in enumerate(devices)]
        await _together(seats, onlookers)
        for address in addresses:
            await _agree(game, address, seats, onlookers)
        played.clients = 2 * players
        played.events = seats[0].notebook.state.version
        played.commands = sum(len(seat.notebook.accepted) for seat in seats)
        played.joins = sum(client.resumed for client in (*clients, *devices)) + 2 * players


async def _together(seats: Sequence[Player], onlookers: Sequence[Player]) -> None:
    watching = [asyncio.create_task(onlooker._follow()) for onlooker in onlookers]
    playing = [asyncio.create_task(seat.play()) for seat in seats]
    try:
        await _first_failure(playing, watching)
        await until(
            lambda: all(onlooker.notebook.over for onlooker in onlookers), SILENT_SECONDS, "all know of the end"
        )
    finally:
        for task in (*playing, *watching):
            task.cancel()
        await asyncio.gather(*playing, *watching, return_exceptions=True)


async def _first_failure(playing: Sequence["asyncio.Task[None]"], watching: Sequence["asyncio.Task[None]"]) -> None:
    """Until all have played; what any of them fails with is raised."""
    left = set(playing)
    while left:
        done, _ = await asyncio.wait(
            {*left, *(task for task in watching if not task.done())}, return_when="FIRST_COMPLETED"
        )
        for task in done:
            task.result()
        left -= done


async def _agree(game: str, address: str, seats: Sequence[Player], onlookers: Sequence[Player]) -> None:
    """What that process tells of the game now is what everybody was told while it was played."""
    witnesses = []
    for seat, onlooker in zip(seats, onlookers, strict=True):
        async with Client(address, PATIENCE) as client:
            client._tokens.take(seat._client._tokens._signed_in())
            history, view = await client.history(game), await client.view(game)
            witnesses += [Witness(seat.notebook, history, view), Witness(onlooker.notebook, history, view)]
    faults = verdict(game, witnesses)
    if faults:
        raise Wrong("; ".join(f"version {fault.version}: {fault.what}" for fault in faults))


def _nobody(_: object) -> None:
    """Nobody looks at the table from outside."""
