"""Examples that several operations share."""

from typing import Any, Final

GAME: Final = "4f7c0d2a-91b3-4e0c-8a55-0c1d2e3f4a5b"
PLAYER: Final = "0b9e6c1e-2f43-4d56-9a7b-8c9d0e1f2a3b"
_OTHER: Final = "7d1c9a60-3e52-4f18-b0c4-5a6b7c8d9e0f"


def _seat(seat: int, player: str, name: str, hand: list[dict[str, Any]] | None) -> dict[str, Any]:
    return {
        "seat": seat,
        "player": player,
        "name": name,
        "policy": None,
        "away": False,
        "hand_size": 2,
        "hand": hand,
        "fields": [{"bean": "red", "count": 3}, None],
        "pending": [],
        "coins": 4,
        "bought_field": False,
    }


VIEW: Final[dict[str, Any]] = {
    "game": GAME,
    "version": 57,
    "status": "running",
    "ruleset": "classic",
    "rules_version": 1,
    "viewer": 0,
    "phase": "trade",
    "turn": 9,
    "active": 0,
    "seats": [
        _seat(0, PLAYER, "Ada", [{"card": 12, "bean": "wax"}, {"card": 17, "bean": "red"}]),
        _seat(1, _OTHER, "Grace", None),
    ],
    "face_up": [{"card": 31, "bean": "blue"}],
    "gifts": [],
    "offers": [
        {
            "offer": 3,
            "from": 0,
            "to": None,
            "give": [{"card": 12, "bean": "wax"}],
            "want": {"red": 1},
            "want_cards": [],
            "answers": None,
            "rejected_by": [],
        }
    ],
    "planted": 0,
    "discarded": False,
    "deck_size": 54,
    "discard_size": 12,
    "discard_top": "stink",
    "exhaustions": 0,
    "final": False,
    "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "deadline": None,
    "result": None,
}
"""A table as seat 0 sees it."""

GAME_ROW: Final[dict[str, Any]] = {
    "game": GAME,
    "version": 2,
    "created_at": "2026-11-30T05:11:35.123456Z",
    "status": "open",
    "ruleset": "classic",
    "seats": 4,
    "visibility": "public",
    "host": PLAYER,
    "players": [{"player": PLAYER, "name": "Ada"}, None, None, None],
}
"""A game in the lobby."""
