"""Signing keys as others look them up: a JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037)."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

MOST_BYTES: Final = 1_048_576


class Jwk(Struct, frozen=True):
    """The public half of a key. `kid` and `x` are the same: a key is named by itself."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    kid: str
    x: str
    use: Literal["sig"]
    alg: Literal["EdDSA"]


class Jwks(Struct, frozen=True):
    """The keys whose signatures are ours; the first one signs."""

    keys: list[Jwk]


class _AnyKey(Struct, frozen=True):
    kty: str
    crv: str = ""
    x: str = ""


class _AnyKeys(Struct, frozen=True):
    keys: list[_AnyKey]


class KeysUnreadable(ValueError):
    """It is no set of keys; the message is a sentence for people."""


def jwks(public: Iterable[str]) -> Jwks:
    """The set of the keys with those ids."""
    return Jwks([Jwk("OKP", "Ed25519", key, key, "sig", "EdDSA") for key in public])


def trusted_keys(text: bytes) -> list[str]:
    """The ids of the Ed25519 keys in a set; others are passed over. KeysUnreadable."""
    try:
        found = msgspec.json.decode(text, type=_AnyKeys).keys
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise KeysUnreadable("It is no JSON Web Key Set, as GET /v1/keys gives it.") from None
    keys = [key.x for key in found if (key.kty, key.crv) == ("OKP", "Ed25519")]
    if not keys:
        raise KeysUnreadable("There is no Ed25519 key in it.")
    return keys
