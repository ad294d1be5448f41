"""Signing keys: the first one signs, every one of them is ours, and a text has one spelling."""

import base64
import stat
from pathlib import Path

import pytest

from infra.kept_key import KeyRefused
from infra.signing import KEY_FILE, is_signed, kept_signing_keys, parse_signing_keys

# RFC 8032, section 7.1, test 2: a seed, its public key, a message and the signature.
SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
MESSAGE = b"\x72"
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)

ONE = base64.b64encode(SEED).decode()
TWO = base64.b64encode(bytes(range(32))).decode()


def unpadded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def test_it_signs_as_the_rfc_says_and_is_named_by_its_public_half() -> None:
    keys = parse_signing_keys(ONE)

    made = keys.sign(MESSAGE)

    assert (made.key, made.signature) == (unpadded(PUBLIC), unpadded(SIGNATURE))
    assert is_signed(made.key, MESSAGE, made.signature)
    assert not is_signed(made.key, b"\x73", made.signature)


def test_the_first_signs_and_what_others_have_signed_is_ours_too() -> None:
    before = parse_signing_keys(TWO).sign(MESSAGE)

    rotated = parse_signing_keys(f"{ONE}, {TWO}")
    retired = parse_signing_keys(f"{ONE},public:{before.key}")

    for keys in (rotated, retired):
        assert keys.sign(MESSAGE).key == unpadded(PUBLIC)
        assert keys.public == [unpadded(PUBLIC), before.key]


def test_what_a_stranger_has_signed_is_signed_but_not_ours() -> None:
    stranger = parse_signing_keys(TWO).sign(MESSAGE)
    assert is_signed(stranger.key, MESSAGE, stranger.signature)
    assert stranger.key not in parse_signing_keys(ONE).public


@pytest.mark.parametrize("spoilt", ["", "A", "=", "ä", "\n", unpadded(PUBLIC)[:-1] + "N", unpadded(PUBLIC) + "="])
def test_a_key_or_signature_in_another_spelling_is_none(spoilt: str) -> None:
    assert not is_signed(spoilt, MESSAGE, unpadded(SIGNATURE))
    assert not is_signed(unpadded(PUBLIC), MESSAGE, spoilt)
    # The last character of 64 bytes holds four bits that say nothing: they have to be zero.
    assert not is_signed(unpadded(PUBLIC), MESSAGE, unpadded(SIGNATURE)[:-1] + "B")


@pytest.mark.parametrize(
    "text", ["", ",", "short", TWO[:-4], f"{ONE},short", "public:" + unpadded(PUBLIC), f"{ONE},public:x"]
)
def test_what_is_no_key_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(KeyRefused) as refused:
        parse_signing_keys(text)
    assert "short" not in str(refused.value)
    assert TWO[:8] not in str(refused.value)


def test_a_representation_shows_no_secret() -> None:
    assert repr(parse_signing_keys(ONE)) == f"SigningKeys({unpadded(PUBLIC)})"


def test_a_key_is_made_once_and_an_older_one_may_follow_it(tmp_path: Path) -> None:
    first = kept_signing_keys(tmp_path)
    file = tmp_path / KEY_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_signing_keys(tmp_path).public == first.public

    file.write_text(f"{ONE}\npublic:{first.public[0]}\n")

    assert kept_signing_keys(tmp_path).public == [unpadded(PUBLIC), first.public[0]]
