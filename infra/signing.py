"""The keys that sign what must be recognised for ever: the heads of finished games, and anchors (Ed25519, RFC 8032).

A key's id is its public half, so that what names the key can be checked by itself; whether the key is one of ours, the
list of ids tells. The first key signs. The others are kept so that what they have signed goes on being
ours; of such a key the public half is enough.
"""

import base64
import binascii
import secrets
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from infra import opaque
from infra.kept_key import KeyRefused, kept_lines

KEY_FILE: Final = "signing.key"
PUBLIC: Final = "public:"
"""Before the id of a key that signs no more."""

_KEY_BYTES: Final = 32
_SIGNATURE_BYTES: Final = 64


class Signature(Struct, frozen=True):
    """`key` is the id of the key, `signature` what it made: base64url without padding, as it is shown."""

    key: str
    signature: str


class SigningKeys:
    """Signs, and knows whose signatures are ours. `public` are the ids, the one that signs first."""

    def __init__(self, signing: Ed25519PrivateKey, retired: list[str] | None = None) -> None:
        self._signing = signing
        first = key_id(signing)
        self.public = [first, *(key for key in dict.fromkeys(retired or []) if key != first)]

    def __repr__(self) -> str:
        return f"SigningKeys({', '.join(self.public)})"

    def sign(self, message: bytes) -> Signature:
        """By the first key; the same message always gives the same signature."""
        return Signature(self.public[0], opaque.written(self._signing.sign(message)))


def is_signed(key: str, message: bytes, signature: str) -> bool:
    """Whether the key with that id has signed that, whoever it belongs to."""
    public, made = opaque.read(key, _KEY_BYTES), opaque.read(signature, _SIGNATURE_BYTES)
    if public is None or made is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(made, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id(key: Ed25519PrivateKey) -> str:
    """The public half, as it is written everywhere."""
    return opaque.written(key.public_key().public_bytes_raw())


def parse_signing_keys(text: str) -> SigningKeys:
    """Keys from a setting, separated by commas: 32 bytes in base64, the first one signs. Those behind it may also be
    `public:` and their id. KeyRefused."""
    entries = [entry for entry in map(str.strip, text.split(",")) if entry]
    if not entries:
        raise KeyRefused("At least one signing key is needed.")
    if entries[0].startswith(PUBLIC):
        raise KeyRefused("The first signing key signs: it cannot be a public one.")
    return SigningKeys(_private(entries[0]), [_retired(entry) for entry in entries[1:]])


def kept_signing_keys(data_dir: Path) -> SigningKeys:
    """The keys in the data directory, one a line; the first call makes one. KeyRefused."""
    path = data_dir / KEY_FILE
    lines = kept_lines(path, lambda: base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode())
    try:
        return parse_signing_keys(",".join(lines))
    except KeyRefused as error:
        raise KeyRefused(f"{path}: {error}") from None


def _retired(entry: str) -> str:
    if not entry.startswith(PUBLIC):
        return key_id(_private(entry))
    key = entry.removeprefix(PUBLIC)
    if opaque.read(key, _KEY_BYTES) is None:
        raise KeyRefused("A public signing key is `public:` and the id of a key, as GET /v1/keys lists it.")
    return key


def _private(entry: str) -> Ed25519PrivateKey:
    try:
        raw = base64.b64decode(entry.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != _KEY_BYTES:
        # Without the cause and without the entry: it may be a key with a typing error.
        raise KeyRefused("A signing key is 32 bytes in base64; `openssl rand -base64 32` makes a good one.") from None
    return Ed25519PrivateKey.from_private_bytes(raw)
