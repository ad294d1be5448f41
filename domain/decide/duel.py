"""The game for two: gifts, planting and discarding, the reveal with its sweep, and what is left to the opponent
(rules, section 10)."""

from typing import assert_never

from domain.cards import Card
from domain.commands import (
    Accept,
    BuyField,
    Command,
    Discard,
    EndTrading,
    EndTurn,
    Harvest,
    Offer,
    Plant,
    Reject,
    Reveal,
    Withdraw,
)
from domain.decide.harvesting import buy_field, harvest
from domain.decide.planting import bean_of, plant_from_hand, planted
from domain.decide.turn import finish_turn, revealed
from domain.events import CardDiscarded, CardsRevealed, CardsSwept, Event, GiftsLeft
from domain.refusal import Refused
from domain.state import State


def decide_in_duel(state: State, seat: int, command: Command, seed: bytes) -> list[Event]:
    """What happens when that seat asks for that command. Raises Refused."""
    match command:
        case Offer() | Accept() | Reject() | Withdraw() | EndTrading():
            raise Refused("wrong_phase", "The game for two has no trading: what you do not plant is your offer.")
        case Harvest():
            return harvest(state, seat, command)
        case BuyField():
            return buy_field(state, seat)
        case Plant() | Discard() | Reveal() | EndTurn():
            if seat != state.active:
                raise Refused("not_your_turn", f"It is the turn of seat {state.active}.")
            return _in_own_turn(state, seat, command, seed)
        case _:
            assert_never(command)


def _in_own_turn(state: State, seat: int, command: Plant | Discard | Reveal | EndTurn, seed: bytes) -> list[Event]:
    match command:
        case Plant():
            return [_plant(state, seat, command)]
        case Discard():
            return [_discard(state, seat, command)]
        case Reveal():
            return _reveal(state, seat, seed)
        case EndTurn():
            return _end_turn(state, seat, seed)
        case _:
            assert_never(command)


def _plant(state: State, seat: int, command: Plant) -> Event:
    owner = state.seats[seat]
    if state.phase == "gifts":
        bean = bean_of(state.gifts, command.card, "among the offered cards; they come first")
        return planted(owner, seat, command, bean, "gift")
    if state.phase == "keep":
        bean = bean_of(state.face_up, command.card, "among the revealed cards")
        return planted(owner, seat, command, bean, "face_up")
    if state.discarded:
        raise Refused("wrong_phase", "Your discard has ended the planting; go on with reveal.")
    return plant_from_hand(state, seat, owner, command)


def _discard(state: State, seat: int, command: Discard) -> Event:
    """Step 1: an offered card. Step 2: one card from anywhere in the hand, after the planting."""
    hand = state.seats[seat].hand
    if state.phase == "gifts":
        bean = bean_of(state.gifts, command.card, "among the offered cards; they come first")
    elif state.phase != "plant" or state.discarded:
        raise Refused("wrong_phase", "One card of the hand may be discarded in a turn, between planting and reveal.")
    elif state.planted == 0 and hand:
        raise Refused("must_plant_first", "Plant the front card of your hand before you discard another.")
    else:
        bean = bean_of(hand, command.card, "in your hand")
    return CardDiscarded(seat, command.card, bean)


def _reveal(state: State, seat: int, seed: bytes) -> list[Event]:
    """The top cards of the deck; then, once, what lies on top of the discard pile and is of their kinds."""
    if state.phase == "gifts":
        raise Refused("wrong_phase", "Plant or discard every offered card first.")
    events = revealed(state, seat, seed)
    cards = [card for event in events if isinstance(event, CardsRevealed) for card in event.cards]
    kinds = {card.bean for card in cards}
    swept: list[Card] = []
    for bean in reversed(state.discard):
        if bean not in kinds:
            break
        swept.append(Card(state.next_card + len(cards) + len(swept), bean))
    if swept:
        events.append(CardsSwept(seat, swept))
    return events


def _end_turn(state: State, seat: int, seed: bytes) -> list[Event]:
    if state.phase != "keep":
        raise Refused("wrong_phase", "A turn ends after the reveal.")
    left = GiftsLeft(seat, [Card(number, bean) for number, bean in state.face_up.items()])
    return [left, *finish_turn(state, seed, [left])]
