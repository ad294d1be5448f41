"""What a player may ask for. Imperatives, tagged by `type`; unknown fields are refused."""

from typing import Annotated

from msgspec import Meta, Struct, field

from domain.beans import Bean

CardNumber = Annotated[int, Meta(ge=1, le=2_147_483_647)]
FieldIndex = Annotated[int, Meta(ge=0, le=99)]
SeatIndex = Annotated[int, Meta(ge=0, le=99)]
OfferNumber = Annotated[int, Meta(ge=1, le=2_147_483_647)]
# No game has more cards than this, so a longer list or a larger count cannot be meant.
CardNumbers = Annotated[list[CardNumber], Meta(max_length=200)]
MOST_WANTED = 24
"""Of one kind: no kind has more cards."""
Want = Annotated[dict[Bean, Annotated[int, Meta(ge=1, le=MOST_WANTED)]], Meta(max_length=12)]


class Plant(Struct, frozen=True, tag_field="type", tag="plant", forbid_unknown_fields=True):
    """Phase 1: the front card of the hand; phase 3: one of the own pending cards. Duel: an offered or revealed
    card too."""

    card: CardNumber
    field: FieldIndex


class Reveal(Struct, frozen=True, tag_field="type", tag="reveal", forbid_unknown_fields=True):
    """The active player has planted from the hand and turns up cards of the deck."""


class Offer(Struct, frozen=True, tag_field="type", tag="offer", forbid_unknown_fields=True):
    """A deal, a gift (`want` and `want_cards` empty) or the wish for one (`give` empty).

    `to` None is "anyone". `answers` names the offer that this one replaces.
    """

    to: SeatIndex | None = None
    give: CardNumbers = field(default_factory=list)
    want: Want = field(default_factory=dict)
    want_cards: CardNumbers = field(default_factory=list)
    answers: OfferNumber | None = None


class Accept(Struct, frozen=True, tag_field="type", tag="accept", forbid_unknown_fields=True):
    """`give`: the own cards that fill the want exactly, chosen by their owner."""

    offer: OfferNumber
    give: CardNumbers = field(default_factory=list)


class Reject(Struct, frozen=True, tag_field="type", tag="reject", forbid_unknown_fields=True):
    """An addressee turns an offer down."""

    offer: OfferNumber


class Withdraw(Struct, frozen=True, tag_field="type", tag="withdraw", forbid_unknown_fields=True):
    """The author takes an offer back."""

    offer: OfferNumber


class EndTrading(Struct, frozen=True, tag_field="type", tag="end_trading", forbid_unknown_fields=True):
    """The active player ends phase 2."""


class Harvest(Struct, frozen=True, tag_field="type", tag="harvest", forbid_unknown_fields=True):
    """One of the own fields, always the whole of it."""

    field: FieldIndex


class BuyField(Struct, frozen=True, tag_field="type", tag="buy_field", forbid_unknown_fields=True):
    """The third field."""


class Discard(Struct, frozen=True, tag_field="type", tag="discard", forbid_unknown_fields=True):
    """Duel: an offered card, or one card of the hand after the planting."""

    card: CardNumber


class EndTurn(Struct, frozen=True, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """Duel: what is not planted is left to the opponent."""


Command = Plant | Reveal | Offer | Accept | Reject | Withdraw | EndTrading | Harvest | BuyField | Discard | EndTurn
