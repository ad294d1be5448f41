"""What a player fills in to set up a table or to sit down at one."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.events import Nonce, Options, Visibility

NonceField = Annotated[
    Nonce,
    Meta(
        description="Printable ASCII characters, mixed into every shuffle. They stay in the history for ever, for "
        "everybody to read, also when their player has been erased: write no name.",
        examples=["my own luck"],
    ),
]


class NewGameRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """`seats` is the number of players; `nonce` is mixed into every shuffle. Clocks are not offered.

    The bounds of `seats` are for readers of the schema only: what an edition does not offer is refused by the edition,
    which knows what it offers instead.
    """

    ruleset: Annotated[str, Meta(max_length=40)] = "classic"
    seats: Annotated[int, Meta(extra_json_schema={"minimum": 2, "maximum": 7})] = 4
    visibility: Visibility = "public"
    clock: None = None
    options: Options = Options()
    nonce: NonceField = ""


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """`invite` for a private game; `nonce` is mixed into every shuffle, if the player gives one."""

    invite: Annotated[str, Meta(max_length=128)] | None = None
    nonce: NonceField = ""

    def __repr__(self) -> str:
        return "JoinRequest()"
