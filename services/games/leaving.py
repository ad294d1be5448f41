"""A player who goes for good leaves the tables at which nothing has begun yet."""

from typing import Final

from msgspec import Struct

from infra.event_store import StoreUnavailable
from services.games.errors import CommandRefused, GameNotFound, NotYourSeat
from services.games.games import Games

_GAMES_A_PAGE: Final = 50


class StillSeated(Struct, frozen=True):
    """A table that could not be left, and why."""

    game: str
    error: Exception


async def leave_open_games(games: Games, player: str) -> list[StillSeated]:
    """As if he had left each of them; those in which he is left sitting. What is wrong with one table keeps him at no
    other, but when the store is away there is no use in going on: StoreUnavailable. StoreFault for the list itself."""
    seated: list[StillSeated] = []
    cursor: str | None = None
    while True:
        page = await games.games(player, "open", None, player, cursor, _GAMES_A_PAGE)
        for entry in page.games:
            try:
                await games.leave(entry.game, player)
            except (CommandRefused, NotYourSeat, GameNotFound):
                pass  # It has begun or ended meanwhile, or he has left it.
            except StoreUnavailable:
                raise
            except Exception as error:  # noqa: BLE001 - told, whatever it is
                seated.append(StillSeated(entry.game, error))
        cursor = page.next
        if cursor is None:
            return seated
