"""Who is there, as told by those who are: an entry that is not renewed goes by itself, so that nobody stays for ever
whose process died. A hint like everything on the bus: it may be missing, and then it is not known who is there."""

from typing import Final, Protocol

PRESENCE_SECONDS: Final = 45.0
"""How long an entry holds. Renewed three times as often, one may get lost."""


class Presence(Protocol):
    """Members are opaque texts, games are named by their ids. No method raises because the other side is away; each
    ends in bounded time."""

    async def arrive(self, game: str, member: str) -> None:
        """The member is there from now on, or is there still."""

    async def leave(self, game: str, member: str) -> None:
        """The member is there no more."""

    async def present(self, game: str) -> list[str] | None:
        """Who is there, in alphabetical order. None: it is not known."""

    async def close(self) -> None:
        """Give back what it holds, in bounded time. Entries stay until they have run out."""
