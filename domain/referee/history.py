"""A whole history at once: its lines, or its stored records."""

from collections.abc import Iterable, Sequence

from domain.events import Event, GameAbandoned, GameEnded, UnknownShape, decode_event
from domain.history import Record
from domain.referee.fault import Fault
from domain.referee.referee import Referee

Line = tuple[int | None, Event]
"""Who acted (None: the server), and the event."""


def judge(game: str, lines: Iterable[Line], *, seed: bytes | None = None, running: bool = False) -> Fault | None:
    """The first thing that is wrong with a history from its first event on, or None.

    `seed` as in Referee. `running`: the history may stop after any command. Reads no further than the fault.
    """
    return _judge(Referee(game, seed=seed), lines, running=running)


def judge_events(
    game: str, events: Iterable[Event], *, seed: bytes | None = None, running: bool = False
) -> Fault | None:
    """The same for a history that does not say who acted, such as the API's list of events gives."""
    referee = Referee(game, seed=seed, actors_told=False)
    return _judge(referee, ((None, event) for event in events), running=running)


def judge_records(
    game: str, records: Iterable[Record], *, seed: bytes | None = None, running: bool = False
) -> Fault | None:
    """The same for records; their hashes are not looked at. Bytes that are no event are a fault."""
    referee = Referee(game, seed=seed)
    for record in records:
        try:
            event = decode_event(record.payload)
        except UnknownShape as error:
            return Fault(record.version, "malformed", f"The payload is no event: {error}")
        fault = referee.check(record.version, record.seat, event)
        if fault is not None:
            return fault
    return referee.finish(running=running)


def _judge(referee: Referee, lines: Iterable[Line], *, running: bool) -> Fault | None:
    for version, (seat, event) in enumerate(lines, 1):
        fault = referee.check(version, seat, event)
        if fault is not None:
            return fault
    return referee.finish(running=running)


def revealed_seed(events: Sequence[Event]) -> bytes | None:
    """The seed that the last event of an ended game reveals, to be given to Referee; None if there is none."""
    last = events[-1] if events else None
    if not isinstance(last, GameEnded | GameAbandoned):
        return None
    try:
        return bytes.fromhex(last.seed)
    except ValueError:
        return None
