"""Histories that an operator has forged, with a chain and a signature of their own: the page finds each by the check
that it belongs to, and names the version, as `bohnanza verify` does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from services.audit.files import check_file
from services.audit.signatures import signature_of
from tests.exports import KEYS, changed, export, kept, parts
from tests.services.api.verifier_page import Verifier, wrong

DUEL: Final = "classic-2"
TRADING: Final = "classic-4"
LARGE: Final = "classic-6"
EVERYBODY: Final = "new_beans-5"

Event = dict[str, Any]


def is_a(kind: str, holds: Callable[[Event], object] = lambda _: True) -> Callable[[Event], bool]:
    return lambda event: bool(event["type"] == kind and holds(event))


def has(name: str) -> Callable[[Event], object]:
    return lambda event: event[name]


def sets(name: str, to: Callable[[Any], Any]) -> Callable[[Event], None]:
    """Changes a field of the event."""

    def change(entry: Event) -> None:
        entry["event"][name] = to(entry["event"][name])

    return change


def one_coin_more(entry: Event) -> None:
    entry["event"]["coins"] += 1
    entry["event"]["discarded"] -= 1


def one_bean_more(entry: Event) -> None:
    entry["event"]["count"] += 1
    entry["event"]["discarded"] += 1


def one_coin_too_much(entry: Event) -> None:
    entry["event"]["price"] += 1


def swapped(beans: list[str]) -> list[str]:
    other = next(place for place, bean in enumerate(beans) if bean != beans[-1])
    return [*beans[:other], beans[-1], *beans[other + 1 : -1], beans[other]]


def one_of_another_kind(beans: list[str]) -> list[str]:
    return [*beans[:-1], next(bean for bean in beans if bean != beans[-1])]


def other_kind(cards: list[Event]) -> list[Event]:
    kind = "blue" if cards[0]["bean"] != "blue" else "red"
    return [{**cards[0], "bean": kind}, *cards[1:]]


def next_numbers(cards: list[Event]) -> list[Event]:
    return [{**card, "card": card["card"] + 1} for card in cards]


def turned(rows: list[Any]) -> list[Any]:
    return rows[::-1]


def one_more(number: int) -> int:
    return number + 1


def next_of_four(seat: int) -> int:
    return (seat + 1) % 4


def last_has(name: str) -> Callable[[list[Event]], list[Event]]:
    return lambda rows: [*rows[:-1], {**rows[-1], name: rows[-1][name] + 1}]


HARVEST: Final = is_a("field_harvested", lambda event: event["coins"] > 0 and event["discarded"] > 0)
RESHUFFLE: Final = is_a("deck_shuffled", lambda event: event["shuffle"] == 2)
TWO_REVEALED: Final = is_a("cards_revealed", lambda event: len(event["cards"]) > 1)

CASES: Final = {
    "a coin too many": (TRADING, "coins", HARVEST, one_coin_more),
    "a coin too many in a duel": (DUEL, "coins", HARVEST, one_coin_more),
    "a bean too many is harvested": (LARGE, "coins", HARVEST, one_bean_more),
    "beans of another kind are harvested": (TRADING, "coins", HARVEST, sets("bean", lambda _: "coffee")),
    "a field for another price": (TRADING, "coins", is_a("field_bought"), one_coin_too_much),
    "a field for other coins": (LARGE, "coins", is_a("field_bought"), sets("paid", next_numbers)),
    "coins in another order": (DUEL, "coins", is_a("field_bought"), sets("paid", turned)),
    "the first deck in another order": (TRADING, "shuffles", is_a("deck_shuffled"), sets("beans", swapped)),
    "the deck of a duel in another order": (DUEL, "shuffles", is_a("deck_shuffled"), sets("beans", swapped)),
    "a reshuffle in another order": (EVERYBODY, "shuffles", RESHUFFLE, sets("beans", swapped)),
    "a deck with other cards": (TRADING, "shuffles", is_a("deck_shuffled"), sets("beans", one_of_another_kind)),
    "a reshuffle of other cards": (LARGE, "shuffles", RESHUFFLE, sets("beans", one_of_another_kind)),
    "a deck of another size": (LARGE, "shuffles", is_a("deck_shuffled"), sets("size", one_more)),
    "another number of a shuffle": (TRADING, "shuffles", RESHUFFLE, sets("shuffle", one_more)),
    "another starting seat": (TRADING, "shuffles", is_a("game_started"), sets("start_seat", next_of_four)),
    "no such starting seat": (TRADING, "shuffles", is_a("game_started"), sets("start_seat", lambda _: 4)),
    "another card is dealt": (TRADING, "moves", is_a("cards_dealt"), sets("cards", other_kind)),
    "another card is drawn": (EVERYBODY, "moves", is_a("cards_drawn"), sets("cards", other_kind)),
    "a number is left out": (EVERYBODY, "moves", is_a("cards_drawn"), sets("cards", next_numbers)),
    "another card is revealed": (DUEL, "moves", is_a("cards_revealed"), sets("cards", other_kind)),
    "cards are revealed in another order": (TRADING, "moves", TWO_REVEALED, sets("cards", turned)),
    "another card is swept": (DUEL, "moves", is_a("cards_swept"), sets("cards", other_kind)),
    "another card is planted": (TRADING, "moves", is_a("bean_planted"), sets("card", one_more)),
    "another kind is planted": (LARGE, "moves", is_a("bean_planted"), sets("bean", lambda _: "cocoa")),
    "no such field": (TRADING, "moves", is_a("bean_planted"), sets("field", lambda _: 7)),
    "no such seat": (TRADING, "moves", is_a("bean_planted"), sets("seat", lambda _: 9_007_199_254_740_991)),
    "a card is kept that was taken": (TRADING, "moves", is_a("trading_ended", has("kept")), sets("kept", lambda _: [])),
    "a gift is not left": (DUEL, "moves", is_a("gifts_left", has("cards")), sets("cards", lambda _: [])),
    "another card is discarded": (DUEL, "moves", is_a("card_discarded"), sets("card", lambda _: 4000)),
    "another card is given": (TRADING, "moves", is_a("trade_completed", has("given")), sets("given", other_kind)),
    "another turn": (TRADING, "moves", is_a("turn_started", lambda event: event["turn"] == 7), sets("turn", one_more)),
    "a hand to another seat": (TRADING, "moves", is_a("cards_dealt"), sets("seat", next_of_four)),
    "another number of an exhaustion": (TRADING, "end", is_a("deck_exhausted"), sets("exhaustion", one_more)),
    "an end too early": (TRADING, "end", is_a("deck_exhausted"), sets("final", lambda _: True)),
    "a coin more in the ranking": (TRADING, "ranking", is_a("game_ended"), sets("ranking", last_has("coins"))),
    "a card more in the ranking": (DUEL, "ranking", is_a("game_ended"), sets("ranking", last_has("hand_size"))),
    "another rank": (EVERYBODY, "ranking", is_a("game_ended"), sets("ranking", last_has("rank"))),
    "a row less": (LARGE, "ranking", is_a("game_ended"), sets("ranking", lambda rows: rows[:-1])),
    "a row more": (LARGE, "ranking", is_a("game_ended"), sets("ranking", lambda rows: [*rows, rows[-1]])),
    "another winner": (TRADING, "ranking", is_a("game_ended"), sets("winners", lambda seats: [(seats[0] + 1) % 4])),
    "another seed": (TRADING, "commitment", is_a("game_ended"), sets("seed", lambda _: "00" * 32)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_forged_event_is_found_by_its_own_check(verifier: Verifier, tmp_path: Path, name: str) -> None:
    setup, check, wanted, change = CASES[name]
    header_line, lines = parts(setup)
    version = changed(lines, wanted, change)
    forged = export(header_line, lines)

    found = wrong(verifier.of_bytes(forged))

    assert set(found) == {check}
    if check != "commitment":
        assert found[check].startswith(f"Version {version}: ")
    judged = check_file(kept(tmp_path, forged), signature_of(KEYS.public))
    # The referee finds each of them at the same version; some of them it calls otherwise.
    (said,) = (one.detail for one in judged.checks if not one.ok and not one.detail.startswith("Not reached"))
    assert said.startswith(f"Version {version if check != 'commitment' else judged.events}: ")


def test_another_commitment_and_another_nonce_and_another_game_are_found(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    changed(lines, is_a("game_created"), sets("commitment", lambda _: "ab" * 32))
    assert set(wrong(verifier.of_bytes(export(header_line, lines)))) == {"commitment"}

    header_line, lines = parts(TRADING)
    changed(lines, is_a("player_joined"), sets("nonce", lambda nonce: f"{nonce}!"))
    assert set(wrong(verifier.of_bytes(export(header_line, lines)))) == {"shuffles"}

    header_line, lines = parts(TRADING)
    header = msgspec.json.encode({**json.loads(header_line), "game": "another-game"})
    assert set(wrong(verifier.of_bytes(export(header, lines)))) == {"shuffles"}


@pytest.mark.parametrize(
    ("field", "value"),
    [("ruleset", "solitaire"), ("seats", 9), ("seats", 0), ("rules_version", 0), ("ruleset", "constructor")],
)
def test_an_edition_that_is_none_is_found(verifier: Verifier, field: str, value: object) -> None:
    header_line, lines = parts(TRADING)
    changed(lines, is_a("game_created"), sets(field, lambda _: value))
    if field != "seats":
        header_line = msgspec.json.encode({**json.loads(header_line), field: value})
    found = wrong(verifier.of_bytes(export(header_line, lines)))
    assert set(found) == {"moves"}
    assert found["moves"].startswith("Version 1: there is no ")


def test_newer_rules_are_left_to_a_newer_page(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    changed(lines, is_a("game_created"), sets("rules_version", lambda _: 2))
    header = msgspec.json.encode({**json.loads(header_line), "rules_version": 2})
    found = verifier.of_bytes(export(header, lines))
    assert wrong(found) == {}
    assert found["ok"] is False
    assert {check["name"] for check in found["checks"] if check["ok"]} == {"format", "chain", "signature", "commitment"}
    assert found["checks"][-1]["detail"] == "Version 2 of the rules is newer than this page."


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda lines: lines.pop(100), "Version 101: line 102 says version 102."),
        (lambda lines: lines.insert(100, lines[99]), "Version 101: line 102 says version 100."),
        (lambda lines: lines.insert(7, lines.pop(60)), "Version 8: line 9 says version 61."),
    ],
)
def test_lines_removed_added_or_moved_are_found(
    verifier: Verifier, damage: Callable[[list[bytes]], object], sentence: str
) -> None:
    header_line, lines = parts(TRADING)
    damage(lines)
    # Chain and signature are those of the forger, and right.
    assert wrong(verifier.of_bytes(export(header_line, lines))) == {"format": sentence}


def test_a_time_that_runs_backwards_or_is_none_is_found(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    for at, sentence in (
        ("2001-01-01T00:00:00.000000Z", "it is earlier than the version before (line {line})."),
        ("2026-02-30T00:00:00.000000Z", "line {line} has something wrong at at."),
        ("2026-01-01T24:00:00.000000Z", "line {line} has something wrong at at."),
        ("2027-01-01T00:00:00.000000+00:00", "line {line} has something wrong at at."),
        (7, "line {line} has something wrong at at."),
    ):
        forged = list(lines)
        version = changed(forged, HARVEST, lambda entry, at=at: entry.update(at=at))  # type: ignore[misc]
        found = wrong(verifier.of_bytes(export(header_line, forged)))
        assert found == {"format": f"Version {version}: {sentence.format(line=version + 1)}"}
