"""Access tokens: ours and in time, or refused. Forgers get nothing from what the token says itself."""

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.memory.clock import ManualClock
from services.identity.access import AccessTokens, TokenExpired, TokenInvalid
from services.identity.keys import parse_keys

PLAYER = "0b9e6c1e-2f43-4d56-9a7b-8c9d0e1f2a3b"
OLD = "old-key-" * 4
NEW = "new-key-" * 4
LIFETIME = 900


def standing_clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 30, 5, 11, 35, 123456, tzinfo=UTC))


def tokens(keys: str, clock: ManualClock) -> AccessTokens:
    return AccessTokens(parse_keys(keys), clock, LIFETIME)


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def claims(clock: ManualClock, **changes: Any) -> dict[str, Any]:
    now = int(clock.now().timestamp())
    whole = {"iss": "bohnanza", "sub": PLAYER, "iat": now, "exp": now + LIFETIME, **changes}
    return {name: value for name, value in whole.items() if value is not None}


def signed(payload: dict[str, Any], key: str = NEW, **header: Any) -> str:
    """Signed by hand, since a library would refuse to sign some of what is tried here."""
    head = {"alg": "HS256", "typ": "JWT", "kid": parse_keys(NEW).signing.kid, **header}
    text = f"{part({name: value for name, value in head.items() if value is not None})}.{part(payload)}"
    signature = hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


def test_the_hand_signs_as_the_library_does() -> None:
    clock = standing_clock()
    assert tokens(NEW, clock).player(signed(claims(clock))) == PLAYER


def test_a_token_tells_whose_it_is() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    token = access.issue(PLAYER)
    assert access.player(token) == PLAYER
    assert access.player(token) == PLAYER
    assert tokens(NEW, clock).player(token) == PLAYER
    header = jwt.get_unverified_header(token)
    assert header["alg"] == "HS256"
    assert header["kid"] == parse_keys(NEW).signing.kid


def test_a_token_expires_on_every_process_also_where_it_was_seen_before() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    token = access.issue(PLAYER)
    access.player(token)
    clock.advance(LIFETIME)
    assert access.player(token) == PLAYER  # within the leeway
    clock.advance(6)
    for process in (access, tokens(NEW, clock)):
        with pytest.raises(TokenExpired):
            process.player(token)


def test_keys_change_without_throwing_anybody_out() -> None:
    clock = standing_clock()
    before = tokens(OLD, clock).issue(PLAYER)
    rotated = tokens(f"{NEW},{OLD}", clock)
    assert rotated.player(before) == PLAYER
    after = rotated.issue(PLAYER)
    only_new = tokens(NEW, clock)
    assert only_new.player(after) == PLAYER
    with pytest.raises(TokenInvalid):
        only_new.player(before)


def test_forged_tokens_are_refused() -> None:
    clock = standing_clock()
    access = tokens(NEW, clock)
    good = access.issue(PLAYER)
    head, body, signature = good.split(".")
    kid = parse_keys(NEW).signing.kid
    other = claims(clock, sub="1" * 8 + PLAYER[8:])
    forged = {
        "alg none": f"{part({'alg': 'none', 'typ': 'JWT', 'kid': kid})}.{body}.",
        "alg none, signature kept": f"{part({'alg': 'none', 'kid': kid})}.{body}.{signature}",
        "other algorithm": jwt.encode(claims(clock), (NEW * 2).encode(), algorithm="HS512", headers={"kid": kid}),
        "other key": signed(claims(clock), key="x" * 32),
        "other player": f"{head}.{part(other)}.{signature}",
        "cut": good[:-1],
        "no kid": signed(claims(clock), kid=None),
        "unknown kid": signed(claims(clock), kid="nobody"),
        "kid of another type": f"{part({'alg': 'HS256', 'kid': 7})}.{body}.{signature}",
        "kid is a path": f"{part({'alg': 'HS256', 'kid': '../../dev/null'})}.{body}.{signature}",
        "empty": "",
        "two parts": f"{head}.{body}",
        "too long": good + "a" * 2_000,
        "not ascii": "é.é.é",
        "deep header": "[" * 700 + ".e.e",
        "refresh token": "C55sHi9DTVaae4ydDh8qOw" * 4,
    }
    for name, token in forged.items():
        with pytest.raises(TokenInvalid):
            pytest.fail(f"{name}: taken as {access.player(token)}")


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"iss": None},
        {"iss": "somebody else"},
        {"sub": "nobody"},
        {"sub": PLAYER.upper()},
        {"sub": 7},
        {"sub": [PLAYER]},
        {"exp": "tomorrow"},
        {"exp": True},
        {"exp": 1e12},
        {"iat": 9_999_999_999},
    ],
)
def test_a_signed_statement_that_is_not_an_access_token_is_refused(changes: dict[str, Any]) -> None:
    clock = standing_clock()
    with pytest.raises(TokenInvalid):
        tokens(NEW, clock).player(signed(claims(clock, **changes)))


@given(st.text(max_size=200))
def test_no_text_is_more_than_refused(text: str) -> None:
    with pytest.raises(TokenInvalid):
        tokens(NEW, standing_clock()).player(text)


@given(st.data())
def test_a_changed_token_is_refused(data: st.DataObject) -> None:
    access = tokens(NEW, standing_clock())
    good = access.issue(PLAYER)
    at = data.draw(st.integers(0, len(good) - 1))
    letter = data.draw(st.sampled_from("ABCDabcd0123-_.").filter(lambda new: new != good[at]))
    changed = good[:at] + letter + good[at + 1 :]
    # The last letter carries spare bits, so another spelling of it is the same signature.
    if at == len(good) - 1:
        return
    with pytest.raises(TokenInvalid):
        access.player(changed)
