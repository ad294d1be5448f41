"""A fix of the rules does not reach back: a game goes on under the version that it began with (pitfall E1)."""

from collections.abc import Iterator

import pytest
from msgspec import structs

from domain.commands import EndTrading, Plant, Reveal
from domain.events import CardsDrawn, Event, GameCreated
from domain.evolve import fold
from domain.referee import editions, judge_events
from domain.rulesets import RULEBOOKS, RULES_VERSION, RULESETS, Rulebook, table_for
from domain.views import view
from tests.domain.play import Game


def second_edition(first: Rulebook) -> Rulebook:
    """As if it had been found out that in `classic` with three one card less is drawn, and that `boonanza` is no
    edition at all."""
    classic = first["classic"]
    drawing_two = structs.replace(classic.tables[3], draw=2)
    changed = structs.replace(classic, tables={**classic.tables, 3: drawing_two})
    return {name: ruleset for name, ruleset in {**first, "classic": changed}.items() if name != "boonanza"}


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """From here on new games are played by version 2."""
    monkeypatch.setitem(RULEBOOKS, 2, second_edition(RULEBOOKS[1]))
    monkeypatch.setattr("domain.lobby.RULES_VERSION", 2)
    editions.edition.cache_clear()
    yield
    editions.edition.cache_clear()


def play_a_turn(game: Game) -> list[Event]:
    """Plant one, reveal, trade nothing, plant what was revealed, and draw."""
    active = game.state.active
    assert active is not None
    events = game.act(active, Plant(next(iter(game.state.seats[active].hand)), _room(game, active, "hand")))
    events += game.act(active, Reveal())
    events += game.act(active, EndTrading())
    while game.state.active == active:
        card = next(iter(game.state.seats[active].pending))
        events += game.act(active, Plant(card, _room(game, active, "pending")))
    return events


def _room(game: Game, seat: int, source: str) -> int:
    owner = game.state.seats[seat]
    bean = next(iter(getattr(owner, source).values()))
    return next(index for wanted in (bean, None) for index, field in enumerate(owner.fields) if field.bean == wanted)


def drawn(events: list[Event]) -> int:
    return sum(len(event.cards) for event in events if isinstance(event, CardsDrawn))


@pytest.fixture
def begun() -> Game:
    """Three players; on their third field there is room for whatever comes in the first turn."""
    game = Game(3)
    game.start()
    return game


def test_a_running_game_goes_on_under_the_version_that_it_began_with(
    begun: Game, request: pytest.FixtureRequest
) -> None:
    assert drawn(play_a_turn(begun)) == 3
    request.getfixturevalue("fixed")
    assert drawn(play_a_turn(begun)) == 3
    assert view(begun.state, 0).rules_version == 1
    # Also after a restart: what is read from the store is all that counts.
    assert fold("a-game", begun.history).table.draw == 3


@pytest.mark.usefixtures("fixed")
def test_a_new_game_is_played_by_the_newest_version() -> None:
    game = Game(3)
    game.start()
    created = game.history[0]
    assert isinstance(created, GameCreated)
    assert created.rules_version == 2
    assert drawn(play_a_turn(game)) == 2
    assert view(game.state, 0).rules_version == 2


@pytest.mark.usefixtures("fixed")
def test_an_edition_that_a_version_gave_up_is_refused_by_that_version_only() -> None:
    with pytest.raises(ValueError, match="There is no ruleset 'boonanza'"):
        Game(3, ruleset="boonanza")
    assert table_for("boonanza", 3, rules_version=1).players == 3


def test_the_referee_judges_a_game_by_its_version(begun: Game, request: pytest.FixtureRequest) -> None:
    """And names a version that it does not know, whatever the engine says."""
    play_a_turn(begun)
    request.getfixturevalue("fixed")
    newer = Game(3)
    newer.start()
    play_a_turn(newer)
    assert judge_events("a-game", begun.history, running=True) is None
    fault = judge_events("a-game", newer.history, running=True)
    assert fault is not None
    assert (fault.version, fault.reason) == (1, "unknown_edition")


def test_a_version_that_does_not_exist_is_refused_with_what_there_is() -> None:
    with pytest.raises(ValueError, match="no version 99 of the rules here; the newest is 1"):
        table_for("classic", 4, rules_version=99)


def test_new_games_get_the_newest_version() -> None:
    assert max(RULEBOOKS) == RULES_VERSION
    assert RULESETS is RULEBOOKS[RULES_VERSION]
    assert all(set(rulebook) == {ruleset.name for ruleset in rulebook.values()} for rulebook in RULEBOOKS.values())
