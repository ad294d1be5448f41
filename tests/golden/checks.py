"""What must hold for a golden game as long as there are any: each check raises AssertionError."""

from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from domain import history
from domain.events import Event, GameCreated, GameEnded, decode_event
from domain.evolve import evolve, fold, initial
from domain.referee import judge, judge_events, revealed_seed
from domain.refusal import Refused
from tests.domain.whole_game import decided
from tests.golden import expected, recorded
from tests.golden.expected import Expectations, Expected, as_recorded
from tests.golden.recorded import Recorded

CORPUS: Final = Path(__file__).parent


class Golden(Struct, frozen=True):
    """A game, what is expected of it, and what its stored bytes say today."""

    setup: str
    expectations: Expectations
    expected: Expected
    recorded: Recorded
    payloads: list[bytes]
    events: list[Event]

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.recorded.header.game


def expectations_files() -> list[Path]:
    """Of all setups and versions of the rules."""
    return sorted(CORPUS.glob("*/rules-*.json"))


def numbers() -> list[tuple[Path, int]]:
    """Every golden game: the file of what is expected, and its number there."""
    return [(path, game.number) for path in expectations_files() for game in expected.read(path).games]


def golden(path: Path, number: int) -> Golden:
    """That game."""
    expectations = expected.read(path)
    (wanted,) = (game for game in expectations.games if game.number == number)
    found = recorded.read(path.parent, number)
    payloads = [bytes(line.event) for line in found.lines]
    return Golden(path.parent.name, expectations, wanted, found, payloads, [*map(decode_event, payloads)])


def check_bytes(golden: Golden) -> None:
    """The file is a history, line by line, and its chain ends where it always did."""
    header = golden.recorded.header
    assert golden.recorded.header_line == history.header(header.game, header.ruleset, header.rules_version)
    assert (header.ruleset, header.rules_version) == (golden.expectations.ruleset, golden.expectations.rules_version)
    assert len(golden.recorded.lines) == golden.expected.versions
    chain = history.first_hash(golden.recorded.header_line)
    for version, (line, stored) in enumerate(zip(golden.recorded.lines, golden.recorded.log_lines, strict=True), 1):
        at = datetime.fromisoformat(line.at)
        assert stored == history.line(version, at, line.seat, golden.payloads[version - 1])
        chain = history.next_hash(chain, stored)
    assert chain.hex() == golden.expected.head


def check_events(golden: Golden) -> None:
    """Every stored event is read without loss, and is what its first event says it is played by."""
    for payload, event in zip(golden.payloads, golden.events, strict=True):
        assert as_recorded(payload, event) == payload
    created = golden.events[0]
    assert isinstance(created, GameCreated)
    assert (created.ruleset, created.seats) == (golden.expectations.ruleset, golden.expectations.players)
    assert created.options.duel_fields == golden.expectations.options.duel_fields
    assert created.rules_version == golden.expectations.rules_version


def check_fold(golden: Golden) -> None:
    """The states, views and redacted events at every version are the very same, and so is the end."""
    assert expected.hashes(golden.game, golden.payloads, golden.events) == golden.expected.hashes
    state = fold(golden.game, golden.events)
    assert state.result is not None
    assert state.result.ranking == golden.expected.ranking
    assert state.result.winners == golden.expected.winners
    last = golden.events[-1]
    assert isinstance(last, GameEnded) == (state.status == "ended") == bool(golden.expected.ranking)


def check_referee(golden: Golden) -> None:
    """The referee finds nothing, however much it is told."""
    lines = [(line.seat, event) for line, event in zip(golden.recorded.lines, golden.events, strict=True)]
    assert judge(golden.game, lines) is None
    assert judge(golden.game, lines, seed=_seed(golden)) is None
    assert judge_events(golden.game, golden.events) is None


def check_commands(golden: Golden) -> None:
    """Every command, decided again at its version, gives the very events that are stored, or is refused again."""
    asked = golden.recorded.asked
    assert len(asked) == golden.expected.commands
    state = initial(golden.game)
    # Before the first command the table was set up.
    for event in golden.events[: asked[0].version]:
        evolve(state, event)
    ends = [*(following.version for following in asked[1:]), len(golden.events)]
    for one, end in zip(asked, ends, strict=True):
        assert state.version == one.version
        stored = golden.payloads[one.version : end]
        actors = {line.seat for line in golden.recorded.lines[one.version : end]}
        try:
            events = decided(state, one.seat, one.command, _seed(golden))
        except Refused:
            assert not stored, f"refused at version {one.version}: {one.command}"
            continue
        assert events, f"accepted without an event at version {one.version}: {one.command}"
        assert [*map(as_recorded, stored, events)] == stored, f"other events after version {one.version}"
        assert len(events) == len(stored)
        assert actors == {one.seat}
        for event in events:
            evolve(state, event)
    assert state.version == len(golden.events)


CHECKS: Final = [check_bytes, check_events, check_fold, check_referee, check_commands]


def _seed(golden: Golden) -> bytes:
    seed = revealed_seed(golden.events)
    assert seed is not None
    return seed
