"""Along a recording: any table, the neighbouring turns and deals, and how long was thought."""

from domain.events import TradeCompleted, TurnStarted
from domain.evolve import evolve, initial
from domain.views import whole_view
from services.screen.timeline import STRIDE, Timeline, following, preceding
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


def test_turns_and_deals_are_where_their_events_are() -> None:
    timeline = golden("classic-4")
    events = [entry.event for entry in timeline.entries]
    assert [events[version - 1] for version in timeline.turns] == [e for e in events if isinstance(e, TurnStarted)]
    assert [events[version - 1] for version in timeline.deals] == [e for e in events if isinstance(e, TradeCompleted)]
    for version in range(1, timeline.last + 1):
        assert timeline.turn(version) == timeline.state(version).turn


def test_the_neighbours_of_a_version() -> None:
    assert [following([3, 7], version) for version in (1, 3, 6, 7)] == [3, 7, 7, None]
    assert [preceding([3, 7], version) for version in (3, 4, 7, 9)] == [None, 3, 3, 7]
    assert following([], 1) is None
    assert preceding([], 1) is None


def test_thinking_is_the_time_since_the_event_before_in_whole_milliseconds() -> None:
    events = Game(4).history
    timeline = Timeline(recorded(events, seconds=[5, 1.2349, 0, -3]))
    assert [timeline.thinking_ms(version) for version in range(1, 5)] == [None, 1234, 0, 0]
