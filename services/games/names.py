"""What players are called today, wherever a game shows them."""

from collections.abc import Set as AbstractSet

from domain.views import View, with_names
from infra.players import SOMEONE, PlayerStore


async def names_of(store: PlayerStore, players: AbstractSet[str]) -> dict[str, str]:
    """The name of each, also of those who were erased and sit in their games all the same."""
    return dict.fromkeys(players, SOMEONE) | await store.names(players)


async def named(store: PlayerStore, seen: View) -> View:
    """The view with the names of its players."""
    return with_names(seen, await names_of(store, {seat.player for seat in seen.seats if seat.player is not None}))
