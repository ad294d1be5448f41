"""Who may have the whole of a game: whoever may know of it, and not before its end. Asked of the head row alone, so
that a history which does not fold can be looked at too."""

from infra.event_store import OVER, EventStore, Head
from services.games.errors import GameRunning
from services.games.known import known


async def finished(store: EventStore, game: str, player: str) -> Head:
    """The head of a game that is over. GameNotFound, GameRunning."""
    head = await known(store, game, player)
    if head.summary.status not in OVER:
        raise GameRunning(version=head.version)
    return head
