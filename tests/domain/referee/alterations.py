"""What an event may say instead: another card, another number, something more or less."""

from random import Random

from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.events import (
    BeanPlanted,
    DeckShuffled,
    Event,
    FieldHarvested,
    GameEnded,
    Rank,
)
from tests.domain.referee.mutants import Alteration, other_bean


def card_of_another_kind(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        place = chance.randrange(len(cards))
        cards[place] = Card(cards[place].card, other_bean(cards[place].bean, chance))
        return replace(event, **{name: cards})

    return alter


def card_of_another_number(name: str, *steps: int) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        place = chance.randrange(len(cards))
        cards[place] = Card(cards[place].card + chance.choice(steps or (-1, 1, 500)), cards[place].bean)
        return replace(event, **{name: cards})

    return alter


def one_card_less(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        del cards[chance.randrange(len(cards))]
        return replace(event, **{name: cards})

    return alter


def one_card_twice(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        return replace(event, **{name: [*cards, chance.choice(cards)]}) if cards else None

    return alter


def out_of_order(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        chance.shuffle(cards)
        return replace(event, **{name: cards})

    return alter


def number(name: str, *steps: int) -> Alteration:
    def alter(event: Event, chance: Random) -> Event:
        return replace(event, **{name: getattr(event, name) + chance.choice(steps)})

    return alter


def toggled(name: str) -> Alteration:
    def alter(event: Event, _: Random) -> Event:
        return replace(event, **{name: not getattr(event, name)})

    return alter


def coin_too_many(event: FieldHarvested, chance: Random) -> Event | None:
    step = chance.choice([-1, 1])
    return replace(event, coins=event.coins + step, discarded=event.discarded - step)


def row(event: GameEnded, chance: Random) -> Event:
    rows = list(event.ranking)
    place = chance.randrange(len(rows))
    name = chance.choice(["seat", "coins", "hand_size", "rank"])
    rows[place] = replace(rows[place], **{name: asdict(rows[place])[name] + 1})
    return replace(event, ranking=rows)


def rows_exchanged(event: GameEnded, chance: Random) -> Event:
    rows: list[Rank] = list(event.ranking)
    chance.shuffle(rows)
    return replace(event, ranking=rows)


def winners(event: GameEnded, chance: Random) -> Event:
    everybody = [row.seat for row in event.ranking]
    return replace(event, winners=sorted(chance.sample(everybody, chance.randrange(len(everybody) + 1))))


def hexadecimal(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event:
        return replace(event, **{name: chance.randbytes(32).hex()})

    return alter


def sources(event: BeanPlanted, chance: Random) -> Event:
    return replace(event, source=chance.choice(["hand", "pending", "gift", "face_up"]))


def shuffle_of_other_cards(event: DeckShuffled, chance: Random) -> Event:
    """A card of the deck is replaced."""
    assert event.beans is not None
    beans = list(event.beans)
    place = chance.randrange(len(beans))
    beans[place] = other_bean(beans[place], chance)
    return replace(event, beans=beans)
