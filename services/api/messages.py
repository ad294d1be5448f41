"""What goes over a WebSocket beside the frames of the stream (design, "Live updates")."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.commands import Command
from services.api.conditions import KEY_LENGTH
from services.api.problems import FieldError
from services.games.answers import EventItem

Key = Annotated[str, Meta(min_length=1, max_length=KEY_LENGTH, pattern=r"^[\x21-\x7e]+$")]


class CommandMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="command"):
    """A move. `key` as the Idempotency-Key of a request; `if_version` as its If-Match."""

    key: Key
    command: Command
    if_version: Annotated[int, Meta(ge=0)] | None = None


class ResultMessage(Struct, frozen=True, tag_field="type", tag="result"):
    """What the command with that key brought about."""

    key: str
    version: int
    replayed: bool
    events: list[EventItem]


class ProblemMessage(Struct, frozen=True, tag_field="type", tag="problem", omit_defaults=True):
    """Why the message with that key, null if it could not be read, had no effect. `retry_after` in seconds."""

    key: str | None
    title: str
    status: int
    detail: str
    code: str
    version: int | None = None
    errors: list[FieldError] | None = None
    retry_after: int | None = None
