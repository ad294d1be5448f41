"""The end of a game and the field beans, written by hand after the rules, sections 2, 7 and 10a."""

import hashlib

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.events import FieldHarvested, GameEnded, Rank, TradingEnded
from domain.referee.ending import ranking
from tests.domain.referee.laid_out import Laid, laid, sold

SEED = bytes(32)
ENDED = (0, TradingEnded(0, []))


def last_turn(ruleset: str = "classic", **more: str) -> Laid:
    """Trading after the final exhaustion. Seats 0 and 1 have fields, seat 2 starts."""
    table = laid(
        ruleset,
        phase="trade",
        deck="",
        exhaustions=3,
        final=True,
        fields={0: more.get("first", ""), 1: more.get("second", "")},
        hands={0: more.get("hand", "")},
        start=2,
    )
    table.top.commitment = hashlib.sha256(SEED).hexdigest()
    return table


def final(seat: int, field: int, count: int, coins: int) -> tuple[int, FieldHarvested]:
    return 0, FieldHarvested(seat, field, "red", count, coins, count - coins, final=True)


def result(*rows: Rank, winners: list[int], seed: str = SEED.hex()) -> tuple[int, GameEnded]:
    return 0, GameEnded("deck_exhausted", [*rows], winners, seed)


FIVE = "red:1,red:2,red:3,red:4,red:5"


def test_76_every_field_is_harvested_from_the_starting_seat_on() -> None:
    first, second = final(0, 0, 5, 4), final(1, 1, 1, 0)
    rows = [Rank(0, 4, 1, 1), Rank(1, 0, 0, 2), Rank(2, 0, 0, 2), Rank(3, 0, 0, 2)]
    fields = {"first": FIVE, "second": "empty | red:6", "hand": "soy:7"}
    end = result(*rows, winners=[0])
    assert last_turn(**fields).says(ENDED, first, second, end) == "fine"
    assert last_turn(**fields).says(ENDED, second, first) == "2: wrong_harvest"
    assert last_turn(**fields).says(ENDED, first, end) == "3: must_follow"
    assert last_turn(**fields).says(ENDED, final(0, 0, 5, 3)) == "2: wrong_payout"
    discarded = (0, FieldHarvested(0, 0, "red", 5, 4, 0, final=True))
    assert last_turn(**fields).says(ENDED, discarded) == "2: wrong_payout"
    assert last_turn(**fields).says(ENDED, first, second, result(*rows[::-1], winners=[0])) == "4: wrong_ranking"
    assert last_turn(**fields).says(ENDED, first, second, result(*rows, winners=[0, 1])) == "4: wrong_ranking"
    assert last_turn(**fields).says(ENDED, first, second, result(*rows[:3], winners=[0])) == "4: wrong_ranking"
    assert last_turn(**fields).says(ENDED, first, second, result(*rows, rows[3], winners=[0])) == "4: wrong_ranking"
    other = result(*rows, winners=[0], seed=bytes(31 * [0] + [1]).hex())
    assert last_turn(**fields).says(ENDED, first, second, other) == "4: wrong_seed"
    bored = (0, replace(end[1], reason="bored"))
    assert last_turn(**fields).says(ENDED, first, second, bored) == "4: wrong_ranking"
    after = sold(0, 0, "red", 1, 0)
    assert last_turn(**fields).says(ENDED, first, second, end, after) == "5: after_the_end"


@pytest.mark.parametrize(
    ("ruleset", "hands", "coins", "start", "ranks"),
    [
        # 77: coins equal, hands 4 and 2: the hand of 4 wins; coins and hands equal: both win.
        ("classic", [4, 2, 0, 0], [3, 3, 0, 0], 0, [1, 2, 3, 3]),
        ("classic", [2, 2, 5, 0], [3, 3, 1, 0], 0, [1, 1, 3, 4]),
        # 79: nobody has coins: the hands decide.
        ("classic", [0, 2, 1, 2], [0, 0, 0, 0], 0, [4, 1, 3, 1]),
        # 78: seats 0, 1, 3 tied, starting seat 1 of 4: distances 3, 0, 2: seat 0 wins.
        ("amigo_2023", [0, 9, 0, 0], [5, 5, 0, 5], 1, [1, 3, 4, 2]),
        ("boonanza", [4, 2, 0, 0], [3, 3, 0, 0], 0, [1, 1, 3, 3]),
        ("amigo_classic", [4, 2, 0, 0], [3, 3, 0, 0], 0, [1, 1, 3, 3]),
    ],
)
def test_77_78_79_tie_breaks(ruleset: str, hands: list[int], coins: list[int], start: int, ranks: list[int]) -> None:
    held = {
        seat: " ".join(f"wax:{100 * seat + number}" for number in range(1, size + 1)) for seat, size in enumerate(hands)
    }
    top = laid(ruleset, hands=held, start=start).top
    rows = ranking(top, coins)
    assert {row.seat: row.rank for row in rows} == dict(enumerate(ranks))
    assert [row.rank for row in rows] == sorted(ranks)
    assert {row.seat: (row.coins, row.hand_size) for row in rows} == {
        seat: (coins[seat], hands[seat]) for seat in range(4)
    }


class TestFieldBeans:
    def test_two_are_a_field_instead_of_coins(self) -> None:
        table = laid("field_beans", fields={1: "field_bean:1,field_bean:2 | empty"})
        assert table.says(sold(1, 0, "field_bean", 2, 0)) == "fine"
        assert len(table.top.places[1].plots) == 3
        assert table.top.discard == ["field_bean", "field_bean"]

    def test_but_no_fourth_field(self) -> None:
        table = laid("field_beans", fields={1: "field_bean:1,field_bean:2 | empty | empty"})
        assert table.says(sold(1, 0, "field_bean", 2, 0)) == "fine"
        assert len(table.top.places[1].plots) == 3

    def test_three_are_three_coins_and_no_field(self) -> None:
        table = laid("field_beans", fields={1: "field_bean:1,field_bean:2,field_bean:3"})
        assert table.says(sold(1, 0, "field_bean", 3, 3)) == "fine"
        assert len(table.top.places[1].plots) == 2
        assert table.top.places[1].coins == [Card(number, "field_bean") for number in (1, 2, 3)]

    def test_one_is_nothing(self) -> None:
        table = laid("field_beans", fields={1: "field_bean:1"})
        assert table.says(sold(1, 0, "field_bean", 1, 0)) == "fine"
        assert len(table.top.places[1].plots) == 2
