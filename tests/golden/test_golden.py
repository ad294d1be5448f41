"""Games that were recorded once are read, judged, shown and decided as they were on that day
(pitfalls E1, E3, E8, E11)."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest
from click.testing import CliRunner

from domain import beans, evolve, redaction, views
from domain.cards import Card
from domain.events import CardsDrawn, DeckShuffled, TradeOffered, event_type
from domain.referee import Fault
from domain.rulesets import RULEBOOKS, RULES_VERSION
from domain.state import State
from domain.upcasting import UPCASTS
from domain.views import View
from tests.domain.editions import SETUPS, Setup
from tests.golden import checks, expected, record, recorded
from tests.golden.checks import CHECKS, CORPUS, Golden, golden
from tests.golden.expected import as_recorded
from tests.golden.features import NOT_EMITTED, WANTED, features
from tests.golden.shapes import GoldenState, GoldenView

GAMES: Final = checks.numbers()
SIZE_IN_BYTES: Final = 1_500_000


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: f"{game[0].parent.name}/{game[1]}")
def game(request: pytest.FixtureRequest) -> Golden:
    return golden(*request.param)


@pytest.mark.parametrize("check", CHECKS)
def test_a_recorded_game_is_what_it_always_was(game: Golden, check: Callable[[Golden], None]) -> None:
    check(game)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_setup_has_games_under_the_present_rules(setup: Setup) -> None:
    """If not: `python -m tests.golden.record`."""
    kept = expected.read(expected.expectations_file(CORPUS / str(setup), RULES_VERSION))
    assert (kept.ruleset, kept.players, kept.options) == (setup.ruleset, setup.players, setup.options)
    assert kept.rules_version == RULES_VERSION
    assert sum(bool(one.ranking) for one in kept.games) == 3


def test_every_version_of_the_rules_has_games() -> None:
    assert {expected.read(path).rules_version for path in checks.expectations_files()} == set(RULEBOOKS)


def test_nothing_is_there_of_which_nothing_is_expected() -> None:
    wanted = {*checks.expectations_files()}
    for path, number in GAMES:
        wanted |= {recorded.history_file(path.parent, number), recorded.commands_file(path.parent, number)}
    kept = {path for path in CORPUS.glob("*/*") if path.suffix in (".xz", ".json")}
    assert kept == wanted
    assert sum(path.stat().st_size for path in kept) < SIZE_IN_BYTES


def test_together_they_have_everything_that_can_happen() -> None:
    """Every event that the engine emits, every end of an offer, every way to pay for a field, every tie-break."""
    games = [golden(*one) for one in GAMES]
    found = set[str]().union(*(features(one.game, one.events) for one in games))
    assert found >= WANTED, WANTED - found
    assert found.isdisjoint(str(kind.__struct_config__.tag) for kind in NOT_EMITTED)
    refused = [one for one in games if len({asked.version for asked in one.recorded.asked}) < one.expected.commands]
    assert len(refused) > len(games) / 3


def test_half_are_casual_and_half_by_chance() -> None:
    for version in RULEBOOKS:
        kept = [expected.read(path) for path in checks.expectations_files()]
        styles = Counter(one.style for file in kept if file.rules_version == version for one in file.games)
        assert abs(styles["casual"] - styles["chance"]) <= 2


def test_a_new_field_of_a_state_or_a_view_is_left_out_knowingly() -> None:
    """Hashes of old games must not change with it; games that are about it need a shape that has it."""
    assert set(State.__struct_fields__) - set(GoldenState.__struct_fields__) == {"clock"}
    assert set(View.__struct_fields__) == set(GoldenView.__struct_fields__)


# One thing each that must never happen to an old game, and the check that notices.

Break = Callable[[pytest.MonkeyPatch], None]


def other_beanometer(patch: pytest.MonkeyPatch) -> None:
    true = beans.payout
    patch.setattr("domain.decide.harvesting.payout", lambda bean, count: true(bean, count + 1))


def refusal_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("domain.decide.harvesting.protected", lambda _owner, _index: False)


def hand_out_of_order(patch: pytest.MonkeyPatch) -> None:
    true = evolve._STEPS[CardsDrawn]

    def reversed_hand(state: State, event: CardsDrawn) -> None:
        true(state, event)
        hand = state.seats[event.seat].hand
        state.seats[event.seat].hand = dict(reversed(hand.items()))

    patch.setitem(evolve._STEPS, CardsDrawn, reversed_hand)


def deck_upside_down(patch: pytest.MonkeyPatch) -> None:
    true = evolve._STEPS[DeckShuffled]

    def reversed_deck(state: State, event: DeckShuffled) -> None:
        true(state, event)
        state.deck.reverse()

    patch.setitem(evolve._STEPS, DeckShuffled, reversed_deck)


def hands_shown(patch: pytest.MonkeyPatch) -> None:
    true = views._seat
    patch.setattr(views, "_seat", lambda index, seat, is_open: true(index, seat, is_open=True))  # noqa: ARG005


def draws_shown(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(redaction.AUDIENCES, CardsDrawn, "everyone")


def stricter_referee(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(checks, "judge", lambda *_, **__: Fault(1, "malformed", "It was in order once."))


BROKEN: Final[list[tuple[Break, Callable[[Golden], None]]]] = [
    (other_beanometer, checks.check_commands),
    (refusal_forgotten, checks.check_commands),
    (hand_out_of_order, checks.check_fold),
    (deck_upside_down, checks.check_fold),
    (hands_shown, checks.check_fold),
    (draws_shown, checks.check_fold),
    (stricter_referee, checks.check_referee),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN)
def test_what_must_not_change_is_noticed(
    broken: Break, check: Callable[[Golden], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [golden(path, number) for path, number in GAMES if path.parent.name == "classic-4"]
    for one in games:
        check(one)
    broken(monkeypatch)
    for one in games:
        if one.expected.style == "chance":
            with pytest.raises(AssertionError):
                check(one)


def test_another_byte_is_noticed() -> None:
    one = golden(*GAMES[0])
    lines = list(one.recorded.log_lines)
    lines[-1] = lines[-1].replace(b'"coins":', b'"coins":1', 1)
    changed = msgspec.structs.replace(one, recorded=msgspec.structs.replace(one.recorded, log_lines=lines))
    with pytest.raises(AssertionError):
        checks.check_bytes(changed)


def test_an_event_that_has_gained_a_field_is_compared_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    event = TradeOffered(1, 0, 2, [Card(7, "red")], {"soy": 1}, [], None)
    before = b'{"type":"trade_offered","offer":1,"from":0,"to":2,"give":[{"card":7,"bean":"red"}],"want":{"soy":1}}'
    assert as_recorded(before, event) != before
    monkeypatch.setitem(UPCASTS, event_type(event), (lambda shape: {"want_cards": [], "answers": None, **shape},))
    assert as_recorded(before, event) == before
    assert as_recorded(before, msgspec.structs.replace(event, to=1)) != before


def recorded_in(folder: Path, patch: pytest.MonkeyPatch) -> dict[str, tuple[int, bytes]]:
    """Records two setups there; when each file was written, and what it holds."""
    patch.setattr(record, "FOLDER", folder)
    patch.setattr(record, "CANDIDATES", 2)
    patch.setattr(record, "SETUPS", [Setup("classic", 2), record.DESERTED])
    done = CliRunner().invoke(record.command, [])
    assert done.exit_code == 0, done.output
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_recorder_adds_what_is_missing_and_rewrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = recorded_in(tmp_path, monkeypatch)
    games = [f"classic-2/{number}" for number in (1, 2, 3)] + [f"classic-3/{number}" for number in (1, 2, 3, 4)]
    names = {f"{one}{ending}" for one in games for ending in (".jsonl.xz", ".commands.jsonl.xz")}
    assert set(first) == names | {"classic-2/rules-1.json", "classic-3/rules-1.json"}
    assert recorded_in(tmp_path, monkeypatch) == first

    # As it would be with new rules: what is there stays, and the numbers go on.
    (tmp_path / "classic-2" / "rules-1.json").rename(tmp_path / "classic-2" / "rules-0.json")
    second = recorded_in(tmp_path, monkeypatch)
    assert set(second) - set(first) == {
        "classic-2/rules-0.json",
        *(f"classic-2/{number}{ending}" for number in (4, 5, 6) for ending in (".jsonl.xz", ".commands.jsonl.xz")),
    }
    assert all(second[name] == first[name] for name in first if name != "classic-2/rules-1.json")
    for path in (tmp_path / "classic-2").glob("rules-*.json"):
        for one in expected.read(path).games:
            for check in CHECKS:
                check(golden(path, one.number))


def test_a_game_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    recorded.write(tmp_path, 1, [b"{}"], [])
    with pytest.raises(FileExistsError):
        recorded.write(tmp_path, 1, [b"{}"], [])
    kept = expected.Expectations("classic", 4, record.DESERTED.options, 1, [])
    expected.write(tmp_path / "rules-1.json", kept)
    with pytest.raises(FileExistsError):
        expected.write(tmp_path / "rules-1.json", kept)
