"""Ways to falsify a history by one thing. Each gives the lines, and the versions between which a fault must be named.

Nearly always that is the very version that was touched. Left out by reasoning, because the history stays legal:

- what nobody can contradict, because it is a player's free choice and nothing later depends on it: the kinds that an
  offer wants, unless it is accepted; an open offer's rejection or withdrawal left out, unless a counter-offer or a
  void hangs on it; the last offer of a game left out, unless it is answered;
- two commands of different players that touch nothing in common, exchanged; only causes and their consequences, and
  moves that a phase forbids, are moved here;
- another card in place of one that its owner might just as well have planted or offered: numbers far off are put there;
- names: who sits down, the nonce of a game that is told without its seed, a house rule that was never used.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from msgspec.structs import asdict, replace

from domain.beans import BEANS, Bean
from domain.cards import Card
from domain.events import (
    BeanPlanted,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldBought,
    FieldHarvested,
    GameCreated,
    GameEnded,
    GameStarted,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    PlayerJoined,
    Rank,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.evolve import evolve, initial
from domain.referee.history import Line
from domain.state import State


@dataclass(frozen=True)
class Mutant:
    """`first` is the version that was touched; at `last` at the latest it must be found."""

    lines: list[Line]
    first: int
    last: int


Mutator = Callable[[Sequence[Line], Random], Mutant | None]
Alteration = Callable[[Any, Random], Event | None]


def before(lines: Sequence[Line], version: int) -> State:
    """The table as it was when that version came."""
    state = initial("a-game")
    for _, event in lines[: version - 1]:
        evolve(state, event)
    return state


def versions(lines: Sequence[Line], *kinds: type[Event]) -> list[int]:
    return [version for version, (_, event) in enumerate(lines, 1) if isinstance(event, kinds)]


def altered(kind: type[Event], alter: Alteration) -> Mutator:
    """One field of one event says something else."""

    def mutate(lines: Sequence[Line], chance: Random) -> Mutant | None:
        found = versions(lines, kind)
        if not found:
            return None
        version = chance.choice(found)
        seat, event = lines[version - 1]
        other = alter(event, chance)
        return None if other is None or other == event else put(lines, version, seat, other)

    return mutate


def put(lines: Sequence[Line], version: int, seat: int | None, event: Event) -> Mutant:
    return Mutant([*lines[: version - 1], (seat, event), *lines[version:]], version, version)


def insert(lines: Sequence[Line], version: int, seat: int | None, event: Event) -> Mutant:
    return Mutant([*lines[: version - 1], (seat, event), *lines[version - 1 :]], version, version)


def other_bean(bean: Bean | None, chance: Random) -> Bean:
    return chance.choice([kind for kind in BEANS if kind != bean])


def _card_of_another_kind(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        place = chance.randrange(len(cards))
        cards[place] = Card(cards[place].card, other_bean(cards[place].bean, chance))
        return replace(event, **{name: cards})

    return alter


def _card_of_another_number(name: str, *steps: int) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        place = chance.randrange(len(cards))
        cards[place] = Card(cards[place].card + chance.choice(steps or (-1, 1, 500)), cards[place].bean)
        return replace(event, **{name: cards})

    return alter


def _one_card_less(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        if not cards:
            return None
        del cards[chance.randrange(len(cards))]
        return replace(event, **{name: cards})

    return alter


def _one_card_twice(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        return replace(event, **{name: [*cards, chance.choice(cards)]}) if cards else None

    return alter


def _out_of_order(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event | None:
        cards: list[Card] = list(getattr(event, name))
        chance.shuffle(cards)
        return replace(event, **{name: cards})

    return alter


def _number(name: str, *steps: int) -> Alteration:
    def alter(event: Event, chance: Random) -> Event:
        return replace(event, **{name: getattr(event, name) + chance.choice(steps)})

    return alter


def _toggled(name: str) -> Alteration:
    def alter(event: Event, _: Random) -> Event:
        return replace(event, **{name: not getattr(event, name)})

    return alter


def _coin_too_many(event: FieldHarvested, chance: Random) -> Event | None:
    step = chance.choice([-1, 1])
    return replace(event, coins=event.coins + step, discarded=event.discarded - step)


def _row(event: GameEnded, chance: Random) -> Event:
    rows = list(event.ranking)
    place = chance.randrange(len(rows))
    name = chance.choice(["seat", "coins", "hand_size", "rank"])
    rows[place] = replace(rows[place], **{name: asdict(rows[place])[name] + 1})
    return replace(event, ranking=rows)


def _rows_exchanged(event: GameEnded, chance: Random) -> Event:
    rows: list[Rank] = list(event.ranking)
    chance.shuffle(rows)
    return replace(event, ranking=rows)


def _winners(event: GameEnded, chance: Random) -> Event:
    everybody = [row.seat for row in event.ranking]
    return replace(event, winners=sorted(chance.sample(everybody, chance.randrange(len(everybody) + 1))))


def _hexadecimal(name: str) -> Alteration:
    def alter(event: Event, chance: Random) -> Event:
        return replace(event, **{name: chance.randbytes(32).hex()})

    return alter


def protected_harvest(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A single bean is harvested while another field of its owner has two or more."""
    version = chance.choice(versions(lines, BeanPlanted, TradeOffered, CardsRevealed))
    state = before(lines, version)
    for seat, owner in enumerate(state.seats):
        for index, field in enumerate(owner.fields):
            if len(field.cards) == 1 and field.bean and any(len(other.cards) > 1 for other in owner.fields):
                harvest = FieldHarvested(seat, index, field.bean, 1, coins=0, discarded=1, final=False)
                return insert(lines, version, seat, harvest)
    return None


