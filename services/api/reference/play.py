"""Playing in the OpenAPI document."""

from typing import Final

from domain.commands import Command
from domain.refusal import REFUSAL_CODES
from services.api.conditions import KEY_LENGTH
from services.api.reference.operation import GAME_PARAMETER, Example, Operation, Parameter
from services.api.shapes import EventsQuery
from services.games.answers import ActionList, Answer, EventPage

# These two belong to the time before the start, when there are no commands.
_BEFORE_THE_START: Final = {"seats_open", "already_started", "game_full"}

_EVENT: Final = {
    "version": 58,
    "at": "2026-11-30T05:11:35.123456Z",
    "event": {
        "type": "bean_planted",
        "seat": 0,
        "field": 1,
        "card": 17,
        "bean": "red",
        "source": "hand",
    },
}

LIST_ACTIONS: Final = Operation(
    id="list_actions",
    tag="play",
    summary="List what you may do now",
    description=(
        "Commands that are legal at this version, ready to be sent. Where a command leaves "
        "something open, `choices` names what may be put there: `OfferChoices` and `AcceptChoices` say how. "
        "A client that knows no rules can play a whole game with that.\n\n"
        "While the game runs there is always somebody whose list is not empty. In the game for two it is "
        "always the active player."
    ),
    parameters=(GAME_PARAMETER,),
    response=ActionList,
    response_description="What you may do. The list is empty while it is for others to act.",
    response_example={
        "version": 57,
        "actions": [
            {
                "command": {"type": "accept", "offer": 4, "give": [17]},
                "choices": {"type": "accept", "picks": [{"count": 1, "cards": [14, 17]}]},
            },
            {
                "command": {
                    "type": "offer",
                    "to": None,
                    "give": [],
                    "want": {"wax": 1},
                    "want_cards": [],
                    "answers": None,
                },
                "choices": {
                    "type": "offer",
                    "to": [None, 1],
                    "give": [12, 14, 17, 31],
                    "want": {"wax": 24, "blue": 24, "red": 24},
                    "want_cards": [],
                },
            },
            {"command": {"type": "end_trading"}, "choices": None},
            {"command": {"type": "harvest", "field": 0}, "choices": None},
        ],
    },
    problems=("not_your_seat", "game_not_found", "history_unreadable", "store_unavailable"),
)

SEND_COMMAND: Final = Operation(
    id="send_command",
    tag="play",
    limit="commands",
    summary="Make a move",
    description=(
        "Answered after its events are stored for good. Sent again with the same "
        "`Idempotency-Key` it has no second effect and gets the first answer with "
        "`replayed: true`, so repeat it whenever an answer is lost.\n\n"
        "If others act at the same time the command is decided anew on what they left. Send "
        "`If-Match` if you want it refused instead.\n\n"
        "A player who sends faster than any person plays is told to wait with `rate_limited`. Each copy of a command "
        "counts, also one of a command that was carried out before; one that is told to wait has no effect and uses "
        "no key up."
    ),
    parameters=(
        GAME_PARAMETER,
        Parameter(
            name="Idempotency-Key",
            place="header",
            description=f"A new random value for each new command, 1 to {KEY_LENGTH} characters.",
            schema={"type": "string", "pattern": f"^[!-~]{{1,{KEY_LENGTH}}}$"},
            example="f3b1c6f0-52d2-4bd4-9d6e-4d7b8e1c9a20",
            required=True,
        ),
        Parameter(
            name="If-Match",
            place="header",
            description='The version that you decided on: `57`, `"57"`, `W/"57"`; `*` for any.',
            schema={"type": "string"},
            example='"57"',
        ),
    ),
    request=Command,
    request_examples={
        "plant": Example("Plant the front card", {"type": "plant", "card": 17, "field": 1}),
        "reveal": Example("Turn up two cards", {"type": "reveal"}),
        "offer": Example(
            "Offer a wax bean to seat 2 for a red one",
            {"type": "offer", "to": 2, "give": [12], "want": {"red": 1}},
        ),
        "gift": Example("Give a card away to anyone", {"type": "offer", "to": None, "give": [31]}),
        "counter_offer": Example(
            "Answer an offer with another one",
            {"type": "offer", "to": 0, "give": [40], "want_cards": [31], "answers": 3},
        ),
        "accept": Example(
            "Accept, choosing the card that leaves your hand",
            {"type": "accept", "offer": 3, "give": [44]},
        ),
        "reject": Example("Turn an offer down", {"type": "reject", "offer": 3}),
        "withdraw": Example("Take an offer back", {"type": "withdraw", "offer": 3}),
        "end_trading": Example("End trading", {"type": "end_trading"}),
        "harvest": Example("Harvest a field", {"type": "harvest", "field": 0}),
        "buy_field": Example("Buy the third field", {"type": "buy_field"}),
    },
    response=Answer,
    response_description="What the command brought about, as far as you may see it.",
    response_example={"version": 58, "replayed": False, "events": [_EVENT]},
    problems=(
        "idempotency_key_required",
        "not_your_seat",
        "game_not_found",
        *(code for code in REFUSAL_CODES if code not in _BEFORE_THE_START),
        "stale_version",
        "key_reused",
        "busy",
        "history_unreadable",
        "store_unavailable",
    ),
)

LIST_EVENTS: Final = Operation(
    id="list_events",
    tag="play",
    summary="Read the history",
    description=(
        "Events after a version, oldest first and without gaps, as far as you may see them. `next` "
        "is the `after` of the following page, or null when you have them all."
    ),
    parameters=(GAME_PARAMETER,),
    query=EventsQuery,
    response=EventPage,
    response_description="One page of events.",
    response_example={"events": [_EVENT], "next": None},
    problems=("game_not_found", "history_unreadable", "store_unavailable"),
)
