"""What an inclusion proof is worth: does it lead from the head of a game to the root of an anchor, has a trusted key
signed that anchor, and is it the one that was noted before?"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from domain.anchors import Anchor, Anchored, proves
from domain.audit import Check, SignatureOf
from services.audit.kept import NOT_YET, Kept

NAME = "anchor"

OVERDUE_AFTER: Final = timedelta(days=2)
"""How long a game may be over before it has to be sealed (by the anchoring, if an older program has ended it) and
anchored."""


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
    head: bytes,
    ended_at: datetime | None,
    anchored: Anchored | None,
    signature_of: SignatureOf,
    kept: Kept | None = None,
    now: datetime | None = None,
) -> Check:
    """One check of a game whose chain ends with that head and that time; None where the time is not known, which is
    wrong for other reasons. `kept`: anchors that were noted before; the game's own has to be one of them, or one that
    they lead to. `now`: when the proof was asked for; a game that ended long before has to have one."""
    if anchored is None and now is not None and ended_at is not None and now - ended_at > OVERDUE_AFTER:
        return Check(NAME, ok=False, detail=f"The game ended at {ended_at:%Y-%m-%d}, and is in no anchor since.")
    if anchored is None:
        return Check(NAME, ok=False, detail=f"{NOT_YET}: the game is in no anchor before its day is over.")
    wrong = _wrong(head, anchored, signature_of)
    if wrong is None and kept is not None:
        wrong = kept.wrong(anchored)
    wrong = wrong or _misdated(ended_at, anchored, [] if kept is None else kept.known(anchored))
    if wrong is not None:
        return Check(NAME, ok=False, detail=wrong)
    where = f"The head is leaf {anchored.index} of {anchored.games} in the anchor of {anchored.day}"
    if kept is not None:
        where += ", as it was kept" if kept.is_noted(anchored) else ", and those that were kept go on from it"
    return Check(NAME, ok=True, detail=f"{where}.{_late(ended_at, anchored)}")


def _wrong(head: bytes, anchored: Anchored, signature_of: SignatureOf) -> str | None:
    """What is wrong with the proof and its anchor by themselves."""
    if not proves(anchored, head):
        return f"The proof does not lead from the head to the root of {anchored.day}."
    signed = signature_of(anchored.statement, anchored.key, anchored.signature)
    return None if signed.ok else f"Of the anchor of {anchored.day}: {signed.detail}"


def _misdated(ended_at: datetime | None, anchored: Anchored, kept: Sequence[Anchor]) -> str | None:
    """Whether the game should have been in another anchor: one that was made before its end cannot have known it, and
    one that was kept, and made between the end and the anchor, would have."""
    if ended_at is None:
        return None
    ended_on = ended_at.astimezone(UTC).date()
    if anchored.day < ended_on:
        return f"The game ended on {ended_on}, after the day of its anchor, {anchored.day}."
    missed = min((anchor.day for anchor in kept if ended_on <= anchor.day < anchored.day), default=None)
    if missed is None:
        return None
    return f"The game ended on {ended_on}, and was anchored only on {anchored.day}: it is not in the one of {missed}."


def _late(ended_at: datetime | None, anchored: Anchored) -> str:
    ended_on = anchored.day if ended_at is None else ended_at.astimezone(UTC).date()
    if ended_on == anchored.day:
        return ""
    return (
        f" NOTE: it ended on {ended_on}, anchored only on {anchored.day}: until then nothing shows that it was not "
        "changed."
    )
