"""What one client was told about a game, in the order in which it was told, checked while it comes in.

The versions have no gap, an event keeps its content, the views are what the events add up to, and before the end
nothing is in them that this seat may not know.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.actions import actions
from domain.commands import Command
from domain.events import event_type
from domain.evolve import evolve, initial
from domain.redaction import redact
from domain.state import State
from domain.views import View, view, with_names
from services.demo.fault import DOES_NOT_FOLD
from services.games.answers import ActionList, Answer, EventItem, EventPage

OVER = ("ended", "abandoned")


class Disagreement(Exception):
    """The server said two things that cannot both be true."""

    def __init__(self, version: int, what: str) -> None:
        super().__init__(f"version {version}: {what}")
        self.version = version
        self.what = what


class Accepted(Struct, frozen=True):
    """A command of this client and the answer to it."""

    command: Command
    answer: Answer


class Notebook:
    """One seat's record of one game. Every method may raise Disagreement."""

    def __init__(self, game: str, seat: int) -> None:
        self.seat = seat
        self.state: State = initial(game)
        self.given: list[EventItem] = []
        self.accepted: list[Accepted] = []
        self.compared_views = 0
        self._answered: dict[int, EventItem] = {}
        self._newest_answer = 0
        self._awaited: View | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended as far as this client knows."""
        return self.state.status in OVER

    @property
    def told(self) -> int:
        """The version that this client knows of by anything that it was told."""
        return max(self.state.version, self._newest_answer)

    def take_page(self, page: EventPage) -> None:
        """The next part of the history, read after all that was told before."""
        self.take_events(page.events)
        if page.next is None:
            self._nothing_missing()

    def take_events(self, items: Sequence[EventItem]) -> None:
        """What has happened next, as a stream tells it: answers and views may be ahead of it."""
        for item in items:
            if item.version != self.state.version + 1:
                raise Disagreement(item.version, f"It was told right after version {self.state.version}.")
            self._fold(item)
            told = self._answered.get(item.version)
            if told is not None and not self._same(told, item):
                raise Disagreement(item.version, f"The answer to a command of seat {self.seat} showed it differently.")
            if self._awaited is not None and self._awaited.version == item.version:
                self._compare(self._awaited)
        if not self.over:
            self._nothing_hidden(items)

    def take_view(self, seen: View, asked_at: int) -> None:
        """A view that was asked for when this was known up to version `asked_at`. It may be ahead of the events, and is
        compared as soon as they are there."""
        if seen.version < asked_at:
            raise Disagreement(seen.version, f"The view is older than version {asked_at}, told before it.")
        if seen.version == self.state.version:
            self._compare(seen)
        elif seen.version > self.state.version:
            self._awaited = seen

    def take_actions(self, told: ActionList) -> None:
        """What the server says this seat may do now."""
        if told.version == self.state.version and told.actions != actions(self.state, self.seat):
            raise Disagreement(told.version, f"The actions of seat {self.seat} are not those that its cards allow.")

    def take_answer(self, command: Command, answer: Answer) -> None:
        """The answer to an own command."""
        versions = [item.version for item in answer.events]
        if not versions or versions != list(range(answer.version - len(versions) + 1, answer.version + 1)):
            raise Disagreement(answer.version, f"The answer to seat {self.seat} has the versions {versions}.")
        if versions[0] in self._answered:
            raise Disagreement(versions[0], f"It answers two different commands of seat {self.seat}.")
        self._nothing_hidden(answer.events)
        self._newest_answer = max(self._newest_answer, answer.version)
        self._answered.update({item.version: item for item in answer.events})
        self.accepted.append(Accepted(command, answer))

    def _fold(self, item: EventItem) -> None:
        try:
            evolve(self.state, item.event)
        except DOES_NOT_FOLD as error:
            what = f"{event_type(item.event)} does not fit what seat {self.seat} was told before."
            raise Disagreement(item.version, what) from error
        self.given.append(item)

    def _compare(self, seen: View) -> None:
        folded = with_names(view(self.state, self.seat), {})
        if with_names(seen, {}) != folded:
            names = [
                name for name in seen.__struct_fields__ if getattr(with_names(seen, {}), name) != getattr(folded, name)
            ]
            what = f"The view of seat {self.seat} is not what its events add up to: {', '.join(names)}."
            raise Disagreement(seen.version, what)
        self.compared_views += 1
        self._awaited = None

    def _nothing_missing(self) -> None:
        """The history was read to its end after all that was told before."""
        seen = 0 if self._awaited is None else self._awaited.version
        told = max(seen, self._newest_answer)
        if told > self.state.version:
            what = f"Seat {self.seat} was told of version {told}; the history ends before."
            raise Disagreement(self.state.version + 1, what)

    def _nothing_hidden(self, items: Iterable[EventItem]) -> None:
        for item in items:
            if redact(item.event, self.seat) != item.event:
                raise Disagreement(item.version, f"Seat {self.seat} was shown what it may not know before the end.")

    def _same(self, one: EventItem, other: EventItem) -> bool:
        # After the end a page shows all; the answer to a command never does.
        return one.at == other.at and redact(one.event, self.seat) == redact(other.event, self.seat)
