"""The bodies and queries of the API that no use case defines: what comes in and what goes out."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from domain.beans import BeanKind
from domain.rulesets import Reshuffle, Table, TieBreak
from domain.state import Status
from services.identity.messages import LocaleField, NameField


class Profile(Struct, frozen=True):
    """What a player sees of himself."""

    player: str
    name: str
    locale: str
    created_at: datetime


class ProfileChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out stays as it is."""

    name: NameField | UnsetType = UNSET
    locale: LocaleField | UnsetType = UNSET


class PublicProfile(Struct, frozen=True):
    """What everybody may know of a player."""

    player: str
    name: str


class OptionValue(Struct, frozen=True):
    """A value of an option, and the table that is played then."""

    value: int
    table: Table


class TableOption(Struct, frozen=True):
    """An option that changes the table for that number of players."""

    option: str
    players: int
    default: int
    values: list[OptionValue]


class Preset(Struct, frozen=True):
    """One edition of the game, with a table for each number of players as it is played without options."""

    ruleset: str
    reshuffle: Reshuffle
    tie_break: TieBreak
    tables: list[Table]
    options: list[TableOption]


class Presets(Struct, frozen=True):
    """All editions that can be played here, and the bean kinds with their beanometers."""

    rules_version: int
    rulesets: list[Preset]
    beans: list[BeanKind]


class GamesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which games to list, newest first."""

    status: Annotated[Status, Meta(description="Only games in this state.")] | UnsetType = UNSET
    ruleset: Annotated[str, Meta(max_length=40, description="Only games of this edition.")] | UnsetType = UNSET
    player: (
        Annotated[
            str,
            Meta(
                description="Only games in which this player sits.",
                extra_json_schema={"format": "uuid"},
            ),
        ]
        | UnsetType
    ) = UNSET
    cursor: (
        Annotated[
            str,
            Meta(
                max_length=200,
                description="The `next` of the page before; leave it out for the first page.",
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=100, description="The most games on one page.")] = 20


class AnchorsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which anchors to list, newest first."""

    cursor: (
        Annotated[
            str,
            Meta(
                max_length=200,
                description="The `next` of the page before; leave it out for the first page.",
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: Annotated[int, Meta(ge=1, le=500, description="The most anchors on one page.")] = 100


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a history to read."""

    after: Annotated[
        int,
        Meta(
            ge=0,
            le=2_147_483_647,
            description="The last version that you know; 0 from the beginning.",
        ),
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=500, description="The most events on one page.")] = 200


SeatNumber = Literal["0", "1", "2", "3", "4", "5", "6"]
SeenAs = SeatNumber | Literal["spectator", "all"]
"""From where a game is looked back on."""


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which step, and from where it is seen."""

    version: (
        Annotated[
            int,
            Meta(
                ge=0,
                description="The version after which to look at the table. By default the last one. What the game does "
                "not have, 0 included, is `version_not_found`, however large it is.",
            ),
        ]
        | UnsetType
    ) = UNSET
    seen_as: (
        Annotated[
            SeenAs,
            Meta(
                description="A seat, `spectator`, or `all` for every hand and the deck. By default your own seat, or a "
                "spectator if you have none. While the game runs only these two."
            ),
        ]
        | UnsetType
    ) = field(default=UNSET, name="as")


class FollowQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to begin."""

    after: (
        Annotated[
            int,
            Meta(
                ge=0,
                le=2_147_483_647,
                description="The last version that you know: the events after it come first, or a fresh view if there "
                "is no way from there. Without it a view is the beginning.",
            ),
        ]
        | UnsetType
    ) = UNSET


class Alive(Struct, frozen=True):
    """The process answers."""

    status: Literal["alive"]


class CheckResult(Struct, frozen=True):
    """One thing that the server leans on. Only a `required` one makes it unready."""

    name: str
    ok: bool
    required: bool
    detail: str


class Ready(Struct, frozen=True):
    """Everything that is required is there."""

    status: Literal["ready"]
    checks: list[CheckResult]
