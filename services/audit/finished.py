"""Who may have the whole of a game: whoever may know of it, and not before its end. Asked of the head row alone, so
that a history which does not fold can be looked at too."""

from infra.event_store import OVER, EventStore, Head, Seal
from infra.signing import SigningKeys
from services.games.errors import GameRunning, HistoryUnreadable
from services.games.known import known
from services.games.sealing import seal_of


async def finished(store: EventStore, game: str, player: str) -> Head:
    """The head of a game that is over. GameNotFound, GameRunning."""
    head = await known(store, game, player)
    if head.summary.status not in OVER:
        raise GameRunning(version=head.version)
    return head


async def sealed(store: EventStore, keys: SigningKeys, game: str, head: Head) -> Seal:
    """The seal of a game that is over. HistoryUnreadable when it has none and its chain does not lead to its head."""
    seal = await seal_of(store, game, keys.sign)
    if seal is None:
        raise HistoryUnreadable(game, head.version, "the chain does not lead to the head")
    return seal
