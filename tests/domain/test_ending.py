"""The end of the game: edge cases 76 to 79 of the rules, section 12, and the order of its events."""

import pytest

from domain.commands import EndTrading
from domain.events import Event, FieldHarvested, GameEnded, Rank, TradingEnded
from tests.domain.scenario import SEED, At, given


def ended(seats: dict[int, At], *, start: int = 0, ruleset: str = "classic", players: int = 4) -> list[Event]:
    """What follows when the last trading ends."""
    game = given(
        seats, players=players, ruleset=ruleset, phase="trade", start=start, deck="", exhaustions=3, final=True
    )
    hands = [seat.hand for seat in game.state.seats]
    trading_ended, *events = game.when(0, EndTrading()).legal()
    assert trading_ended == TradingEnded(0, [])
    assert game.state.status == "ended"
    assert game.state.phase is None
    assert game.state.active is None
    assert [seat.hand for seat in game.state.seats] == hands
    assert all(field.bean is None for seat in game.state.seats for field in seat.fields)
    return events


def ranking(seats: dict[int, At], *, start: int = 0, ruleset: str = "classic") -> GameEnded:
    last = ended(seats, start=start, ruleset=ruleset)[-1]
    assert isinstance(last, GameEnded)
    return last


def test_76_the_last_harvest_knows_no_protection() -> None:
    """Final harvest: fields [blue x1 | red x5] give 0 + 4; all fields empty afterwards; hands untouched."""
    *harvests, last = ended({0: At(fields="blue x1 | red x5", hand="wax:1 soy:2")})
    assert harvests == [
        FieldHarvested(0, 0, "blue", count=1, coins=0, discarded=1, final=True),
        FieldHarvested(0, 1, "red", count=5, coins=4, discarded=1, final=True),
    ]
    assert isinstance(last, GameEnded)
    assert last.ranking[0] == Rank(0, coins=4, hand_size=2, rank=1)


def test_76_the_last_harvest_goes_clockwise_from_the_starting_player() -> None:
    """Every remaining field, seats from `start_seat`, fields in order; then `game_ended`."""
    *harvests, last = ended(
        {
            0: At(fields="blue x4 | soy x2"),
            1: At(fields="empty | red x2"),
            2: At(fields="stink x3 | empty | green x3"),
            3: At(fields="chili x3 | empty"),
        },
        start=2,
    )
    places = [(harvest.seat, harvest.field) for harvest in harvests if isinstance(harvest, FieldHarvested)]
    assert places == [(2, 0), (2, 2), (3, 0), (0, 0), (0, 1), (1, 1)]
    assert isinstance(last, GameEnded)


def test_77_among_equals_the_larger_hand_wins() -> None:
    """Coins equal, hands 4 and 2: the hand of 4 wins."""
    last = ranking(
        {
            0: At(coins="red x3", hand="wax x2"),
            1: At(coins="soy x3", hand="wax x4"),
            2: At(coins="green x2", hand="blue x9"),
        }
    )
    assert last.ranking == [Rank(1, 3, 4, 1), Rank(0, 3, 2, 2), Rank(2, 2, 9, 3), Rank(3, 0, 0, 4)]
    assert last.winners == [1]


def test_77_full_equals_win_together() -> None:
    """Coins and hands equal: both win, same rank."""
    last = ranking({1: At(coins="red x3", hand="wax x2"), 3: At(coins="soy x3", hand="blue x2"), 0: At(coins="green")})
    assert last.winners == [1, 3]
    assert {row.seat: row.rank for row in last.ranking} == {1: 1, 3: 1, 0: 3, 2: 4}
    assert [row.seat for row in last.ranking] == [1, 3, 0, 2]


@pytest.mark.parametrize("ruleset", ["amigo_2023", "new_beans", "field_beans"])
def test_78_the_seat_farthest_clockwise_wins(ruleset: str) -> None:
    """`amigo_2023`: seats 0, 1, 3 tied, starting seat 1 of 4: distances 3, 0, 2: seat 0 wins."""
    last = ranking(
        {0: At(coins="red x2"), 1: At(coins="soy x2", hand="blue x5"), 3: At(coins="green x2", hand="blue x2")},
        start=1,
        ruleset=ruleset,
    )
    assert last.winners == [0]
    assert [(row.seat, row.rank) for row in last.ranking] == [(0, 1), (3, 2), (1, 3), (2, 4)]


@pytest.mark.parametrize("ruleset", ["boonanza", "amigo_classic"])
def test_78_elsewhere_the_victory_is_shared(ruleset: str) -> None:
    """`amigo_classic`: no rule, shared."""
    last = ranking({0: At(coins="red x2", hand="blue x5"), 1: At(coins="soy x2")}, ruleset=ruleset)
    assert last.winners == [0, 1]
    assert [(row.seat, row.rank) for row in last.ranking] == [(0, 1), (1, 1), (2, 3), (3, 3)]


def test_79_when_nobody_has_coins_the_hands_decide() -> None:
    """Nobody has coins: all zero, tie-break by hand."""
    last = ranking({0: At(hand="wax x2"), 2: At(hand="blue x3"), 3: At(hand="soy x2")})
    assert last.ranking == [Rank(2, 0, 3, 1), Rank(0, 0, 2, 2), Rank(3, 0, 2, 2), Rank(1, 0, 0, 4)]
    assert last.winners == [2]


def test_the_end_reveals_the_seed_and_says_why() -> None:
    last = ranking({})
    assert last.seed == SEED.hex()
    assert last.reason == "deck_exhausted"
    assert last.winners == [0, 1, 2, 3]


def test_the_coins_of_the_last_harvest_count() -> None:
    last = ranking({0: At(coins="red x3"), 1: At(coins="soy", fields="blue x10 | garden x2")})
    assert {row.seat: row.coins for row in last.ranking} == {0: 3, 1: 1 + 4 + 2, 2: 0, 3: 0}
