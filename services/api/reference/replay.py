"""Looking back on a game in the OpenAPI document."""

from typing import Final

from services.api.reference.operation import GAME_PARAMETER, Operation
from services.api.reference.step import STEP
from services.api.shapes import ReplayQuery
from services.replay.answers import ReplayStep

READ_REPLAY: Final = Operation(
    id="read_replay",
    tag="replay",
    summary="Look back on a game, step by step",
    description=(
        "The table after the event of one version, with that event, who acted, how long he took, and what the viewer "
        "could do then. A seat and a spectator (`as`) see exactly what they saw when it happened, also when the game "
        "is over, except that players have the names of today. While the game runs that is your own seat, or the "
        "public part of the table; anything else is `not_revealed`. When it is over you may look from every seat, or "
        "at everything (`all`): all hands, the whole event, and the `deck` from its top to its bottom.\n\n"
        "`links` lead to the step before and the next one, and to the nearest in which a turn begins or a trade is "
        "made, before and behind this one; null where there is none."
    ),
    parameters=(GAME_PARAMETER,),
    query=ReplayQuery,
    response=ReplayStep,
    response_description="One step of the game.",
    response_example=STEP,
    problems=("not_revealed", "game_not_found", "version_not_found", "busy", "history_unreadable", "store_unavailable"),
)
