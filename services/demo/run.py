"""All the games of one demo, a few at a time."""

import asyncio
import time
from functools import partial
from typing import Final

from msgspec import Struct
from rich.console import Console

from domain.events import Options
from services.client.client import Client
from services.client.patience import Patience
from services.demo.progress import Watcher, watcher
from services.demo.report import show_game
from services.demo.table import Order, Played, play

MOST_AT_ONCE: Final = 4
PATIENCE: Final = Patience()
FIRST_CALL: Final = Patience(total=5.0)
"""To find out whether there is a server at all."""


class Wish(Struct, frozen=True):
    """What the person who runs the demo wants."""

    url: str
    players: int
    games: int
    ruleset: str
    options: Options
    seed: int


class Performance(Struct, frozen=True):
    """All games of a demo, in the order in which they ended, and how long they took together."""

    played: list[Played]
    seconds: float

    @property
    def right(self) -> bool:
        """Whether nothing is wrong with any of them."""
        return not any(game.faults for game in self.played)


async def run(wish: Wish, console: Console) -> Performance:
    """Play, and show each game. GaveUp or Problem if there is no server to play on."""
    async with Client(wish.url, FIRST_CALL) as first:
        await first.alive()
    began = time.monotonic()
    waiting = iter(range(1, wish.games + 1))
    played: list[Played] = []
    with watcher(console) as watching:

        async def one_after_the_other() -> None:
            for number in waiting:
                order = Order(wish.url, number, wish.ruleset, wish.players, wish.options, wish.seed, PATIENCE)
                played.append(await _shown(order, watching, console))

        async with asyncio.TaskGroup() as together:
            for _ in range(min(MOST_AT_ONCE, wish.games)):
                together.create_task(one_after_the_other())
    return Performance(played, time.monotonic() - began)


async def _shown(order: Order, watching: Watcher, console: Console) -> Played:
    try:
        played = await play(order, partial(watching.moved, order.number))
    finally:
        watching.ended(order.number)
    show_game(played, console)
    return played
