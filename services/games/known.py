"""Who may know of a game, asked of its head row alone: without its history, and without a place among the games that
are being played."""

from infra.event_store import EventStore, Head
from services.games.errors import GameNotFound


async def known(store: EventStore, game: str, player: str) -> Head:
    """The head of a game that the player may know of. GameNotFound."""
    head = await store.head(game)
    if head is None or (head.summary.visibility == "private" and player not in head.summary.players):
        raise GameNotFound
    return head
