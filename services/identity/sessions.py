"""Signing in as a guest and staying signed in: every answer is a fresh pair of tokens."""

from datetime import timedelta
from typing import assert_never
from uuid import UUID

from infra.clock import Clock, Entropy
from infra.players import PlayerStore
from services.identity.access import AccessTokens
from services.identity.messages import TokenPair
from services.identity.refresh import SECRET_BYTES, RefreshToken


class RefreshRefused(Exception):
    """The refresh token is forged, expired, used before, or its family has ended."""


class Sessions:
    """Guests and the families of their refresh tokens."""

    def __init__(
        self,
        players: PlayerStore,
        access: AccessTokens,
        clock: Clock,
        entropy: Entropy,
        refresh_lifetime: timedelta,
    ) -> None:
        self._players = players
        self._access = access
        self._clock = clock
        self._entropy = entropy
        self._refresh_lifetime = refresh_lifetime

    async def guest(self, name: str, locale: str) -> TokenPair:
        """A new player with that name, signed in."""
        now = self._clock.now()
        player = self._new_id()
        token = RefreshToken(player, self._new_id(), self._entropy.token(SECRET_BYTES))
        await self._players.create(str(player), name, locale, now)
        await self._players.open_family(str(player), str(token.family), token.digest(), now + self._refresh_lifetime)
        return self._pair(token)

    async def refresh(self, text: str) -> TokenPair:
        """A new pair for an unused refresh token; RefreshRefused for any other text."""
        token = RefreshToken.parse(text)
        if token is None:
            raise RefreshRefused
        now = self._clock.now()
        following = RefreshToken(token.player, token.family, self._entropy.token(SECRET_BYTES))
        rotation = await self._players.rotate(
            str(token.player),
            str(token.family),
            token.digest(),
            following.digest(),
            now,
            now + self._refresh_lifetime,
        )
        match rotation:
            case "rotated":
                return self._pair(following)
            case "reused" | "expired" | "revoked" | "unknown":
                # One answer for all: a thief learns nothing about the token that he tried.
                raise RefreshRefused
            case _:
                assert_never(rotation)

    def _pair(self, token: RefreshToken) -> TokenPair:
        player = str(token.player)
        return TokenPair(player, self._access.issue(player), token.text(), self._access.lifetime)

    def _new_id(self) -> UUID:
        return UUID(bytes=self._entropy.token(16), version=4)
