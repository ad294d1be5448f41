"""Games that are played to their end before a test begins."""

import random
import uuid
from typing import Any

from domain.bots.casual import choose
from tests.services.api.application import Caller, World


async def finished_game(world: World, seats: int = 2, **wanted: Any) -> tuple[str, list[Caller]]:
    """A game that has ended, and its players by seat; casual players have played it."""
    game, callers = await world.started_game(seats, **wanted)
    await play_on(world, game, callers)
    return game, callers


async def play_on(world: World, game: str, callers: list[Caller]) -> None:
    """Play a running game to its end."""
    chance = random.Random(game)
    games = world.parts.games
    while True:
        for caller in chance.sample(callers, len(callers)):
            seen = await games.view(game, caller.player)
            if seen.status != "running":
                return
            listed = await games.actions(game, caller.player)
            command = choose(seen, listed.actions, chance)
            if command is not None:
                await games.command(game, caller.player, str(uuid.uuid4()), command, None)
