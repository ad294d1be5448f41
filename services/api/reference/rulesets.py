"""The editions in the OpenAPI document."""

from typing import Final

from services.api.reference.operation import Operation
from services.api.shapes import Presets

_THREE: Final = {
    "players": 3,
    "turn": "trading",
    "deck": {"coffee": 24, "wax": 22},
    "hand_sizes": [5, 5, 5],
    "fields": 3,
    "most_fields": 3,
    "field_price": None,
    "field_purchase": "any_time",
    "field_payment": "discard_pile",
    "harvest": "any_time",
    "reveal": 2,
    "draw": 3,
    "drawers": "active",
    "final_exhaustion": 2,
}
_TWO: Final = {
    **_THREE,
    "players": 2,
    "turn": "duel",
    "hand_sizes": [5, 5],
    "field_purchase": "own_turn",
    "field_payment": "box",
    "harvest": "own_turn",
    "reveal": 3,
    "draw": 2,
    "final_exhaustion": 1,
}

LIST_RULESETS: Final = Operation(
    id="list_rulesets",
    tag="rulesets",
    summary="List the editions",
    description=(
        "For each edition and number of players: the structure of a turn, the cards in play, hands, "
        "fields, the price of a third field (null where none is for sale), when it may be bought and "
        "where the coins go, cards turned up and drawn, who draws, and the exhaustion that ends the "
        "game. `options` has the tables that an option of the new game gives. For each bean: how many "
        "of them pay how many coins, and how many give a field instead (`field_grant`)."
    ),
    public=True,
    response=Presets,
    response_description="The editions, and the beans that they are played with.",
    response_example={
        "rules_version": 1,
        "rulesets": [
            {
                "ruleset": "classic",
                "reshuffle": "next_draw",
                "tie_break": "hand_size",
                "tables": [_THREE],
                "options": [
                    {
                        "option": "duel_fields",
                        "players": 2,
                        "default": 2,
                        "values": [{"value": 3, "table": _TWO}],
                    }
                ],
            }
        ],
        "beans": [
            {
                "bean": "garden",
                "english": "Garden",
                "german": "Gartenbohne",
                "french": "Harry Coriace",
                "cards": 6,
                "beanometer": [{"beans": 2, "coins": 2}, {"beans": 3, "coins": 3}],
                "field_grant": None,
            }
        ],
    },
)
