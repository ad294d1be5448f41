"""Anchors that somebody noted, and what they say of others: each holds the hash of the one before, so who kept one can
follow it back through a list that he did not keep."""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.anchors import Anchor

NOT_YET: Final = "Not yet"
"""How a sentence begins where nothing is wrong, and nothing is proven."""


class Kept:
    """`noted` were kept, at least one, and are believed. Anchors of today, `present`, are believed only where the noted
    ones lead to them."""

    def __init__(self, noted: Sequence[Anchor], present: Iterable[Anchor] = ()) -> None:
        self._noted = {anchor.statement: anchor for anchor in noted}
        self._present = list(present)

    def is_noted(self, anchor: Anchor) -> bool:
        """Whether that very anchor was kept."""
        return anchor.statement in self._noted

    def known(self, own: Anchor) -> list[Anchor]:
        """What was noted, and what is reached from there, day by day back; `own` is another one of today."""
        found = {anchor.hash: anchor for anchor in (*self._present, own)}
        known = dict(self._noted)
        for anchor in self._noted.values():
            later, before = anchor, found.get(anchor.previous or "")
            # Nothing earlier can go on from something later, whoever has signed it.
            while before is not None and before.day < later.day and before.statement not in known:
                known[before.statement] = before
                later, before = before, found.get(before.previous or "")
        return list(known.values())

    def wrong(self, own: Anchor) -> str | None:
        """Why that anchor is not confirmed, if it is not: a sentence."""
        statements: dict[object, set[bytes]] = {}
        for anchor in self.known(own):
            statements.setdefault(anchor.day, set()).add(anchor.statement)
        for anchor in (own, *self._present):
            if statements.get(anchor.day, {anchor.statement}) != {anchor.statement}:
                return f"The anchor of {anchor.day} is another one than was kept."
        if own.day in statements:
            return None
        if own.day > max(anchor.day for anchor in self._noted.values()):
            return f"{NOT_YET}: the anchors that were kept are older than that of the game, of {own.day}."
        if not self._present:
            return f"{NOT_YET}: from the anchors that were kept the list of today (--present) has to lead to {own.day}."
        return (
            f"The anchor of {own.day} is not among those that were kept, and the anchors of today (--present) do not "
            "lead from them to it."
        )
