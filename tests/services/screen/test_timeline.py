"""Along a recording: any table, the turns and trades, and how long was thought."""

from domain.events import TradeCompleted, TurnStarted
from domain.evolve import evolve, initial
from domain.views import whole_view
from services.screen.timeline import STRIDE, Timeline
from tests.domain.play import Game
from tests.services.screen.recordings import golden, recorded


def test_the_table_of_every_version_is_what_the_events_add_up_to() -> None:
    timeline = golden("classic-4")
    state = initial(timeline.game)
    assert timeline.last > 3 * STRIDE
    for entry in timeline.entries:
        evolve(state, entry.event)
        assert whole_view(timeline.state(entry.version)) == whole_view(state)


def test_a_table_that_was_given_out_can_be_changed_without_harm() -> None:
    timeline = golden("classic-4")
    before = whole_view(timeline.state(STRIDE))
    for version in (STRIDE, STRIDE + 1):
        taken = timeline.state(version)
        taken.seats[0].hand.clear()
        taken.deck.clear()
    assert whole_view(timeline.state(STRIDE)) == before


def test_turns_and_trades_are_where_their_events_are() -> None:
    timeline = golden("classic-4")
    events = [entry.event for entry in timeline.entries]
    assert [events[version - 1] for version in timeline.turns] == [e for e in events if isinstance(e, TurnStarted)]
    assert [events[version - 1] for version in timeline.trades] == [e for e in events if isinstance(e, TradeCompleted)]
    for version in range(1, timeline.last + 1):
        assert timeline.turn(version) == timeline.state(version).turn


def test_thinking_is_the_time_since_the_event_before_in_whole_milliseconds() -> None:
    events = Game(4).history
    timeline = Timeline(recorded(events, seconds=[5, 1.2349, 0, 3]))
    assert [timeline.thinking_ms(version) for version in range(1, 5)] == [None, 1234, 0, 3000]
