"""A player's tokens: always one that is good, renewed by one call however many wait for it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from services.identity.messages import TokenPair

_EARLY_SECONDS: Final = 60.0
_EARLY_SHARE: Final = 0.2
"""Renewed when a fifth of its life is left, at most a minute before its end."""


class Tokens:
    """Both tokens of a player. `renew` gets a new pair for a refresh token, which it uses up."""

    def __init__(self, renew: Callable[[str], Awaitable[TokenPair]]) -> None:
        self._renew = renew
        self._pair: TokenPair | None = None
        self._kept: str | None = None
        self._old_at = 0.0
        self._renewal: asyncio.Task[TokenPair] | None = None

    def __repr__(self) -> str:
        return f"Tokens(player={self.player!r})"

    @property
    def player(self) -> str | None:
        """Whose they are; None before the sign-up."""
        return None if self._pair is None else self._pair.player

    @property
    def renewable(self) -> bool:
        """Whether a new one can be had for one that has expired."""
        return self._kept is None

    def keep(self, access_token: str) -> None:
        """Use that token, which came without the other of its pair."""
        self._kept = access_token

    def take(self, pair: TokenPair) -> None:
        """Use that pair from now on."""
        early = min(_EARLY_SECONDS, _EARLY_SHARE * pair.expires_in)
        self._pair = pair
        self._old_at = asyncio.get_running_loop().time() + pair.expires_in - early

    async def access(self) -> str:
        """An access token that lasts a while, or the one that was kept."""
        if self._kept is not None:
            return self._kept
        pair = self._signed_in()
        if asyncio.get_running_loop().time() < self._old_at:
            return pair.access_token
        return await self.access_after(pair.access_token)

    async def access_after(self, expired: str) -> str:
        """An access token other than that one, which the server finds expired."""
        pair = self._signed_in()
        if pair.access_token != expired:
            return pair.access_token
        if self._renewal is None:
            self._renewal = asyncio.create_task(self._renewed(pair.refresh_token))
        # Others wait for the same pair, and a refresh token is good once: a caller that gives up must not end it.
        return (await asyncio.shield(self._renewal)).access_token

    async def close(self) -> None:
        """End a renewal that is under way."""
        if self._renewal is not None:
            self._renewal.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewal

    async def _renewed(self, refresh_token: str) -> TokenPair:
        try:
            pair = await self._renew(refresh_token)
            self.take(pair)
        finally:
            self._renewal = None
        return pair

    def _signed_in(self) -> TokenPair:
        if self._pair is None:
            raise RuntimeError("Sign up first.")
        return self._pair
