"""The editions in the OpenAPI document."""

from typing import Final

from services.api.reference.operation import Operation
from services.api.shapes import Presets

LIST_RULESETS: Final = Operation(
    id="list_rulesets",
    tag="rulesets",
    summary="List the editions",
    description=(
        "For each edition and number of players: the cards in play, hands, fields, the price of a "
        "third field (null where none is for sale), cards drawn, and the exhaustion that ends the "
        "game. For each bean: how many of them pay how many coins."
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
                "field_purchase": "any_time",
                "tie_break": "hand_size",
                "tables": [
                    {
                        "players": 3,
                        "deck": {"coffee": 24, "wax": 22},
                        "hand_sizes": [5, 5, 5],
                        "fields": 3,
                        "field_price": None,
                        "draw": 3,
                        "final_exhaustion": 2,
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
            }
        ],
    },
)
