"""What can be wrong with an event: a code for programs, a sentence for people."""

from typing import Literal

import msgspec
from msgspec import Struct

Reason = Literal[
    # The history as such.
    "malformed",
    "hidden",
    "wrong_version",
    "must_follow",
    "out_of_place",
    "unfinished",
    "after_the_end",
    # Before the first turn, and what the seed decides.
    "unknown_edition",
    "wrong_lobby",
    "wrong_seed",
    "wrong_start_seat",
    "wrong_shuffle",
    "wrong_deal",
    # Who, and when.
    "wrong_actor",
    "not_active",
    "wrong_phase",
    "wrong_turn",
    # Cards and fields.
    "wrong_card",
    "not_front_card",
    "must_plant_first",
    "planted_enough",
    "no_such_field",
    "field_occupied",
    "wrong_draw",
    "wrong_reveal",
    "wrong_sweep",
    "wrong_gifts",
    "wrong_kept",
    "wrong_exhaustion",
    # Coins.
    "bean_protected",
    "wrong_harvest",
    "wrong_payout",
    "not_for_sale",
    "not_enough_coins",
    "wrong_payment",
    "wrong_ranking",
    # Trading.
    "wrong_offer",
    "no_such_offer",
    "wrong_party",
    "wrong_trade",
    "wrong_void",
]
"""Permanent: reports and tests name them."""


class Fault(Struct, frozen=True):
    """The first event that is wrong, and why. `sentence` is for developers."""

    version: int
    reason: Reason
    sentence: str


def told(value: object) -> str:
    """A value of an event in a sentence: as it stands in the history."""
    return msgspec.json.encode(value).decode()


class Wrong(Exception):
    """Raised where an event breaks a rule. `version` None: the event that is looked at."""

    def __init__(self, reason: Reason, sentence: str, version: int | None = None) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.version = version
