"""A player who goes for good leaves the tables at which nothing has begun yet."""

from typing import Final

from services.games.errors import CommandRefused, GameNotFound, HistoryUnreadable, NotYourSeat
from services.games.games import Games

_GAMES_A_PAGE: Final = 50


async def leave_open_games(games: Games, player: str) -> list[str]:
    """As if he had left each of them; the ids of those in which he is left sitting, since they cannot be read here.
    StoreUnavailable, StoreFault, Contention."""
    unreadable: list[str] = []
    cursor: str | None = None
    while True:
        page = await games.games(player, "open", None, player, cursor, _GAMES_A_PAGE)
        for entry in page.games:
            try:
                await games.leave(entry.game, player)
            except (CommandRefused, NotYourSeat, GameNotFound):
                pass  # It has begun or ended meanwhile, or he has left it.
            except HistoryUnreadable:
                unreadable.append(entry.game)
        cursor = page.next
        if cursor is None:
            return unreadable
