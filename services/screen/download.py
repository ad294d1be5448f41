"""The record of a game from the server on which it was played, and what its players are called there today. What can go
wrong ends in a sentence."""

from typing import Final, NamedTuple

from services.client.client import Client
from services.client.errors import GaveUp, Problem, Unreadable
from services.client.guest import guest
from services.client.patience import Patience
from services.screen.harmless import harmless
from services.screen.recording import NotPlayable

FIRST_CALL: Final = Patience(total=5.0, call=5.0)
"""To find out whether there is a server at all."""

DOWNLOAD: Final = Patience(total=120.0, call=110.0, silence=15.0)
"""A long game over a slow line takes its time; a server that says nothing is not waited for."""

GUEST: Final = "Replay"

_REFUSED: Final = {
    "game_running": "the game is still going on; its record is there when it is over.",
    "game_not_found": "there is no such game, or it is private: then a player's --token-file opens it.",
    "token_expired": "the token has expired; get a new one.",
    "token_invalid": "the token is not one of this server.",
}


class Downloaded(NamedTuple):
    """The bytes of an export, and the names of its players by their ids, as the server gives them."""

    content: bytes
    names: dict[str, str]


async def download(url: str, game: str, token: str | None, largest: int) -> Downloaded:
    """The export of that game; without a token as a guest sees it, of whom nothing is left there.
    NotPlayable."""
    try:
        async with Client(url, FIRST_CALL) as first:
            await first.alive()
        if token is None:
            async with guest(url, DOWNLOAD, GUEST) as client:
                return await _downloaded(client, game, largest)
        async with Client(url, DOWNLOAD) as client:
            client.sign_in(token)
            return await _downloaded(client, game, largest)
    except Problem as problem:
        told = _REFUSED.get(problem.code) or f"{problem.status} {problem.code}: {problem.detail}"
        raise NotPlayable(f"{url}: {harmless(told)}") from None
    except GaveUp as error:
        raise NotPlayable(f"There is no answer from a server: {harmless(str(error))}") from None
    except Unreadable as error:
        raise NotPlayable(f"{url} does not answer as a server of this game does: {harmless(str(error))}") from None


async def _downloaded(client: Client, game: str, largest: int) -> Downloaded:
    content = await client.export(game, largest)
    try:
        seats = (await client.view(game)).seats
    except (Problem, GaveUp, Unreadable):
        # Without names the game can be gone through as well.
        return Downloaded(content, {})
    return Downloaded(content, {seat.player: seat.name for seat in seats if seat.player and seat.name})
