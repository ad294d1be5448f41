"""Where somebody is in a recording, and what each key does. Knows nothing of terminals and of clocks."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from domain.replay import Viewpoint, following, preceding
from services.screen.timeline import Timeline
from services.screen.viewer import viewers

Pace = Literal["real", "fixed"]

MORE: Final = "m"
"""The key for what does not fit on the screen."""

SLOWEST: Final = 0.125
FASTEST: Final = 64.0

SHORTEST_THOUGHT: Final = 0.4
LONGEST_THOUGHT: Final = 4.0
FIXED_PAUSE: Final = 1.0
"""Seconds between two events at speed 1. Thinking times are kept within the bounds: what one command brought about
bears the same time and is to be seen all the same, and nobody waits for who went to have dinner."""


class Playback:
    """`over`: the viewer wants to leave. `typed`: the number of a version as far as it was typed, None if none is
    asked for. `note`: what there is to say about the last key. `legal`: what a seat could do is shown, not the table.
    `page` of what is shown, if it is too long for the screen: drawn modulo their number."""

    def __init__(
        self, timeline: Timeline, *, viewer: Viewpoint = "all", speed: float = 1.0, pace: Pace = "real"
    ) -> None:
        self.timeline = timeline
        self.version = 1
        self.viewer = viewer
        self.speed = speed
        self.pace: Pace = pace
        self.playing = False
        self.help = False
        self.legal = False
        self.page = 0
        self.typed: str | None = None
        self.note = ""
        self.over = False

    def press(self, key: str) -> None:
        """Do what the key stands for; a key without a meaning only closes the help."""
        self.note = ""
        if self.typed is not None:
            self._type(key)
            return
        if key == MORE:
            self.page += 1
            return
        self.page = 0
        self.help = self.help is False and key == "?"
        action = _ACTIONS.get(key)
        if action is not None:
            action(self)

    def pause(self) -> float | None:
        """Seconds until advance() is due; None while nothing plays."""
        if not self.playing:
            return None
        if self.pace == "fixed":
            return FIXED_PAUSE / self.speed
        thought = (self.timeline.thinking_ms(self.version + 1) or 0) / 1000
        return min(max(thought, SHORTEST_THOUGHT), LONGEST_THOUGHT) / self.speed

    def advance(self) -> None:
        """One step further by itself; stops at the end."""
        self.page = 0
        self.version = min(self.version + 1, self.timeline.last)
        self.playing = self.version < self.timeline.last

    def step(self, by: int) -> None:
        """So many versions on, or back."""
        self._go(min(max(self.version + by, 1), self.timeline.last), "There is nothing further that way.")

    def jump(self, to: int | None, otherwise: str) -> None:
        """To that version; if there is none, say why."""
        self._go(self.version if to is None else to, otherwise)

    def toggle_playing(self) -> None:
        """Start or stop; at the end start over."""
        if not self.playing and self.version == self.timeline.last:
            self.version = 1
        self.playing = not self.playing and self.timeline.last > 1

    def accelerate(self, factor: float) -> None:
        """Faster or slower, within bounds."""
        self.speed = min(max(self.speed * factor, SLOWEST), FASTEST)

    def change_pace(self) -> None:
        """Real thinking times, or the same pause everywhere."""
        self.pace = "fixed" if self.pace == "real" else "real"

    def change_viewer(self) -> None:
        """The next one, round and round."""
        all_viewers = viewers(self.timeline.seats)
        self.viewer = all_viewers[(all_viewers.index(self.viewer) + 1) % len(all_viewers)]

    def show_legal(self) -> None:
        """What a seat could do, or the table again."""
        self.legal = not self.legal

    def ask_for_version(self) -> None:
        """Let a number be typed."""
        self.playing = False
        self.typed = ""

    def leave(self) -> None:
        """It is over."""
        self.over = True

    def _go(self, version: int, otherwise: str) -> None:
        self.playing = False
        self.note = otherwise if version == self.version else ""
        self.version = version

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key.isascii() and key.isdigit():
            self.typed = (typed + key)[: len(str(self.timeline.last))]
        elif key == "backspace":
            self.typed = typed[:-1]
        else:
            self.typed = None
            if key == "enter" and typed:
                self._go_to(int(typed))

    def _go_to(self, version: int) -> None:
        if 1 <= version <= self.timeline.last:
            self.version = version
        else:
            self.note = f"There is no version {version} here: they run from 1 to {self.timeline.last}."


class Binding(Struct, frozen=True):
    """Keys that do the same. `shown`: how the help calls them."""

    keys: tuple[str, ...]
    shown: str
    meaning: str
    action: Callable[[Playback], None]


_NO_TURN: Final = "No turn begins further that way."
_NO_TRADE: Final = "No trade is made further that way."

BINDINGS: Final = (
    Binding(("right", " ", "n"), "→ Space n", "the next event", lambda at: at.step(1)),
    Binding(("left", "p"), "← p", "the event before", lambda at: at.step(-1)),
    Binding(("t",), "t", "the next turn", lambda at: at.jump(following(at.timeline.turns, at.version), _NO_TURN)),
    Binding(("T",), "T", "the turn before", lambda at: at.jump(preceding(at.timeline.turns, at.version), _NO_TURN)),
    Binding(("x",), "x", "the next trade", lambda at: at.jump(following(at.timeline.trades, at.version), _NO_TRADE)),
    Binding(("X",), "X", "the trade before", lambda at: at.jump(preceding(at.timeline.trades, at.version), _NO_TRADE)),
    Binding(("home",), "Home", "the first event", lambda at: at.jump(1, "This is the first event.")),
    Binding(("end",), "End", "the last event", lambda at: at.jump(at.timeline.last, "This is the last event.")),
    Binding(("g",), "g 57 Enter", "version 57", Playback.ask_for_version),
    Binding(("l",), "l", "what the viewer's seat could do then, or the table again", Playback.show_legal),
    Binding((MORE,), MORE, "the rest of what is too long for the screen", lambda _: None),
    Binding(("a",), "a", "play by itself, or stop", Playback.toggle_playing),
    Binding(("+", "="), "+", "twice as fast", lambda at: at.accelerate(2)),
    Binding(("-",), "-", "half as fast", lambda at: at.accelerate(0.5)),
    Binding(("f",), "f", "real thinking times, or a fixed pace", Playback.change_pace),
    Binding(("v",), "v", "the next viewer: all hands, each seat, a spectator", Playback.change_viewer),
    Binding(("?",), "?", "this help", lambda _: None),
    Binding(("q",), "q", "quit", Playback.leave),
)
"""All there are, in the order of the help."""

_ACTIONS: Final = {key: binding.action for binding in BINDINGS for key in binding.keys}
