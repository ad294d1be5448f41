"""The example of a step: one of a game that was played, as its first seat saw it."""

from typing import Any, Final

from services.api.reference.examples import GAME, PLAYER


def _link(version: int) -> dict[str, Any]:
    return {"version": version, "href": f"/v1/games/{GAME}/replay?version={version}&as=0"}


STEP: Final[dict[str, Any]] = {
    "version": 133,
    "last": 548,
    "at": "2026-01-01T00:02:15.000000Z",
    "seat": 0,
    "thinking_ms": 1250,
    "event": {"type": "bean_planted", "seat": 0, "field": 2, "card": 61, "bean": "blue", "source": "pending"},
    "view": {
        "game": GAME,
        "version": 133,
        "status": "running",
        "ruleset": "classic",
        "rules_version": 1,
        "viewer": 0,
        "phase": "settle",
        "turn": 10,
        "active": 0,
        "seats": [
            {
                "seat": 0,
                "player": PLAYER,
                "name": "Ada",
                "policy": None,
                "away": False,
                "hand_size": 7,
                "hand": [
                    {"card": 20, "bean": "stink"},
                    {"card": 33, "bean": "chili"},
                    {"card": 34, "bean": "soy"},
                    {"card": 35, "bean": "chili"},
                    {"card": 48, "bean": "coffee"},
                    {"card": 49, "bean": "soy"},
                    {"card": 50, "bean": "wax"},
                ],
                "fields": [{"bean": "chili", "count": 2}, {"bean": "green", "count": 1}, {"bean": "blue", "count": 1}],
                "pending": [],
                "coins": 1,
                "bought_field": False,
            },
            {
                "seat": 1,
                "player": "7d1c9a60-3e52-4f18-b0c4-5a6b7c8d9e0f",
                "name": "Grace",
                "policy": None,
                "away": False,
                "hand_size": 8,
                "hand": None,
                "fields": [{"bean": "soy", "count": 1}, {"bean": "green", "count": 1}, {"bean": "wax", "count": 1}],
                "pending": [],
                "coins": 0,
                "bought_field": False,
            },
            {
                "seat": 2,
                "player": "5a2f8e31-6c47-4b9d-8e10-1f2a3b4c5d6e",
                "name": "Linus",
                "policy": None,
                "away": False,
                "hand_size": 10,
                "hand": None,
                "fields": [{"bean": "chili", "count": 1}, {"bean": "wax", "count": 1}, {"bean": "coffee", "count": 1}],
                "pending": [],
                "coins": 2,
                "bought_field": False,
            },
        ],
        "face_up": [],
        "gifts": [],
        "offers": [],
        "planted": 2,
        "discarded": False,
        "deck_size": 88,
        "discard_size": 24,
        "discard_top": "black_eyed",
        "exhaustions": 0,
        "final": False,
        "commitment": "b335cb24e849f6c85453616e730e866530a9cfce9a965ff035873d7ee3f7f0cf",
        "deadline": None,
        "result": None,
    },
    "actions": [{"command": {"type": "harvest", "field": 0}, "choices": None}],
    "deck": None,
    "links": {
        "previous": _link(132),
        "next": _link(134),
        "previous_turn": _link(126),
        "next_turn": _link(135),
        "previous_trade": _link(115),
        "next_trade": _link(196),
    },
}
