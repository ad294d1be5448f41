"""Another history that one viewer cannot tell from the real one: the kinds that the viewer does not know are
dealt out anew among the cards that were on the way together since the same shuffle."""

from collections.abc import Sequence
from random import Random

import msgspec

from domain.beans import Bean
from domain.cards import Card
from domain.commands import Command
from domain.decide import decide
from domain.events import (
    BeanPlanted,
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    DeckShuffled,
    Event,
    GameEnded,
    encode_event,
)
from domain.redaction import redact
from domain.refusal import Refused
from domain.state import State
from domain.views import view


def known_cards(history: Sequence[Event], viewer: int | None) -> set[int]:
    """The numbers whose kind a viewer has been told."""
    known: set[int] = set()
    for event in history:
        seen = redact(event, viewer)
        if isinstance(seen, BeanPlanted | CardDiscarded):
            known.add(seen.card)
        for name in seen.__struct_fields__:
            value = getattr(seen, name)
            if isinstance(value, list):
                known.update(card.card for card in value if isinstance(card, Card) and card.bean is not None)
    return known


def alternative(history: Sequence[Event], viewer: int | None, chance: Random) -> list[Event]:
    """The same history with other hidden kinds."""
    known = known_cards(history, viewer)
    beans: dict[int, Bean] = {}
    other: list[Event] = []
    for index, event in enumerate(history):
        if isinstance(event, DeckShuffled):
            event = _other_deck(history[index:], known, chance)  # noqa: PLW2901 - the same event, told otherwise
            assert event.beans is not None
            numbers = _numbers_from(history[index:])
            beans.update(zip(numbers, event.beans, strict=False))
        elif isinstance(event, CardsDealt | CardsDrawn | CardsRevealed):
            cards = [Card(card.card, beans[card.card]) for card in event.cards]
            event = msgspec.structs.replace(event, cards=cards)  # noqa: PLW2901 - the same event, told otherwise
        other.append(event)
    return other


def _other_deck(history: Sequence[Event], known: set[int], chance: Random) -> DeckShuffled:
    """The shuffle that `history` begins with, the kinds of its unknown places exchanged among each other."""
    shuffled = history[0]
    assert isinstance(shuffled, DeckShuffled)
    assert shuffled.beans is not None
    numbers = _numbers_from(history)
    hidden = [place for place in range(shuffled.size) if place >= len(numbers) or numbers[place] not in known]
    kinds = [shuffled.beans[place] for place in hidden]
    chance.shuffle(kinds)
    deck = [*shuffled.beans]
    for place, bean in zip(hidden, kinds, strict=True):
        deck[place] = bean
    return msgspec.structs.replace(shuffled, beans=deck)


def _numbers_from(history: Sequence[Event]) -> list[int]:
    """The numbers that the cards of the deck in `history[0]` have got so far, from its top on."""
    numbers: list[int] = []
    for event in history[1:]:
        if isinstance(event, DeckShuffled):
            break
        if isinstance(event, CardsDealt | CardsDrawn | CardsRevealed):
            numbers += [card.card for card in event.cards]
    return numbers


def seen_by(state: State, viewer: int | None) -> bytes:
    """The whole table as that viewer gets it."""
    return msgspec.json.encode(view(state, viewer))


def answer(state: State, seat: int, command: Command, seed: bytes) -> list[bytes]:
    """What comes back for a command: the refusal to its last letter, or the events but for newly drawn cards."""
    try:
        events = decide(state, seat, command, seed)
    except Refused as refusal:
        return [refusal.code.encode(), refusal.detail.encode()]
    drawn = CardsRevealed | CardsSwept | CardsDrawn | DeckShuffled | GameEnded
    return [encode_event(redact(event, seat)) for event in events if not isinstance(event, drawn)]
