"""A game to which anything may be done: whatever happens is taken in by everybody who follows it, and what must hold
afterwards is checked here."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec
from hypothesis import event as note

from domain import lobby
from domain.actions import actions
from domain.commands import Command
from domain.decide import decide
from domain.events import Event, encode_event
from domain.evolve import evolve, fold, initial
from domain.redaction import redact
from domain.refusal import REFUSAL_CODES, Refused
from domain.state import State, copy_of
from tests.domain.alternatives import alternative, answer, seen_by
from tests.domain.editions import Setup
from tests.domain.going_on import check_that_it_goes_on
from tests.domain.listing import is_listed
from tests.domain.scenario import content
from tests.domain.wire_commands import Body
from tests.domain.witness import Witness

GAME: Final = "a-game"

_read_command = msgspec.json.Decoder(Command).decode


class TriedGame:
    """One game, who follows it, and what was come across (`reached`)."""

    def __init__(self, setup: Setup, seed: int, start_when_full: bool, reached: Counter[str]) -> None:
        self.setup = setup
        self.seed = seed.to_bytes(32, "big")
        self.reached = reached
        self.state: State = initial(GAME)
        self.witness = Witness(GAME, setup.players, self.seed)
        self.last: tuple[int, Command] | None = None
        """The command that was sent last, and by whom."""
        self.guests = 0
        self.sound = True
        """Nothing was tried since the last check."""
        created = lobby.create(
            ruleset=setup.ruleset,
            seats=setup.players,
            visibility="public",
            options=msgspec.structs.replace(setup.options, start_when_full=start_when_full),
            host="the-host",
            seed=self.seed,
            nonce="the host's",
        )
        self.happen(0, created)

    def sit_down(self) -> None:
        """A guest takes the first free seat, if there is one."""
        full = all(seat.player is not None for seat in self.state.seats)
        try:
            seat = lobby.free_seat(self.state)
        except Refused:
            assert full
            self.count("refused: game_full")
            return
        assert not full
        self.guests += 1
        self.happen(seat, lobby.join(self.state, seat, f"guest-{self.guests}", f"nonce {self.guests}", self.seed))

    def leave(self, seat: int) -> None:
        """Whoever sits there gets up: possible before the start, and only then."""
        is_open = self.state.status == "open"
        left = self.attempt(seat, lambda: lobby.leave(self.state, seat, self.seed))
        assert (left is not None) == is_open
        if left is not None:
            self.count("left: the host" if self.state.status == "abandoned" else "left: a guest")

    def start(self) -> None:
        """The host starts the game: possible once, with every seat taken."""
        full = all(seat.player is not None for seat in self.state.seats)
        is_open = self.state.status == "open"
        started = self.attempt(0, lambda: lobby.start(self.state, self.seed))
        assert (started is not None) == (is_open and full)

    def deliver(self, seat: int, body: Body) -> None:
        """Over the wire, where some of it ends."""
        try:
            command = _read_command(msgspec.json.encode(body))
        except msgspec.ValidationError:
            self.count("malformed")
            return
        self.send(seat, command)

    def send(self, seat: int, command: Command) -> bool:
        """Accepted if it is listed, and only then."""
        self.last = seat, command
        listed = is_listed(actions(self.state, seat), command)
        events = self.attempt(seat, lambda: decide(self.state, seat, command, self.seed))
        assert (events is not None) == listed, f"seat {seat}, {command}"
        return events is not None

    def attempt(self, seat: int, decision: Callable[[], list[Event]]) -> list[Event] | None:
        """What was decided, after it has happened; None where it is refused."""
        self.sound = False
        before = content(self.state)
        decided = outcome(decision)
        if isinstance(decided, Refused):
            assert content(self.state) == before, "a refused command has changed the game"
            assert decided.code in REFUSAL_CODES
            assert decided.detail
            self.count(f"refused: {decided.code}")
            return None
        assert content(self.state) == before, "deciding has changed the game"
        assert decided, "accepted, and nothing happened"
        assert decided == decision(), "decided twice, two answers"
        assert not self.state.is_over, "accepted after the end"
        self.happen(seat, decided)
        return decided

    def move(self, seat: int, command: Command) -> None:
        """One of many legal moves."""
        self.happen(seat, decide(self.state, seat, command, self.seed))

    def happen(self, seat: int, events: list[Event]) -> None:
        """The events are taken in by everybody."""
        self.sound = False
        for event in events:
            evolve(self.state, event)
            self.witness.see(seat, event)
            tag = str(event.__struct_config__.tag)
            self.reached[f"happened: {tag}"] += 1
        if self.state.phase is not None:
            self.reached[f"phase: {self.state.table.turn} {self.state.phase}"] += 1
            self.reached[f"exhaustions: {self.state.exhaustions}"] += 1

    def check(self, step: int) -> None:
        """What holds between two commands."""
        self.sound = False
        self.witness.compare(self.state)
        if self.state.status == "open":
            assert not any(actions(self.state, seat) for seat in range(self.setup.players))
        else:
            check_that_it_goes_on(self.state, self.seed)
        if self.state.status == "running":
            self._check_that_nothing_depends_on_what_is_hidden(step)
        self.sound = True

    def close(self) -> None:
        """Nobody does anything to it any more. What is known to be broken is not looked at again."""
        if self.sound:
            self.witness.close(self.state)

    def _check_that_nothing_depends_on_what_is_hidden(self, step: int) -> None:
        """Another game that one viewer cannot tell from this one: a different viewer after each step."""
        viewer = self.witness.viewers[step % len(self.witness.viewers)]
        other = alternative(self.witness.history, viewer, Random(step))
        told = [encode_event(redact(event, viewer)) for event in other]
        assert told == self.witness.told[viewer], "an event depends on what is hidden"
        twin = fold(GAME, other)
        assert seen_by(twin, viewer) == seen_by(self.state, viewer), "a view depends on what is hidden"
        if content(twin) != content(self.state):
            self.count("twins that differ")
        if viewer is None:
            return
        listed = msgspec.json.encode(actions(self.state, viewer))
        assert msgspec.json.encode(actions(twin, viewer)) == listed, "a list depends on what is hidden"
        if self.last is not None:
            _, command = self.last
            told = answer(copy_of(self.state), viewer, command, self.seed)
            assert answer(twin, viewer, command, self.seed) == told, "an answer depends on what is hidden"

    def count(self, what: str) -> None:
        """For the statistics of Hypothesis, and for the test that asks how far the runs have come."""
        self.reached[what] += 1
        note(what)


def outcome(decision: Callable[[], list[Event]]) -> list[Event] | Refused:
    """What follows, or why nothing does."""
    try:
        return decision()
    except Refused as refusal:
        return refusal
