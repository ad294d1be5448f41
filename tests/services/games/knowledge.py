"""What each viewer may know, worked out from the raw history alone, and a search through whole answers
for anything beyond it. Knows nothing of how the program hides things."""

import json
from collections.abc import Iterator
from typing import Any

from domain.history import Record
from tests.services.games.tables import wire

Json = Any
DRAWN = ("cards_dealt", "cards_drawn")
END = ("game_ended", "game_abandoned")


def cards_in(value: Json) -> Iterator[tuple[int, str | None]]:
    """Every card with its kind, at any depth, in the history or in an answer."""
    if isinstance(value, dict):
        if "card" in value and "bean" in value:
            yield value["card"], value["bean"]
        for part in value.values():
            yield from cards_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from cards_in(part)


def objects_in(value: Json) -> Iterator[dict[str, Json]]:
    """Every JSON object, at any depth."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from objects_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from objects_in(part)


class Knowledge:
    """Grows with the history: the cards that everybody has seen, and those that one seat has drawn."""

    def __init__(self, seed: bytes) -> None:
        self.version = 0
        self.has_ended = False
        self.public: dict[int, str | None] = {}
        self.drawn: dict[int, dict[int, str | None]] = {}
        self._seed = seed

    def learn(self, records: list[Record]) -> None:
        for record in records:
            self.version = record.version
            event = json.loads(record.payload)
            if event["type"] in DRAWN:
                self.drawn.setdefault(event["seat"], {}).update(cards_in(event))
            elif event["type"] != "deck_shuffled":
                self.public.update(cards_in(event))
            self.has_ended = self.has_ended or event["type"] in END

    def hidden_from(self, viewer: int | None) -> set[int]:
        """The cards that were drawn and whose kind the viewer may not know."""
        drawn = {card for cards in self.drawn.values() for card in cards}
        return drawn - self.public.keys() - self.drawn.get(-1 if viewer is None else viewer, {}).keys()

    def check(self, answer: object, viewer: int | None) -> Json:
        """Nothing hidden is in those bytes, and what the viewer may know is right; the decoded answer."""
        told = wire(answer)
        decoded = json.loads(told)
        if self.has_ended:
            return decoded
        assert self._seed.hex().encode() not in told.lower()
        known = {**self.public, **self.drawn.get(-1 if viewer is None else viewer, {})}
        for card, bean in cards_in(decoded):
            assert bean is None or known.get(card, "unknown") == bean, f"card {card} is told to {viewer}"
        for found in objects_in(decoded):
            assert "seed" not in found
            assert found.get("beans") is None, "the order of the deck is told"
            if "hand" in found and "seat" in found:
                assert (found["hand"] is None) == (found["seat"] != viewer), "a hand"
            if found.get("type") in DRAWN:
                kinds = [card["bean"] for card in found["cards"]]
                assert (None in kinds) == (found["seat"] != viewer)
                assert len(set(kinds)) == 1 or None not in kinds
        return decoded
