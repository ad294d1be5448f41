"""More than 1,000 falsified histories: every one is found, at the version that was touched, or the first where it can
be known."""

from random import Random

import pytest

from domain.events import GameCreated, GameStarted
from domain.referee import judge, judge_events, revealed_seed
from domain.referee.history import Line
from tests.domain.alternatives import alternative
from tests.domain.referee.mutants import Mutant, put, versions
from tests.domain.referee.mutations import IN_DUELS, MUTATORS
from tests.domain.referee.order import shuffle_altered
from tests.domain.referee.played import GAME, every_table, played
from tests.domain.thoroughness import tries
from tests.domain.whole_game import Style

PER_MUTATOR = 14
TRIED = tries(PER_MUTATOR, 1)
ATTEMPTS = 1500
STYLES: tuple[Style, ...] = ("casual", "chance")
ALL = MUTATORS | IN_DUELS
DUEL_IS_PLAYED = ("classic", 2) in every_table()
SAMPLES = [(ruleset, players, style) for ruleset, players in every_table() for style in STYLES]


def sample(chance: Random) -> tuple[Line, ...]:
    return played(*chance.choice(SAMPLES), chance.randrange(max(1, 30 // len(SAMPLES))))


def mutants(name: str) -> list[Mutant]:
    """So many mutants of that kind, each of another game or another place in it."""
    chance = Random(name)
    found: list[Mutant] = []
    for _ in range(ATTEMPTS):
        mutant = ALL[name](sample(chance), chance)
        if mutant is not None:
            found.append(mutant)
        if len(found) == TRIED:
            return found
    return found


@pytest.mark.parametrize("name", ALL)
def test_every_falsified_history_is_found(name: str) -> None:
    found = mutants(name)
    assert len(found) == (TRIED if name in MUTATORS or DUEL_IS_PLAYED else 0)
    for mutant in found:
        fault = judge(GAME, mutant.lines)
        assert fault is not None, f"not found: {name}, at version {mutant.first}"
        assert mutant.first <= fault.version <= mutant.last, (mutant.lines[mutant.first - 3 : mutant.first + 2], fault)
        assert fault.reason != "malformed" or mutant.first == 1
        assert fault.sentence
        if name != "somebody else acted":
            untold = judge_events(GAME, [event for _, event in mutant.lines])
            assert untold is not None, f"not found without actors: {name}, at version {mutant.first}"
            assert mutant.first <= untold.version


def test_there_are_enough_of_them() -> None:
    assert len(MUTATORS) * PER_MUTATOR >= 1000


@pytest.mark.parametrize("number", range(tries(20, 3)))
def test_with_the_seed_a_shuffle_is_found_where_it_happened(number: int) -> None:
    chance = Random(number)
    mutant = None
    while mutant is None:
        mutant = shuffle_altered(sample(chance), chance)
    fault = judge(GAME, mutant.lines, seed=revealed_seed([event for _, event in mutant.lines]))
    assert fault is not None
    assert (fault.version, fault.reason) == (mutant.first, "wrong_shuffle")


@pytest.mark.parametrize("number", range(tries(20, 3)))
def test_a_deck_exchanged_with_all_its_cards_is_found_at_the_end(number: int) -> None:
    """Cards that stay in hands to the end are other cards, in the deck and in the draw: only the seed contradicts,
    and it is the shuffle that is named."""
    chance = Random(number)
    lines = played("classic", 3 + number % 5, "chance", number)
    true = [event for _, event in lines]
    false = alternative(true, None, chance)
    version = next((at for at, pair in enumerate(zip(true, false, strict=True), 1) if pair[0] != pair[1]), None)
    assert version is not None, "two hands that hold the same"
    told: list[Line] = [(seat, event) for (seat, _), event in zip(lines, false, strict=True)]
    fault = judge(GAME, told)
    assert fault is not None
    assert (fault.version, fault.reason) == (version, "wrong_shuffle")
    assert judge(GAME, told, seed=revealed_seed(true)) == fault


def test_another_commitment_is_found_with_the_seed() -> None:
    lines = played("classic", 3, "casual", 0)
    created = lines[0][1]
    assert isinstance(created, GameCreated)
    forged = GameCreated(
        created.ruleset, created.options, 1, created.seats, created.visibility, None, created.host, "0" * 64
    )
    for seed in (None, revealed_seed([event for _, event in lines])):
        fault = judge(GAME, put(lines, 1, 0, forged).lines, seed=seed)
        assert fault is not None
        assert (fault.version, fault.reason) == (len(lines), "wrong_seed")


def test_another_start_seat_is_found_with_the_seed() -> None:
    lines = played("classic", 3, "casual", 0)
    version = versions(lines, GameStarted)[0]
    started = lines[version - 1][1]
    assert isinstance(started, GameStarted)
    mutant = put(lines, version, 0, GameStarted((started.start_seat + 1) % 3, 3))
    fault = judge(GAME, mutant.lines, seed=revealed_seed([event for _, event in lines]))
    assert fault is not None
    assert (fault.version, fault.reason) == (version, "wrong_start_seat")
    fault = judge(GAME, mutant.lines)
    assert fault is not None
    assert fault.version == version + 2, "the first hand is dealt to another seat"


def test_a_game_of_another_name_has_other_shuffles() -> None:
    fault = judge("another-game", played("classic", 3, "casual", 0))
    assert fault is not None
    assert fault.reason in ("wrong_start_seat", "wrong_shuffle")
