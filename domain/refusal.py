"""Why the rules refuse a command: a stable code for programs, a sentence for developers."""

from typing import Final, Literal, get_args

RefusalCode = Literal[
    "not_your_turn",
    "wrong_phase",
    "not_front_card",
    "must_plant_first",
    "already_planted_two",
    "unknown_card",
    "no_such_field",
    "field_occupied",
    "bean_protected",
    "field_empty",
    "not_enough_coins",
    "field_not_for_sale",
    "empty_offer",
    "not_a_party",
    "offer_not_found",
    "offer_mismatch",
    "too_many_offers",
    "game_not_running",
    "game_full",
    "seats_open",
    "already_started",
]

REFUSAL_CODES: Final[tuple[RefusalCode, ...]] = get_args(RefusalCode)


class Refused(Exception):
    """A command that the rules do not allow now. Nothing has changed.

    `detail` never tells more than the acting player can see anyway.
    """

    def __init__(self, code: RefusalCode, detail: str) -> None:
        super().__init__(code, detail)
        self.code: RefusalCode = code
        self.detail = detail
