"""What fills the screen during a replay: the table, what has happened lately, the event, where one is, and the keys.
The lower lines always have their place; what is too long for a low screen comes in pages, and says so."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from domain.replay import Viewpoint, deck_from_top, open_to, seen, told
from domain.views import with_names
from services.screen.legal import legal
from services.screen.playback import BINDINGS, MORE, Playback
from services.screen.sentence import sentence
from services.screen.table import Step
from services.screen.timeline import Timeline

KEYS: Final = "→ next  ← back  t turn  x trade  l legal  g go  a play  v view  ? help  q quit"
MOST_RECENT: Final = 12

Lines = list[list[Segment]]


def step_at(timeline: Timeline, version: int, viewer: Viewpoint) -> Step:
    """The table after that version, as that viewer has it."""
    state = timeline.state(version)
    named = with_names(seen(state, viewer), timeline.names)
    return Step(named, viewer, deck_from_top(state, viewer), state.table.final_exhaustion)


def happened(timeline: Timeline, version: int, viewer: Viewpoint) -> str:
    """The event of that version in words, as far as that viewer may know it."""
    return sentence(told(timeline.entry(version).event, viewer))


def place(timeline: Timeline, version: int, *more: str) -> str:
    """Which version, which turn, what else there is to say, how long it took, and when."""
    thought = timeline.thinking_ms(version)
    words = [
        f"version {version} of {timeline.last}",
        f"turn {timeline.turn(version)}",
        *more,
        *([] if thought is None else [f"after {_duration(thought)}"]),
        f"{timeline.entry(version).at:%Y-%m-%d %H:%M:%S}Z",
    ]
    return " · ".join(words)


class Frame:
    """The whole screen at one moment."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many lines as the screen has, the last one without an end."""
        height = options.height or options.size.height
        inner = options.update(height=None)
        lower = self._lower(console, inner)[-height:]
        upper = self._upper(console, inner, height - len(lower))
        for number, line in enumerate(Segment.set_shape([*upper, *lower], options.max_width, height)):
            if number:
                yield Segment.line()
            yield from line

    def _upper(self, console: Console, options: ConsoleOptions, height: int) -> Lines:
        at = self._playback
        shown = _shown(at)
        lines = console.render_lines(shown, options)
        if len(lines) > height and isinstance(shown, Step):
            lines = console.render_lines(replace(shown, dense=True), options)
        if len(lines) > height:
            return self._page(console, options, lines, height)
        recent = list(self._recent(console, options, height - len(lines) - 1))
        gap = console.render_lines(Text(), options) * (height - len(lines) - len(recent))
        return [*lines, *gap, *recent]

    def _page(self, console: Console, options: ConsoleOptions, lines: Lines, height: int) -> Lines:
        """A part of them, and that there is more."""
        room = max(height - 1, 1)
        pages = -(-len(lines) // room)
        page = self._playback.page % pages
        part = lines[page * room : (page + 1) * room]
        gap = console.render_lines(Text(), options) * (room - len(part))
        more = Text(f"… page {page + 1} of {pages}, {MORE} for more", no_wrap=True, overflow="ellipsis")
        return [*part, *gap, *console.render_lines(more, options)][: max(height, 0)]

    def _recent(self, console: Console, options: ConsoleOptions, room: int) -> Iterator[list[Segment]]:
        """The events before this one, the latest last, as far as there is room."""
        at = self._playback
        first = max(1, at.version - max(0, min(room, MOST_RECENT)))
        for version in range(first, at.version):
            text = Text(f"{version:>6}  {happened(at.timeline, version, at.viewer)}", "dim")
            text.truncate(options.max_width, overflow="ellipsis")
            yield from console.render_lines(text, options)

    def _lower(self, console: Console, options: ConsoleOptions) -> Lines:
        at = self._playback
        event = Text(f"{at.version:>6}  {happened(at.timeline, at.version, at.viewer)}", "bold")
        where = Text(place(at.timeline, at.version, _mode(at)), "reverse", no_wrap=True, overflow="ellipsis")
        keys = Text(_prompt(at), no_wrap=True, overflow="ellipsis")
        return [line for text in (event, where, keys) for line in console.render_lines(text, options)]


def _shown(at: Playback) -> Table | Group | Step:
    if at.help:
        return _help()
    if at.legal:
        state = at.timeline.state(at.version)
        return legal(seen(state, at.viewer), open_to(state, at.viewer))
    return step_at(at.timeline, at.version, at.viewer)


def _mode(at: Playback) -> str:
    how = "playing" if at.playing else "paused"
    return f"{how} x{at.speed:g}{' fixed' if at.pace == 'fixed' else ''}"


def _prompt(at: Playback) -> str:
    if at.typed is not None:
        return f"Go to version (1 to {at.timeline.last}): {at.typed}_"
    return at.note or KEYS


def _help() -> Table:
    grid = Table.grid(padding=(0, 2))
    for binding in BINDINGS:
        grid.add_row(Text(binding.shown, "bold"), binding.meaning)
    grid.add_row("", "")
    grid.add_row(Text("3 Red =2 +1", "bold"), "three Red beans, worth 2 coins; 1 more bean, and they are worth more")
    grid.add_row(Text("Bla", "bold"), "Black-eyed: on a low screen hands are told in short")
    return grid


def _duration(milliseconds: int) -> str:
    seconds = milliseconds / 1000
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
