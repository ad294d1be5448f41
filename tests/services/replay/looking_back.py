"""Short ways to steps of a replay."""

from typing import Any

import msgspec

from domain.replay import Viewpoint
from services.replay.answers import ReplayStep
from services.replay.replays import Replays
from tests.services.games.tables import World


async def step(
    world: World, game: str, player: str, version: int | None = None, viewpoint: Viewpoint | None = None
) -> ReplayStep:
    """What that player gets."""
    replays = Replays(world.store, world.players)
    return await replays.step(await replays.standing(game, player), version, viewpoint)


def links(found: ReplayStep) -> dict[str, int | None]:
    """The version that each link leads to."""
    told: dict[str, Any] = msgspec.to_builtins(found.links)
    return {name: None if link is None else link["version"] for name, link in told.items()}
