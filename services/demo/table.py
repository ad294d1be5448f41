"""One whole game, from the sign-up of its players to the verdict on its history."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Final

from msgspec import Struct

from domain.events import Options
from domain.state import State
from domain.views import View
from services.client.client import Client
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.patience import Patience
from services.demo.fault import Fault
from services.demo.notebook import Disagreement, Notebook
from services.demo.seat import Player
from services.demo.verdict import Witness, verdict
from services.games.requests import NewGameRequest

NAMES: Final = ("Ada", "Ben", "Cleo", "Dario", "Esra", "Femi", "Greta")


class Order(Struct, frozen=True):
    """What is to be played. `number` counts from 1; with the same `seed` the players throw the same dice."""

    url: str
    number: int
    ruleset: str
    players: int
    options: Options
    seed: int
    patience: Patience


class Played(Struct, frozen=True):
    """A game that was played, and what is wrong with it. `game` and `view` (the last
    one of seat 0) are None if it did not come so far."""

    number: int
    game: str | None
    view: View | None
    faults: list[Fault]
    seconds: float
    commands: int = 0
    refused: int = 0
    events: int = 0
    compared_views: int = 0
    calls: int = 0
    retried: int = 0
    replayed: int = 0


async def play(order: Order, looked: Callable[[State], None]) -> Played:
    """The game, and everything that is wrong with it, a server that could not be used any more included."""
    began = time.monotonic()
    async with AsyncExitStack() as closing:
        clients = [await closing.enter_async_context(Client(order.url, order.patience)) for _ in range(order.players)]
        players: list[Player] = []
        view = None
        try:
            players += await _seated(order, clients, looked)
            await _together(players)
            witnesses = await _heard(players, clients)
            view, faults = witnesses[0].view, verdict(players[0].game, witnesses)
        except Disagreement as found:
            faults = [Fault(found.version, found.what)]
        except (Problem, GaveUp, Unreadable) as error:
            faults = [Fault(max((player.notebook.state.version for player in players), default=0), str(error))]
        notebooks = [player.notebook for player in players]
        return Played(
            number=order.number,
            game=players[0].game if players else None,
            view=view,
            faults=faults,
            seconds=time.monotonic() - began,
            commands=sum(len(notebook.accepted) for notebook in notebooks),
            refused=sum(player.refused for player in players),
            events=max((notebook.state.version for notebook in notebooks), default=0),
            compared_views=sum(notebook.compared_views for notebook in notebooks),
            calls=sum(client.calls for client in clients),
            retried=sum(client.retried for client in clients),
            replayed=sum(client.replayed for client in clients),
        )


async def _seated(order: Order, clients: Sequence[Client], looked: Callable[[State], None]) -> list[Player]:
    """All signed up, seat n is client n, and the cards are dealt."""
    dice = [random.Random(f"{order.seed}/{order.number}/{seat}") for seat in range(order.players)]  # noqa: S311 - a game
    nonces = [f"{own.getrandbits(64):016x}" for own in dice]
    for client, name in zip(clients, NAMES, strict=False):
        await client.sign_up(name)
    wanted = NewGameRequest(ruleset=order.ruleset, seats=order.players, options=order.options, nonce=nonces[0])
    game = (await clients[0].create_game(wanted)).game
    for client, nonce in zip(clients[1:], nonces[1:], strict=True):
        await client.join(game, nonce=nonce)
    await clients[0].start(game)
    return [
        Player(client, Notebook(game, seat), dice[seat], looked if seat == 0 else _nobody)
        for seat, client in enumerate(clients)
    ]


async def _together(players: Sequence[Player]) -> None:
    """All play at once. The first that fails ends the game, and its failure is the one that is raised."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _heard(players: Sequence[Player], clients: Sequence[Client]) -> list[Witness]:
    game = players[0].game
    return [
        Witness(player.notebook, await client.history(game), await client.view(game))
        for player, client in zip(players, clients, strict=True)
    ]


def _nobody(_: State) -> None:
    """The others at the table look at the same game; one of them is enough to show it."""
