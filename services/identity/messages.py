"""What travels when a guest signs in, stays signed in and opens a stream. Server and client read it alike."""

from typing import Annotated

from msgspec import Meta, Struct

from services.identity.names import LOCALE_LENGTH, NAME_LENGTH

# The rules are in services.identity.names; these are only read by people.
NameField = Annotated[
    str,
    Meta(
        description=f"1 to {NAME_LENGTH} visible characters, shown to the other players.",
        examples=["Ada"],
    ),
]
LocaleField = Annotated[
    str,
    Meta(
        description=f"A language tag (BCP 47) of at most {LOCALE_LENGTH} characters.",
        examples=["en", "pt-BR"],
    ),
]


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A guest needs a name and nothing else."""

    name: NameField
    locale: LocaleField = "en"


class RefreshRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The refresh token of the last pair. It is used up by this."""

    refresh_token: Annotated[str, Meta(max_length=256)]

    def __repr__(self) -> str:
        return "RefreshRequest()"


class TokenPair(Struct, frozen=True):
    """Both tokens of a player. `expires_in` is the life of the access token in seconds."""

    player: str
    access_token: str
    refresh_token: str
    expires_in: int

    def __repr__(self) -> str:
        return f"TokenPair(player={self.player!r})"


class NewTicket(Struct, frozen=True):
    """A ticket, and its life in seconds."""

    ticket: str
    expires_in: int

    def __repr__(self) -> str:
        return "NewTicket()"
