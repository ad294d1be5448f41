"""How a game stands to who looks back on it."""

from typing import NamedTuple

from infra.event_store import OVER, EventStore
from services.games.known import known


class Standing(NamedTuple):
    """The version that the game has come to, how many `seats` it has, and the one of who looks: None if he has none."""

    game: str
    version: int
    seats: int
    seat: int | None
    is_over: bool


async def standing(store: EventStore, game: str, player: str) -> Standing:
    """For a player who may know of the game. GameNotFound, StoreUnavailable, StoreFault."""
    head = await known(store, game, player)
    players = head.summary.players
    seat = players.index(player) if player in players else None
    return Standing(game, head.version, len(players), seat, is_over=head.summary.status in OVER)
