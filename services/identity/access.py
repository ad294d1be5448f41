"""The access token: a signed statement of who is calling, good for a quarter of an hour.

A JWT (RFC 7519) that any process with the keys can check without asking anybody. Only HS256 is
ever accepted, whatever the token says about itself.
"""

from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Any, Final

import jwt

from infra.clock import Clock
from infra.identifiers import is_identifier
from services.identity.keys import TokenKeys

ALGORITHM: Final = "HS256"
ISSUER: Final = "bohnanza"
LEEWAY: Final = 5
"""Seconds by which the clocks of two processes may differ."""

REVOKED_LONGER: Final = 60
"""Seconds for which a player stays revoked when all of his tokens should have expired. One that was asked for while he
was revoked may be that much younger, and clocks that far apart."""

LONGEST_TOKEN: Final = 1_024

# A signature that was good stays good, so it is checked once; the expiry is checked every time.
_REMEMBERED: Final = 4_096


class TokenInvalid(Exception):
    """Not signed by one of our keys, or not an access token at all."""


class TokenExpired(Exception):
    """Ours, and over."""


class AccessTokens:
    """Issues access tokens and tells whose they are."""

    def __init__(self, keys: TokenKeys, clock: Clock, lifetime: int) -> None:
        """`lifetime` in seconds."""
        self._keys = keys
        self._clock = clock
        self._seen: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._revoked: OrderedDict[str, datetime] = OrderedDict()
        self.lifetime = lifetime

    def issue(self, player: str) -> str:
        """A token for that player, signed with the first key."""
        now = int(self._clock.now().timestamp())
        claims = {"iss": ISSUER, "sub": player, "iat": now, "exp": now + self.lifetime}
        key = self._keys.signing
        return jwt.encode(claims, key.secret, algorithm=ALGORITHM, headers={"kid": key.kid})

    def player(self, token: str) -> str:
        """The player id in a token; TokenInvalid or TokenExpired. No token is good for longer than `lifetime`, whatever
        it says."""
        seen = self._seen.get(token)
        if seen is None:
            seen = self._verified(token)
            self._seen[token] = seen
            if len(self._seen) > _REMEMBERED:
                self._seen.popitem(last=False)
        player, expires = seen
        if expires + LEEWAY <= self._clock.now().timestamp():
            self._seen.pop(token, None)
            raise TokenExpired
        self.check(player)
        return player

    @property
    def revocable(self) -> timedelta:
        """For so long a revocation counts: who was revoked before that has no token that is good. Counted by the clock
        that tokens are measured by."""
        return timedelta(seconds=self.lifetime + LEEWAY + REVOKED_LONGER)

    def revoke(self, player: str) -> bool:
        """From now on no token of that player is good here; False if that was so already."""
        now = self._clock.now()
        over = now - self.revocable
        while self._revoked and next(iter(self._revoked.values())) < over:
            self._revoked.popitem(last=False)
        is_new = player not in self._revoked
        if is_new:
            self._revoked[player] = now
        return is_new

    def check(self, player: str) -> None:
        """For who has shown a token, or a ticket, some time ago: TokenInvalid if he was revoked since."""
        if player in self._revoked:
            raise TokenInvalid

    def _verified(self, token: str) -> tuple[str, int]:
        if len(token) > LONGEST_TOKEN:
            raise TokenInvalid
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = self._keys.by_kid.get(kid) if isinstance(kid, str) else None
            if key is None:
                raise TokenInvalid
            claims: dict[str, Any] = jwt.decode(
                token,
                key.secret,
                algorithms=[ALGORITHM],
                issuer=ISSUER,
                # Times are compared below, with the clock that the rest of the program uses.
                options={
                    "require": ["iss", "sub", "iat", "exp"],
                    "verify_exp": False,
                    "verify_iat": False,
                    "verify_nbf": False,
                },
            )
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            # `from None`: what a forger wrote belongs in no log.
            raise TokenInvalid from None
        player, issued, expires = claims["sub"], claims["iat"], claims["exp"]
        if (
            not isinstance(player, str)
            or not is_identifier(player)
            or type(issued) is not int
            or type(expires) is not int
            or issued > self._clock.now().timestamp() + LEEWAY
        ):
            raise TokenInvalid
        return player, min(expires, issued + self.lifetime)
