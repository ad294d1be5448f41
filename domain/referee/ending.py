"""The last harvest, the ranking and the seed (rules, section 10a)."""

from domain.beans import Bean
from domain.events import FieldHarvested, GameEnded, Rank
from domain.referee.editions import pays
from domain.referee.fault import Wrong, told
from domain.referee.seed import check_seed
from domain.referee.tabletop import Follows, Tabletop


def end_of_game(top: Tabletop) -> Follows:
    """Seats from the starting one, fields in order, then the result. Nothing happens afterwards."""
    players = len(top.places)
    coins = [len(place.coins) for place in top.places]
    for step in range(players):
        seat = (top.start_seat + step) % players
        for index, plot in enumerate(top.places[seat].plots):
            if plot.bean is not None:
                last = _last_harvest(seat, index, plot.bean, len(plot.cards))
                yield last
                coins[seat] += last.coins
    event = yield GameEnded
    if not isinstance(event, GameEnded):
        raise Wrong("must_follow", "The result must follow.")
    check_seed(top, event.seed)
    if event.reason != "deck_exhausted":
        raise Wrong("wrong_ranking", f"The game ended by exhaustion, not by {event.reason}.")
    rows = ranking(top, coins)
    if event.ranking != rows:
        wrong = next((row for row, said in zip(rows, event.ranking, strict=False) if row != said), None)
        raise Wrong("wrong_ranking", f"The ranking is not what coins and hands give; {told(wrong)} should stand there.")
    winners = sorted(row.seat for row in rows if row.rank == 1)
    if event.winners != winners:
        raise Wrong("wrong_ranking", f"The winners are {winners}, not {event.winners}.")
    top.phase = "over"


def ranking(top: Tabletop, coins: list[int]) -> list[Rank]:
    """One row a seat, the best first; what the tie-break does not tell apart shares a rank, in order of seats."""
    score = [(coins[seat], _tie_break(top, seat)) for seat in range(len(coins))]
    rows = [
        Rank(seat, coins[seat], len(top.places[seat].hand), 1 + sum(other > score[seat] for other in score))
        for seat in range(len(coins))
    ]
    return sorted(rows, key=lambda row: (row.rank, row.seat))


def _tie_break(top: Tabletop, seat: int) -> int:
    match top.edition.tie_break:
        case "hand":
            return len(top.places[seat].hand)
        case "clockwise":
            return (seat - top.start_seat) % len(top.places)
        case "shared":
            return 0


def _last_harvest(seat: int, index: int, bean: Bean, count: int) -> FieldHarvested:
    coins = pays(bean, count)
    return FieldHarvested(seat, index, bean, count, coins, count - coins, final=True)
