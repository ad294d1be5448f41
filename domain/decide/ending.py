"""The end of the game: the last harvest and the ranking (rules, section 10a)."""

from domain.beans import payout
from domain.decide.harvesting import harvested
from domain.events import Event, GameEnded, Rank
from domain.state import State


def final_scoring(state: State, seed: bytes) -> list[Event]:
    """Every field is harvested, seats clockwise from the starting player; then the ranking."""
    events: list[Event] = []
    count = len(state.seats)
    coins = [len(owner.coins) for owner in state.seats]
    for step in range(count):
        seat = (state.start_seat + step) % count
        owner = state.seats[seat]
        for index, field in enumerate(owner.fields):
            if field.bean is not None:
                events.append(harvested(owner, seat, index, final=True))
                coins[seat] += payout(field.bean, len(field.cards))
    ranking = _ranking(state, coins)
    winners = sorted(row.seat for row in ranking if row.rank == 1)
    events.append(GameEnded("deck_exhausted", ranking, winners, seed.hex()))
    return events


def _ranking(state: State, coins: list[int]) -> list[Rank]:
    """Best first. Rows that nothing tells apart share a rank and stand in order of their seats."""
    keys = [(coins[seat], _tie_break(state, seat)) for seat in range(len(state.seats))]
    return [
        Rank(
            seat,
            coins[seat],
            len(state.seats[seat].hand),
            1 + sum(other > keys[seat] for other in keys),
        )
        for seat in sorted(range(len(keys)), key=lambda seat: (keys[seat], -seat), reverse=True)
    ]


def _tie_break(state: State, seat: int) -> int:
    """The larger number wins among players with equal coins."""
    match state.edition.tie_break:
        case "hand_size":
            return len(state.seats[seat].hand)
        case "farthest_clockwise":
            return (seat - state.start_seat) % len(state.seats)
        case "shared":
            return 0
