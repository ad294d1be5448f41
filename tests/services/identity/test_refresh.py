"""Refresh tokens: one spelling, and a secret that is shown to nobody."""

import hashlib
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from services.identity.refresh import RefreshToken

PLAYER = UUID("0b9e6c1e-2f43-4d56-9a7b-8c9d0e1f2a3b")
FAMILY = UUID("7d1c9a60-3e52-4f18-b0c4-5a6b7c8d9e0f")
SECRET = bytes(range(32))


def test_a_token_is_read_as_it_was_written() -> None:
    token = RefreshToken(PLAYER, FAMILY, SECRET)
    read = RefreshToken.parse(token.text())
    assert read is not None
    assert (read.player, read.family, read.digest()) == (PLAYER, FAMILY, token.digest())
    assert token.digest() == hashlib.sha256(SECRET).digest()
    assert len(token.text()) == 86


def test_the_representation_hides_the_secret() -> None:
    token = RefreshToken(PLAYER, FAMILY, SECRET)
    assert token.text()[44:] not in repr(token)
    assert SECRET.hex() not in repr(token)


def test_another_spelling_of_the_same_bytes_is_no_token() -> None:
    text = RefreshToken(PLAYER, FAMILY, SECRET).text()
    for other in (text + "=", text + "==", text + "\n", " " + text, text[:40] + "\n" + text[40:], text[:-1] + "B"):
        assert other == text or RefreshToken.parse(other) is None


@given(st.text(max_size=120))
def test_any_other_text_is_no_token(text: str) -> None:
    read = RefreshToken.parse(text)
    assert read is None or read.text() == text
