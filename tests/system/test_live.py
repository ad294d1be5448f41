"""Live updates over real processes that are killed, frozen and cut off while whole games are played: nothing is lost,
nothing comes twice, and all agree (pitfalls A1, A3, A8, B1, B7, B8, T48, T49)."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.system.installation import Installation, installation
from tests.system.live_game import play

pytestmark = pytest.mark.timeout(240)


async def befall(place: Installation, seed: int) -> None:
    """Everything that can, once, in an order that the seed decides."""
    chance = random.Random(seed)
    for trouble in chance.sample(place.troubles, len(place.troubles)):
        await asyncio.sleep(chance.uniform(0.2, 0.6))
        await trouble(chance)


async def test_whole_games_while_everything_is_killed_frozen_and_cut_off(database_url: str, tmp_path: Path) -> None:
    async with installation(database_url, tmp_path) as place:
        trouble = asyncio.create_task(befall(place, 1))
        numbers = iter(range(1, 1000))
        played = []

        async def one_after_the_other() -> None:
            while not trouble.done():
                played.append(await play(place.addresses, next(numbers), 1))

        await asyncio.gather(one_after_the_other(), one_after_the_other())
        await trouble
        assert [game.failure for game in played if game.failure is not None] == []
        assert len(played) >= 2
        assert sum(game.joins for game in played) > sum(game.clients for game in played), "nobody was cut off"
        assert "Traceback" not in place.log
