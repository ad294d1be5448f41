"""A player whose tokens are taken back: none of them is good any more, also one that was seen before, for as long as
one could be (pitfall I3)."""

import pytest

from services.identity.access import AccessTokens, TokenExpired, TokenInvalid
from services.identity.keys import parse_keys
from tests.services.identity.test_access import LIFETIME, NEW, PLAYER, claims, signed, standing_clock, tokens

OTHER = "7d1c9a60-3e52-4f18-b0c4-5a6b7c8d9e0f"


def test_no_token_of_a_revoked_player_is_good_and_those_of_others_are() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    seen, unseen, others = access.issue(PLAYER), signed(claims(clock)), access.issue(OTHER)
    access.player(seen)
    access.check(PLAYER)
    assert access.revoke(PLAYER)
    for token in (seen, unseen, access.issue(PLAYER)):
        with pytest.raises(TokenInvalid):
            access.player(token)
    with pytest.raises(TokenInvalid):
        access.check(PLAYER)
    assert access.player(others) == OTHER
    access.check(OTHER)


def test_a_revocation_is_news_once() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    assert access.revoke(PLAYER)
    assert not access.revoke(PLAYER)
    assert access.revoke(OTHER)


def test_a_revoked_player_is_forgotten_when_all_tokens_have_expired_and_not_before() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    access.revoke(PLAYER)
    # Asked for when the player was just being erased, and answered a little later.
    clock.advance(30)
    late = access.issue(PLAYER)
    clock.advance(LIFETIME + 4)
    access.revoke(OTHER)
    with pytest.raises(TokenInvalid):
        access.player(late)
    clock.advance(access.revocable.total_seconds())
    access.revoke("0" * 8 + OTHER[8:])
    access.check(PLAYER)
    with pytest.raises(TokenExpired):
        access.player(late)


def test_a_token_that_promises_itself_a_longer_life_has_no_longer_one() -> None:
    """It was issued when the setting was a larger one: whoever was revoked must not outlive it."""
    clock = standing_clock()
    generous = AccessTokens(parse_keys(NEW), clock, 86_400)
    token = generous.issue(PLAYER)
    clock.advance(LIFETIME + 4)
    assert tokens(NEW, clock).player(token) == PLAYER
    clock.advance(2)
    with pytest.raises(TokenExpired):
        tokens(NEW, clock).player(token)
    assert generous.player(token) == PLAYER
