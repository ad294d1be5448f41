"""The list of events: a line each, in columns, as far as the viewer may know them."""

import re

from services.screen.lines import lines
from tests.services.screen.recordings import golden


def test_every_event_is_a_line() -> None:
    timeline = golden("classic-3")
    told = list(lines(timeline, "all"))
    assert len(told) == timeline.last == 548
    form = re.compile(
        r" *\d+  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z  turn +\d+  (seat \d|server)  [a-z_]+ +[A-Z].*[.…]"
    )
    assert [line for line in told if not form.fullmatch(line)] == []
    assert told[6] == (
        "  7  2026-01-01T00:00:06.250000Z  turn  0  seat 2  game_started      "
        "The game starts with 3 players; seat 0 begins."
    )


def test_a_seat_reads_its_own_cards_only() -> None:
    dealt = [
        line.partition("cards_dealt")[2].strip() for line in lines(golden("classic-3"), 1) if "cards_dealt" in line
    ]
    assert [line.partition(":")[0].rstrip(".") for line in dealt] == [
        f"Seat {seat} is dealt 5 cards" for seat in range(3)
    ]
    assert [":" in line for line in dealt] == [False, True, False]
