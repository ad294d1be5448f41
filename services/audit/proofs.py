"""What an inclusion proof is worth: does it lead from the head of a game to the root of an anchor, has a trusted key
signed that anchor, and is it the one that was noted before?"""

from collections.abc import Iterable

import msgspec

from domain.anchors import Anchor, Anchored, proves
from domain.audit import Check, SignatureOf

NAME = "anchor"


class AnchorsUnreadable(ValueError):
    """It holds no anchors; the message is a sentence for people."""


class _Answer(msgspec.Struct, frozen=True):
    """Of GET /v1/games/{id}/audit."""

    anchor: Anchored | None


class _Page(msgspec.Struct, frozen=True):
    """Of GET /v1/anchors."""

    anchors: list[Anchor]


def proof_in(text: bytes) -> Anchored | None:
    """The proof in an answer of an audit; None where the game was in no anchor yet. AnchorsUnreadable."""
    try:
        return msgspec.json.decode(text, type=_Answer).anchor
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise AnchorsUnreadable("It is no answer of GET /v1/games/{id}/audit.") from None


def anchors_in(text: bytes) -> list[Anchor]:
    """The anchors in an answer of their list, or in such a list alone. AnchorsUnreadable."""
    try:
        found = msgspec.json.decode(text, type=_Page | list[Anchor])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise AnchorsUnreadable("It is no answer of GET /v1/anchors.") from None
    return found.anchors if isinstance(found, _Page) else found


def anchor_check(
    head: bytes, anchored: Anchored | None, signature_of: SignatureOf, kept: Iterable[Anchor] | None = None
) -> Check:
    """One check of a game whose chain ends with that head. `kept`: anchors that were noted before; the game's own has
    to be among them."""
    if anchored is None:
        return Check(NAME, ok=False, detail="The game is in no anchor yet; ask again when its day is over.")
    if not proves(anchored, head):
        sentence = f"The proof does not lead from the head to the root of {anchored.day}."
        return Check(NAME, ok=False, detail=sentence)
    signed = signature_of(anchored.statement, anchored.key, anchored.signature)
    if not signed.ok:
        return Check(NAME, ok=False, detail=f"Of the anchor of {anchored.day}: {signed.detail}")
    if kept is not None:
        noted = [anchor for anchor in kept if anchor.day == anchored.day]
        if not noted:
            return Check(NAME, ok=False, detail=f"The anchor of {anchored.day} is not among those that were kept.")
        if any(anchor.statement != anchored.statement for anchor in noted):
            return Check(NAME, ok=False, detail=f"The anchor of {anchored.day} is another one than was kept.")
    where = f"The head is leaf {anchored.index} of {anchored.games} in the anchor of {anchored.day}"
    return Check(NAME, ok=True, detail=f"{where}, as it was kept." if kept is not None else f"{where}.")
