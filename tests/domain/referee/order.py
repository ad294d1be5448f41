"""Events that are missing, doubled, moved, or told of others; and decks and numbers that are not the true ones."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    DeckExhausted,
    DeckShuffled,
    FieldBought,
    FieldHarvested,
    GameCreated,
    GameEnded,
    GameStarted,
    OfferVoided,
    PlayerJoined,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.referee.history import Line
from tests.domain.referee.mutants import Mutant, insert, put, versions

LEFT_OUT_AT_ONCE: Final = (
    GameCreated,
    GameStarted,
    DeckShuffled,
    CardsDealt,
    CardsRevealed,
    CardsDrawn,
    DeckExhausted,
    TurnStarted,
    OfferVoided,
    GameEnded,
)
"""What must follow at once, or opens a phase: the very next line shows that it is missing."""

LEFT_OUT: Final = (PlayerJoined, BeanPlanted, FieldHarvested, FieldBought, TradeCompleted, TradingEnded)
"""What changes where cards are: at the end at the latest a field, a hand or a stack of coins does not add up."""


def missing_at_once(lines: Sequence[Line], chance: Random) -> Mutant:
    version = chance.choice(versions(lines, chance.choice(LEFT_OUT_AT_ONCE)) or [1])
    return Mutant([*lines[: version - 1], *lines[version:]], version, version)


def missing(lines: Sequence[Line], chance: Random) -> Mutant | None:
    found = versions(lines, chance.choice(LEFT_OUT))
    if not found:
        return None
    version = chance.choice(found)
    return Mutant([*lines[: version - 1], *lines[version:]], version, len(lines) - 1)


def missing_offer(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Any but the last: the number of the next offer shows it, or an answer to the missing one."""
    found = versions(lines, TradeOffered)
    if len(found) < 2:
        return None
    place = chance.randrange(len(found) - 1)
    version = found[place]
    return Mutant([*lines[: version - 1], *lines[version:]], version, found[place + 1] - 1)


def doubled(lines: Sequence[Line], chance: Random) -> Mutant:
    version = chance.randint(1, len(lines))
    return insert(lines, version + 1, *lines[version - 1])


CONSEQUENCES: Final = (
    CardsDealt,
    CardsDrawn,
    DeckExhausted,
    TurnStarted,
    OfferVoided,
    GameEnded,
)


def before_its_cause(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A consequence changes places with what stands before it."""
    found = versions(lines, chance.choice(CONSEQUENCES))
    if not found:
        return None
    version = chance.choice(found)
    return Mutant(
        [*lines[: version - 2], lines[version - 1], lines[version - 2], *lines[version:]], version - 1, version - 1
    )


def moved_away(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A consequence comes a few lines later than it should."""
    found = [version for version in versions(lines, *CONSEQUENCES) if version + 4 < len(lines)]
    version = chance.choice(found)
    step = next((step for step in range(1, 4) if lines[version - 1 + step] != lines[version - 1]), None)
    if step is None:
        return None
    moved = [*lines]
    moved.insert(version + chance.randint(1, 3), moved.pop(version - 1))
    return Mutant(moved, version, version)


def wrong_actor(lines: Sequence[Line], chance: Random) -> Mutant:
    """Somebody else acted, or nobody."""
    version = chance.randint(1, len(lines))
    seat, event = lines[version - 1]
    return put(lines, version, chance.choice([None, 99, (seat or 0) + 1, (seat or 0) - 1]), event)


def wrong_seat(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """The event is about another seat than that of its actor."""
    found = [version for version, (_, event) in enumerate(lines, 1) if hasattr(event, "seat")]
    version = chance.choice(found)
    seat, event = lines[version - 1]
    return put(lines, version, seat, replace(event, seat=getattr(event, "seat", 0) + chance.choice([-1, 1, 7])))


def shuffle_altered(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Two cards of a deck change places: the next deal or draw shows it, or at the end the seed."""
    version = chance.choice(versions(lines, DeckShuffled))
    seat, event = lines[version - 1]
    assert isinstance(event, DeckShuffled)
    assert event.beans is not None
    beans = list(event.beans)
    one, other = chance.randrange(len(beans)), chance.randrange(len(beans))
    if beans[one] == beans[other]:
        return None
    beans[one], beans[other] = beans[other], beans[one]
    return Mutant(put(lines, version, seat, replace(event, beans=beans)).lines, version, len(lines))


def numbers_moved_on(lines: Sequence[Line], chance: Random) -> Mutant:
    """From one draw on every card has the next number, all through the history."""
    version = chance.choice(versions(lines, CardsDrawn, CardsRevealed))
    _, event = lines[version - 1]
    assert isinstance(event, CardsDrawn | CardsRevealed)
    threshold = event.cards[0].card if event.cards else 10**6
    moved: list[Line] = []
    for seat, told in lines:
        changed: dict[str, Any] = {}
        for name, value in asdict(told).items():
            if name in ("card", "want_cards") or (isinstance(value, list) and value and isinstance(value[0], Card)):
                changed[name] = _moved_on(value, threshold)
        moved.append((seat, replace(told, **changed)))
    first = next(place for place, (line, old) in enumerate(zip(moved, lines, strict=True), 1) if line != old)
    return Mutant(moved, first, first)


def _moved_on(value: Any, threshold: int) -> Any:
    if isinstance(value, list):
        return [_moved_on(item, threshold) for item in value]
    if isinstance(value, Card):
        return Card(_moved_on(value.card, threshold), value.bean)
    return value + 1 if value >= threshold else value


def end_twice(lines: Sequence[Line], chance: Random) -> Mutant:
    """Something comes after the end."""
    return insert(lines, len(lines) + 1, *chance.choice(lines))