def empty_harvest(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Nothing is harvested."""
    version = chance.choice(versions(lines, TradingEnded))
    for seat, owner in enumerate(before(lines, version).seats):
        for index, field in enumerate(owner.fields):
            if field.bean is None:
                nothing = FieldHarvested(seat, index, chance.choice(BEANS), 0, coins=0, discarded=0, final=False)
                return insert(lines, version, seat, nothing)
    return None


def purchase_one_coin_short(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A field is bought with all coins of a player who has one too few."""
    found = versions(lines, BeanPlanted, TradeOffered, TradingEnded)
    version = chance.choice(found[: len(found) // 3])
    state = before(lines, version)
    price = state.table.field_price
    for seat, owner in enumerate(state.seats):
        if price is not None and len(owner.coins) == price - 1 and not owner.bought_field:
            paid = [Card(number, bean) for number, bean in reversed(owner.coins.items())]
            return insert(lines, version, seat, FieldBought(seat, price - chance.randint(0, 1), paid))
    return None


def purchase_of_a_fourth_field(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Somebody who has three fields buys one more."""
    version = versions(lines, TradingEnded)[-1]
    state = before(lines, version)
    price = state.table.field_price or 3
    seats = [seat for seat, owner in enumerate(state.seats) if len(owner.fields) == 3 and len(owner.coins) >= price]
    if not seats:
        return None
    seat = chance.choice(seats)
    topmost = [Card(number, bean) for number, bean in reversed(state.seats[seat].coins.items())][:price]
    return insert(lines, version, seat, FieldBought(seat, price, topmost))


def planted_on_another_kind(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """A card goes where another kind stands, or where no field is."""
    version = chance.choice(versions(lines, BeanPlanted))
    seat, event = lines[version - 1]
    assert isinstance(event, BeanPlanted)
    plots = before(lines, version).seats[event.seat].fields
    wrong = [index for index, plot in enumerate(plots) if plot.bean not in (None, event.bean)]
    return put(lines, version, seat, replace(event, field=chance.choice([*wrong, len(plots), -1])))


def planted_from_behind(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Not the front card of the hand is planted, but another that would fit."""
    version = chance.choice(versions(lines, BeanPlanted))
    seat, event = lines[version - 1]
    assert isinstance(event, BeanPlanted)
    owner = before(lines, version).seats[event.seat]
    others = [card for card, bean in owner.hand.items() if bean == event.bean and card != event.card]
    if event.source != "hand" or not others:
        return None
    return put(lines, version, seat, replace(event, card=chance.choice(others)))


def planted_a_third(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """One more card is planted from the hand before the reveal."""
    version = chance.choice(versions(lines, CardsRevealed))
    state = before(lines, version)
    if state.phase != "plant" or state.active is None or state.planted < 2:
        return None
    owner = state.seats[state.active]
    for card, bean in owner.hand.items():
        for index, plot in enumerate(owner.fields):
            if bean and plot.bean in (None, bean):
                return insert(lines, version, state.active, BeanPlanted(state.active, index, card, bean, "hand"))
        break
    return None


def revealed_too_early(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """The first planting of a turn is left out."""
    firsts = [
        version
        for version, (_, event) in enumerate(lines, 1)
        if isinstance(event, CardsRevealed)
        and isinstance(lines[version - 2][1], BeanPlanted)
        and isinstance(lines[version - 3][1], TurnStarted)
    ]
    if not firsts:
        return None
    version = chance.choice(firsts)
    return Mutant([*lines[: version - 2], *lines[version - 1 :]], version - 1, version - 1)


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


def another_void(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """An open offer that may stay is voided, right behind a deal."""
    version = chance.choice(versions(lines, TradeCompleted) or [1]) + 1
    if version == 2:
        return None
    while isinstance(lines[version - 1][1], OfferVoided):
        version += 1
    return insert(lines, version, lines[version - 2][0], OfferVoided(chance.randint(1, 9), "card_moved"))


def voids_out_of_order(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """Two voids of one deal change places."""
    found = [
        version
        for version in versions(lines, OfferVoided)
        if isinstance(lines[version][1], OfferVoided) and lines[version - 1] != lines[version]
    ]
    if not found:
        return None
    version = chance.choice(found)
    return Mutant([*lines[: version - 1], lines[version], lines[version - 1], *lines[version + 1 :]], version, version)


def rejected_unasked(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """The author turns down his own offer."""
    version = chance.choice(versions(lines, TradeOffered) or [1])
    _, event = lines[version - 1]
    if not isinstance(event, TradeOffered):
        return None
    return insert(lines, version + 1, event.author, OfferRejected(event.offer, event.author))


def withdrawn_twice(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """An offer that is gone is withdrawn."""
    version = chance.choice(versions(lines, TradeCompleted) or [1])
    _, event = lines[version - 1]
    if not isinstance(event, TradeCompleted):
        return None
    while isinstance(lines[version][1], OfferVoided):
        version += 1
    return insert(lines, version + 1, event.author, OfferWithdrawn(event.offer))


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


def shuffle_of_other_cards(event: DeckShuffled, chance: Random) -> Event:
    """A card of the deck is replaced."""
    assert event.beans is not None
    beans = list(event.beans)
    place = chance.randrange(len(beans))
    beans[place] = other_bean(beans[place], chance)
    return replace(event, beans=beans)


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


def _want_that_was_accepted(lines: Sequence[Line], chance: Random) -> Mutant | None:
    """What an accepted offer wanted was something else: the deal does not fill it."""
    version = chance.choice(versions(lines, TradeCompleted) or [1])
    _, deal = lines[version - 1]
    if not isinstance(deal, TradeCompleted):
        return None
    place = next(at for at in versions(lines, TradeOffered) if getattr(lines[at - 1][1], "offer", 0) == deal.offer)
    seat, offer = lines[place - 1]
    assert isinstance(offer, TradeOffered)
    want = dict(offer.want)
    bean = chance.choice(BEANS)
    want[bean] = want.get(bean, 0) + 1
    return Mutant(put(lines, place, seat, replace(offer, want=want)).lines, version, version)


def _end_twice(lines: Sequence[Line], chance: Random) -> Mutant:
    """Something comes after the end."""
    return insert(lines, len(lines) + 1, *chance.choice(lines))


MUTATORS: Final[dict[str, Mutator]] = {
    "a card of another kind is dealt": altered(CardsDealt, _card_of_another_kind("cards")),
    "a card of another kind is drawn": altered(CardsDrawn, _card_of_another_kind("cards")),
    "a card of another kind is revealed": altered(CardsRevealed, _card_of_another_kind("cards")),
    "a card of another kind is planted": altered(BeanPlanted, lambda e, c: replace(e, bean=other_bean(e.bean, c))),
    "a card of another kind is offered": altered(TradeOffered, _card_of_another_kind("give")),
    "a card of another kind is given": altered(TradeCompleted, _card_of_another_kind("given")),
    "a card of another kind is taken": altered(TradeCompleted, _card_of_another_kind("taken")),
    "a card of another kind is kept": altered(TradingEnded, _card_of_another_kind("kept")),
    "a card of another kind pays for a field": altered(FieldBought, _card_of_another_kind("paid")),
    "a wrong number is dealt": altered(CardsDealt, _card_of_another_number("cards")),
    "a wrong number is drawn": altered(CardsDrawn, _card_of_another_number("cards")),
    "a wrong number is revealed": altered(CardsRevealed, _card_of_another_number("cards")),
    "a wrong number is planted": altered(BeanPlanted, _number("card", -500, 500)),
    "a wrong number is offered": altered(TradeOffered, _card_of_another_number("give", -500, 500)),
    "all numbers move on": numbers_moved_on,
    "a draw out of order": altered(CardsDrawn, _out_of_order("cards")),
    "a deal out of order": altered(CardsDealt, _out_of_order("cards")),
    "one card less is drawn": altered(CardsDrawn, _one_card_less("cards")),
    "one card less is revealed": altered(CardsRevealed, _one_card_less("cards")),
    "one card less is kept": altered(TradingEnded, _one_card_less("kept")),
    "one card less is given": altered(TradeCompleted, _one_card_less("given")),
    "one card less is taken": altered(TradeCompleted, _one_card_less("taken")),
    "a card is given twice": altered(TradeCompleted, _one_card_twice("given")),
    "a card is taken twice": altered(TradeCompleted, _one_card_twice("taken")),
    "a card is offered twice": altered(TradeOffered, _one_card_twice("give")),
    "a card is kept twice": altered(TradingEnded, _one_card_twice("kept")),
    "a coin too many or too few": altered(FieldHarvested, _coin_too_many),
    "a coin from nowhere": altered(FieldHarvested, _number("coins", 1, -1)),
    "a discard from nowhere": altered(FieldHarvested, _number("discarded", 1, -1)),
    "a wrong count is harvested": altered(FieldHarvested, _number("count", 1, -1)),
    "another kind is harvested": altered(FieldHarvested, lambda e, c: replace(e, bean=other_bean(e.bean, c))),
    "no such field is harvested": altered(FieldHarvested, _number("field", 3, -4)),
    "a final flag on a harvest, or none": altered(FieldHarvested, _toggled("final")),
    "a protected bean is harvested": protected_harvest,
    "an empty field is harvested": empty_harvest,
    "a purchase one coin short": purchase_one_coin_short,
    "a purchase pays one coin less": altered(FieldBought, _one_card_less("paid")),
    "a purchase at another price": altered(FieldBought, _number("price", -1, 1)),
    "a fourth field": purchase_of_a_fourth_field,
    "planted on another kind": planted_on_another_kind,
    "planted from behind": planted_from_behind,
    "a third planting": planted_a_third,
    "a reveal before the planting": revealed_too_early,
    "another source": altered(BeanPlanted, lambda e, c: replace(e, source=c.choice(["hand", "pending", "gift"]))),
    "an exhaustion counted wrong": altered(DeckExhausted, _number("exhaustion", -1, 1)),
    "an exhaustion final or not": altered(DeckExhausted, _toggled("final")),
    "a turn counted wrong": altered(TurnStarted, _number("turn", -1, 1)),
    "a number of seats": altered(GameStarted, _number("seats", -1, 1)),
    "a wrong number of a shuffle": altered(DeckShuffled, _number("shuffle", -1, 1)),
    "a wrong size of a shuffle": altered(DeckShuffled, _number("size", -1, 1)),
    "a shuffle of other cards": altered(DeckShuffled, shuffle_of_other_cards),
    "a shuffle without its order": altered(DeckShuffled, lambda e, _: replace(e, beans=None)),
    "a shuffle altered": shuffle_altered,
    "a wrong row of the ranking": altered(GameEnded, _row),
    "a ranking out of order": altered(GameEnded, _rows_exchanged),
    "wrong winners": altered(GameEnded, _winners),
    "another seed": altered(GameEnded, _hexadecimal("seed")),
    "an event is missing": missing,
    "an event is missing that must follow": missing_at_once,
    "an offer is missing": missing_offer,
    "an event is doubled": doubled,
    "a consequence comes before its cause": before_its_cause,
    "a consequence comes late": moved_away,
    "something comes after the end": _end_twice,
    "somebody else acted": wrong_actor,
    "another seat": wrong_seat,
    "one void too many": another_void,
    "voids out of order": voids_out_of_order,
    "another offer is voided": altered(OfferVoided, _number("offer", -1, 1)),
    "another reason of a void": altered(
        OfferVoided, lambda e, _: replace(e, reason="card_moved" if e.reason != "card_moved" else "rejected_by_all")
    ),
    "a wrong number of an offer": altered(TradeOffered, _number("offer", -1, 1)),
    "an offer by somebody else": altered(TradeOffered, _number("author", -1, 1)),
    "an offer to nobody at the table": altered(TradeOffered, lambda e, c: replace(e, to=c.choice([-1, 9, e.author]))),
    "an offer for nothing": altered(TradeOffered, lambda e, _: replace(e, give=[], want={}, want_cards=[])),
    "an offer wants less than one": altered(TradeOffered, lambda e, c: replace(e, want={c.choice(BEANS): 0})),
    "an offer wants a card that is not face up": altered(TradeOffered, lambda e, _: replace(e, want_cards=[10**6])),
    "an offer answers what was not turned down": altered(TradeOffered, lambda e, _: replace(e, answers=e.offer)),
    "a rejection by another": altered(OfferRejected, _number("seat", -1, 1)),
    "an own offer is rejected": rejected_unasked,
    "a deal of a closed offer": withdrawn_twice,
    "a deal of another offer": altered(TradeCompleted, _number("offer", -1000, 1000)),
    "a deal of another author": altered(TradeCompleted, _number("author", -1, 1)),
    "a deal with another": altered(TradeCompleted, _number("to", -1, 1)),
    "a deal that does not fill the want": _want_that_was_accepted,
    "another edition": altered(GameCreated, lambda e, _: replace(e, ruleset="no such edition")),
    "another number of the rules": altered(GameCreated, _number("rules_version", 1, -1)),
    "another number of seats": altered(GameCreated, _number("seats", 7, -7)),
}
