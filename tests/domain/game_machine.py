"""One game at the mercy of Hypothesis: people who come and go, play by the list, meddle, repeat themselves, act on
what is long past, or send nonsense. After every step everything is checked that must hold of any game."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import to_builtins

from domain.actions import actions
from domain.commands import Accept, Command, Harvest, Offer, Plant
from domain.decide import decide
from domain.state import State, copy_of
from tests.domain.editions import SETUPS, Setup
from tests.domain.random_play import legal_commands
from tests.domain.tried_game import TriedGame
from tests.domain.wire_commands import bodies, chosen, spoilt

MOST_MOVES: Final = 4000
"""More than any game by chance has: nothing is waited for any longer."""

draws = st.data()
seeds = st.integers(0, 2**32 - 1)


class GameMachine(RuleBasedStateMachine):
    """The rules are in the sense of Hypothesis: what may be done next with the game."""

    setups: ClassVar[Sequence[Setup]] = SETUPS
    """What may be played."""
    reached: ClassVar[Counter[str]] = Counter()
    """What the runs came across, so that a test can tell whether they came across enough."""
    game: TriedGame

    @initialize(
        draw=draws,
        seed=seeds,
        start_when_full=st.booleans(),
        seated=st.sampled_from(["the host", "all but one", "all", "all", "all"]),
        host_stays=st.sampled_from([True, True, True, False]),
    )
    def set_up(self, draw: st.DataObject, seed: int, start_when_full: bool, seated: str, host_stays: bool) -> None:
        setup = draw.draw(st.sampled_from(self.setups))
        self.game = TriedGame(setup, seed, start_when_full, self.reached)
        self.host_stays = host_stays
        self.steps = 0
        self.older: list[State] = []
        for _ in range({"the host": 0, "all but one": setup.players - 2, "all": setup.players - 1}[seated]):
            self.game.sit_down()
        if seated == "all" and not start_when_full:
            self.game.start()

    @property
    def state(self) -> State:
        return self.game.state

    # Before the first turn.

    @precondition(lambda self: self.state.status == "open")
    @rule()
    def sit_down(self) -> None:
        self.game.sit_down()

    @rule(draw=draws)
    def leave(self, draw: st.DataObject) -> None:
        """A guest, or the host, with whom the table goes: few games would begin if that were often."""
        taken = [index for index, seat in enumerate(self.state.seats) if seat.player is not None]
        may_leave = taken[1:] if self.host_stays and self.state.status == "open" else taken
        if may_leave:
            self.game.leave(draw.draw(st.sampled_from(may_leave)))

    @precondition(lambda self: self.state.status == "open")
    @rule()
    def fill_up(self) -> None:
        """Up to the one who comes too late, while the host tries to start again and again."""
        while self.state.status == "open":
            full = all(seat.player is not None for seat in self.state.seats)
            self.game.sit_down()
            if full or self.state.status == "open":
                self.game.start()

    @rule()
    def start(self) -> None:
        self.game.start()

    # The game.

    @precondition(lambda self: self.state.status == "running")
    @rule(draw=draws)
    def play_by_the_list(self, draw: st.DataObject) -> None:
        seat, command = self.listed(draw, self.state)
        assert self.game.send(seat, command), f"listed and refused: {command}"

    @precondition(lambda self: self.state.status == "running")
    @rule(moves=st.integers(1, 150), seed=seeds)
    def play_on(self, moves: int, seed: int) -> None:
        """Some legal moves by chance, so that a run comes further than its steps."""
        for _, (seat, command) in zip(range(moves), legal_commands(self.state, Random(seed)), strict=False):
            self.game.move(seat, command)

    @precondition(lambda self: self.state.status == "running")
    @rule(exhaustions=st.integers(0, 3), left=st.integers(0, 4), seed=seeds)
    def play_until_the_deck_is_low(self, exhaustions: int, left: int, seed: int) -> None:
        """To where the next draw matters: after so many exhaustions, or to the end if there are no more."""
        for moves, (seat, command) in enumerate(legal_commands(self.state, Random(seed))):
            assert moves < MOST_MOVES, "the deck is never drawn"
            self.game.move(seat, command)
            if self.state.exhaustions >= exhaustions and len(self.state.deck) <= left:
                break

    @precondition(lambda self: self.state.status == "running")
    @rule(draw=draws)
    def meddle(self, draw: st.DataObject) -> None:
        """What another seat could do, as it stands or with one field changed."""
        seat, command = self.listed(draw, self.state)
        others = [other for other in range(self.game.setup.players) if other != seat]
        body = to_builtins(command)
        if draw.draw(st.booleans()):
            body = draw.draw(spoilt(self.state, body))
        self.game.deliver(draw.draw(st.sampled_from(others)), body)

    @precondition(lambda self: self.state.status == "running")
    @rule(draw=draws)
    def slip(self, draw: st.DataObject) -> None:
        """What the seat itself could do, with one field changed."""
        seat, command = self.listed(draw, self.state)
        self.game.deliver(seat, draw.draw(spoilt(self.state, to_builtins(command))))

    @precondition(lambda self: self.state.status == "running")
    @rule(draw=draws)
    def try_every_field(self, draw: st.DataObject) -> None:
        """Somebody, mostly who has the turn, plants his next card everywhere and harvests everything, fields that he
        does not have included."""
        seat = draw.draw(st.sampled_from([self.state.active or 0] * 4 + [*range(self.game.setup.players)]))
        own = self.state.seats[seat]
        card = [*own.pending, *self.state.gifts, *self.state.face_up, *own.hand, 1][0]
        fields = draw.draw(st.permutations(range(4)))
        for field in fields:
            self.game.send(seat, Plant(card, field))
        for field in fields:
            self.game.send(seat, Harvest(field))

    @precondition(lambda self: self.state.phase == "trade")
    @rule(draw=draws)
    def reach_for_a_card(self, draw: st.DataObject) -> None:
        """Somebody gives a card that may lie in anybody's hand, of his own accord or for an open offer."""
        players = range(self.game.setup.players)
        cards = [card for seat in self.state.seats for card in seat.hand] or [1]
        give = [draw.draw(st.sampled_from(cards))]
        commands: list[Command] = [Offer(to=self.state.active, give=give), Offer(to=None, give=give)]
        commands += [Accept(offer, give) for offer in self.state.offers]
        self.game.send(draw.draw(st.sampled_from(players)), draw.draw(st.sampled_from(commands)))

    @rule(draw=draws)
    def send_anything(self, draw: st.DataObject) -> None:
        for _ in range(3):
            self.game.deliver(draw.draw(st.integers(0, self.game.setup.players - 1)), draw.draw(bodies(self.state)))

    @precondition(lambda self: self.game.last is not None)
    @rule()
    def say_it_again(self) -> None:
        """The rules know no copies: what is sent twice is decided twice, on what is now."""
        assert self.game.last is not None
        self.game.count("said again: accepted" if self.game.send(*self.game.last) else "said again: refused")

    @precondition(lambda self: self.state.status == "running")
    @rule()
    def look_away(self) -> None:
        """Somebody keeps the table in mind as it is now."""
        self.older.append(copy_of(self.state))

    @precondition(lambda self: bool(self.older))
    @rule(draw=draws)
    def act_on_the_past(self, draw: st.DataObject) -> None:
        """A command that was legal on an older state counts for nothing more than any other: the newest decides."""
        older = draw.draw(st.sampled_from(self.older))
        seat, command = self.listed(draw, older)
        assert decide(older, seat, command, self.game.seed)
        accepted = self.game.send(seat, command)
        if older.version < self.state.version:
            self.game.count("on the past: accepted" if accepted else "on the past: refused")

    @invariant()
    def everything_is_in_order(self) -> None:
        self.steps += 1
        self.game.check(self.steps)

    def teardown(self) -> None:
        """The end of a run."""
        if hasattr(self, "game"):
            self.game.close()

    def listed(self, draw: st.DataObject, state: State) -> tuple[int, Command]:
        """Any listed action of any seat with any choice."""
        ways = [(seat, action) for seat in range(len(state.seats)) for action in actions(state, seat)]
        seat, action = draw.draw(st.sampled_from(ways))
        return seat, draw.draw(chosen(action))
