"""The way to a watcher for every kind of stream: whoever is erased while one is being opened gets none."""

from services.api.parts import Parts
from services.identity.access import TokenInvalid
from services.live.watcher import Watcher


async def watch(parts: Parts, game: str, player: str, after: int | None) -> Watcher:
    """As Live.watch; TokenInvalid when the player was erased meanwhile."""
    watcher = await parts.live.watch(game, player, after)
    try:
        # From here on an erasure finds the watcher. Before, there was none that it could end.
        parts.access.check(player)
    except TokenInvalid:
        parts.live.leave(watcher)
        raise
    return watcher
