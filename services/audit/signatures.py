"""What is to be said of a signature: who made it, and whether that is somebody we trust."""

from collections.abc import Collection
from typing import Final

from domain.audit import SignatureOf, Signed
from infra.signing import is_signed

UNTRUSTED: Final = "whose key that is has not been looked at"


def signature_of(trusted: Collection[str] | None) -> SignatureOf:
    """Holds signatures against the ids of trusted keys; None: whoever's key it is, the signature has to be its own."""

    def looked_at(message: bytes, key: str, signature: str) -> Signed:
        if not is_signed(key, message, signature):
            return Signed(ok=False, detail=f"It is not what the key {key} has signed.")
        if trusted is None:
            return Signed(ok=True, detail=f"Signed by {key}; {UNTRUSTED}.")
        if key not in trusted:
            return Signed(ok=False, detail=f"Signed by {key}, which is none of the trusted keys.")
        return Signed(ok=True, detail=f"Signed by {key}, a trusted key.")

    return looked_at
