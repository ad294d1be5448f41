"""Events that were never there, or are there no more: the history is numbered, chained and signed anew, and the page
still finds the first version at which it cannot have been so, as `bohnanza verify` does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.shuffle import shuffled
from services.audit.files import check_file
from services.audit.signatures import signature_of
from tests.exports import KEYS, export, kept, parts
from tests.services.api.verifier_page import Verifier, wrong

DUEL: Final = "classic-2"
TRADING: Final = "classic-4"
LARGE: Final = "classic-6"
REVEALED: Final = "amigo_2023-5"
"""Its last exhaustion comes amid a reveal, so that cards are traded and planted behind it."""

Event = dict[str, Any]


class History:
    """A game as somebody rewrites it."""

    def __init__(self, setup: str) -> None:
        self.header_line, lines = parts(setup)
        self.entries: list[Event] = [json.loads(line) for line in lines]

    def events(self) -> list[Event]:
        return [entry["event"] for entry in self.entries]

    def game(self) -> str:
        return str(json.loads(self.header_line)["game"])

    def seed(self) -> bytes:
        return bytes.fromhex(self.events()[-1]["seed"])

    def nonces(self) -> list[str]:
        """Of every seat, that of the last who sat down there."""
        nonces = [""] * int(self.events()[0]["seats"])
        for event in self.events():
            if event["type"] in ("player_joined", "player_left"):
                nonces[event["seat"]] = event.get("nonce", "")
        return nonces

    def first(self, kind: str, holds: Callable[[Event], object] = lambda _: True) -> int:
        """The place of the first event of that kind."""
        return next(place for place, event in enumerate(self.events()) if event["type"] == kind and holds(event))

    def last(self, kind: str) -> int:
        return max(place for place, event in enumerate(self.events()) if event["type"] == kind)

    def insert(self, place: int, event: Event) -> None:
        """Before what stands there, by whoever does that, at the same time."""
        self.entries.insert(place, {**self.entries[place], "event": event})

    def export(self) -> bytes:
        """Numbered, chained and signed anew."""
        lines = [msgspec.json.encode({**entry, "version": place}) for place, entry in enumerate(self.entries, 1)]
        return export(self.header_line, lines)


def check(verifier: Verifier, history: History, folder: Path, name: str, place: int, says: str = "") -> None:
    """The page finds that check wrong at that place and `says` that of it, and the referee finds the same place."""
    content = history.export()
    found = wrong(verifier.of_bytes(content))
    assert {name: found.get(name, found)} == found
    assert found[name].startswith(f"Version {place + 1}: ")
    assert says in found[name]
    judged = check_file(kept(folder, content), signature_of(KEYS.public))
    assert any(one.detail.startswith(f"Version {place + 1}: ") for one in judged.checks if not one.ok)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("deck_exhausted", "end"), ("field_harvested", "end"), ("deck_shuffled", "moves"), ("turn_started", "moves")],
)
@pytest.mark.parametrize("setup", [TRADING, LARGE])
def test_an_event_that_is_left_out_is_missed(
    verifier: Verifier, tmp_path: Path, setup: str, kind: str, name: str
) -> None:
    history = History(setup)
    gone = history.last(kind)
    del history.entries[gone]
    found = wrong(verifier.of_bytes(history.export()))
    assert set(found) == {name}
    judged = check_file(kept(tmp_path, history.export()), signature_of(KEYS.public))
    assert not judged.ok


def test_the_first_exhaustion_is_missed_at_once(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    gone = history.first("deck_exhausted")
    del history.entries[gone]
    check(verifier, history, tmp_path, "end", gone)


def test_nothing_comes_after_the_end(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    end = len(history.entries) - 1
    history.insert(end, history.events()[100])
    assert set(wrong(verifier.of_bytes(history.export()))) == {"end"}

    history = History(TRADING)
    history.entries.append(history.entries[-1])
    check(verifier, history, tmp_path, "end", end + 1)


def test_a_history_that_stops_before_the_end_is_found(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    for kept_lines in (lines[:-1], lines[:1]):
        assert set(wrong(verifier.of_bytes(export(header_line, kept_lines)))) == {"commitment", "end"}


def test_a_game_cannot_end_before_the_deck_is_used_up(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    begun = history.first("turn_started") + 1
    # Nobody has a coin, and everybody five cards: the ranking would be right.
    ranking = [{"seat": seat, "coins": 0, "hand_size": 5, "rank": 1} for seat in range(4)]
    end = {**history.events()[-1], "ranking": ranking, "winners": [0, 1, 2, 3]}
    history.entries[begun:] = [{**history.entries[begun], "event": end}]
    check(verifier, history, tmp_path, "end", begun)


def test_a_game_that_has_begun_cannot_be_abandoned(verifier: Verifier) -> None:
    history = History(TRADING)
    begun = history.first("turn_started") + 1
    abandoned = {"type": "game_abandoned", "reason": "host_left", "seed": history.events()[-1]["seed"]}
    history.entries[begun:] = [{**history.entries[begun], "event": abandoned}]
    assert set(wrong(verifier.of_bytes(history.export()))) == {"end"}


def test_a_harvest_is_final_only_at_the_end(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    place = history.first("field_harvested")
    history.events()[place]["final"] = True
    check(verifier, history, tmp_path, "end", place)


def test_the_last_harvests_have_an_order(verifier: Verifier) -> None:
    history = History(TRADING)
    place = len(history.entries) - 3
    one, other = history.entries[place : place + 2]
    assert one["event"]["final"]
    assert other["event"]["final"]
    history.entries[place : place + 2] = [other, one]
    # The referee misses the first one already where the second stands.
    found = wrong(verifier.of_bytes(history.export()))
    assert set(found) == {"end"}
    assert found["end"].startswith(f"Version {place + 2}: ")


def final_exhaustion(history: History) -> int:
    return history.first("deck_exhausted", lambda event: event["final"])


def next_deck(history: History, place: int) -> Event:
    """The shuffle of all that is discarded before that place, in the very order that the seed gives."""
    pool: list[Any] = []
    number = 1
    for event in history.events()[:place]:
        match event["type"]:
            case "deck_shuffled":
                pool, number = [], number + 1
            case "field_harvested":
                pool += [event["bean"]] * event["discarded"]
            case "field_bought":
                pool += [card["bean"] for card in event["paid"]]
            case _:
                pass
    beans = shuffled(history.seed(), history.game(), history.nonces(), number, pool)
    return {"type": "deck_shuffled", "shuffle": number, "size": len(beans), "beans": beans}


def top_card(history: History, place: int) -> list[Event]:
    """The card that would be taken first from the deck that is shuffled there."""
    taken = ("cards_dealt", "cards_drawn", "cards_revealed")
    number = 1 + sum(len(event["cards"]) for event in history.events()[:place] if event["type"] in taken)
    return [{"card": number, "bean": history.events()[place]["beans"][0]}]


@pytest.mark.parametrize("setup", [TRADING, REVEALED])
def test_nothing_is_shuffled_after_the_last_exhaustion(verifier: Verifier, tmp_path: Path, setup: str) -> None:
    history = History(setup)
    place = final_exhaustion(history) + 1
    history.insert(place, next_deck(history, place))
    check(verifier, history, tmp_path, "end", place, "a shuffle comes after the last exhaustion")


@pytest.mark.parametrize("setup", [TRADING, REVEALED])
@pytest.mark.parametrize("kind", ["cards_drawn", "cards_revealed"])
def test_no_card_is_taken_after_the_last_exhaustion(verifier: Verifier, tmp_path: Path, setup: str, kind: str) -> None:
    history = History(setup)
    place = final_exhaustion(history)
    drawer = history.events()[history.last("turn_started")]["seat"]
    # Nothing is left to be taken, and even that nothing was taken is not told any more.
    history.insert(place + 1, {"type": kind, "seat": drawer, "cards": []})
    check(verifier, history, tmp_path, "end", place + 1, "a card is taken after the last exhaustion")


@pytest.mark.parametrize("setup", [TRADING, REVEALED])
def test_the_deck_is_used_up_for_the_last_time_once(verifier: Verifier, tmp_path: Path, setup: str) -> None:
    for number in (3, 4):
        history = History(setup)
        place = final_exhaustion(history) + 1
        history.insert(place, {"type": "deck_exhausted", "exhaustion": number, "final": True})
        check(verifier, history, tmp_path, "end", place, "was used up for the last time before")


@pytest.mark.parametrize("setup", [TRADING, REVEALED])
def test_a_whole_round_after_the_last_exhaustion_is_found(verifier: Verifier, tmp_path: Path, setup: str) -> None:
    history = History(setup)
    place = final_exhaustion(history) + 1
    history.insert(place, next_deck(history, place))
    last = history.events()[-1]["ranking"][-1]
    card = top_card(history, place)
    history.insert(place + 1, {"type": "cards_drawn", "seat": last["seat"], "cards": card})
    last["hand_size"] += 1
    check(verifier, history, tmp_path, "end", place, "a shuffle comes after the last exhaustion")


@pytest.mark.parametrize("setup", [TRADING, REVEALED])
def test_no_turn_begins_after_the_last_exhaustion(verifier: Verifier, tmp_path: Path, setup: str) -> None:
    history = History(setup)
    place = final_exhaustion(history) + 1
    turn = history.events()[history.last("turn_started")]
    history.insert(
        place, {"type": "turn_started", "turn": turn["turn"] + 1, "seat": (turn["seat"] + 1) % int(setup[-1])}
    )
    check(verifier, history, tmp_path, "end", place, "a turn begins after the last exhaustion")


@pytest.mark.parametrize("setup", [DUEL, TRADING, LARGE, "classic-3", "field_beans-4", "new_beans-5"])
@pytest.mark.parametrize("left", ["none", "all but the first", "the first"])
def test_the_last_harvests_are_marked_as_final(verifier: Verifier, tmp_path: Path, setup: str, left: str) -> None:
    history = History(setup)
    places = [place for place, event in enumerate(history.events()) if event.get("final") and "coins" in event]
    changed = {"none": places, "all but the first": places[1:], "the first": places[:1]}[left]
    assert len(places) > 1
    for place in changed:
        history.events()[place]["final"] = False
    check(verifier, history, tmp_path, "end", changed[0])


def test_the_game_does_not_end_while_cards_lie_aside(verifier: Verifier, tmp_path: Path) -> None:
    history = History(REVEALED)
    planted = history.last("bean_planted")
    assert history.events()[planted + 1]["final"]
    del history.entries[planted]
    check(verifier, history, tmp_path, "end", planted)


def test_a_deck_is_not_shuffled_while_cards_are_left(verifier: Verifier) -> None:
    history = History(TRADING)
    harvest = history.first("field_harvested", lambda event: event["discarded"] > 0)
    history.insert(harvest + 1, next_deck(history, harvest + 1))
    found = wrong(verifier.of_bytes(history.export()))
    assert set(found) == {"shuffles"}
    assert found["shuffles"].startswith(f"Version {harvest + 2}: the deck is shuffled while ")


def test_the_game_is_not_over_while_the_discard_pile_can_be_shuffled(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    exhausted = history.first("deck_exhausted")
    history.insert(exhausted + 1, {"type": "deck_exhausted", "exhaustion": 3, "final": True})
    check(verifier, history, tmp_path, "end", exhausted + 1)


def test_only_the_front_card_is_planted_from_the_hand(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    place = history.first("bean_planted")
    planted = history.events()[place]
    dealt = history.events()[history.first("cards_dealt", lambda event: event["seat"] == planted["seat"])]
    planted.update(dealt["cards"][1])
    check(verifier, history, tmp_path, "moves", place)


def test_nothing_is_planted_on_another_kind(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    fields: dict[tuple[int, int], str] = {}
    for place, event in enumerate(history.events()):
        if event["type"] != "bean_planted":
            continue
        other = 1 - event["field"]
        if fields.get((event["seat"], other), event["bean"]) != event["bean"]:
            event["field"] = other
            check(verifier, history, tmp_path, "moves", place)
            return
        fields[event["seat"], event["field"]] = event["bean"]
    pytest.fail("nobody planted two kinds")


def test_a_field_is_not_bought_without_coins(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    begun = history.first("turn_started")
    seat = history.events()[begun]["seat"]
    history.insert(begun + 1, {"type": "field_bought", "seat": seat, "price": 3, "paid": []})
    check(verifier, history, tmp_path, "coins", begun + 1)


def test_gifts_are_dealt_with_before_others_are_left(verifier: Verifier, tmp_path: Path) -> None:
    history = History(DUEL)
    left = history.first("gifts_left", lambda event: event["cards"])
    history.insert(left + 1, {**history.events()[left], "cards": []})
    check(verifier, history, tmp_path, "moves", left + 1)


def test_a_game_starts_with_all_seats_taken_once(verifier: Verifier, tmp_path: Path) -> None:
    history = History(TRADING)
    started = history.first("game_started")
    joined = max(place for place, event in enumerate(history.events()) if event["type"] == "player_joined")
    del history.entries[joined]
    # The referee looks for the players in the way that this game was to begin.
    check(verifier, history, tmp_path, "moves", started - 1)

    history = History(TRADING)
    history.events()[joined]["seat"] = 0
    check(verifier, history, tmp_path, "moves", joined)


def test_a_header_of_another_edition_is_found(verifier: Verifier) -> None:
    header_line, lines = parts(TRADING)
    for field, other in (("ruleset", "boonanza"), ("rules_version", 2)):
        header = msgspec.json.encode({**json.loads(header_line), field: other})
        assert wrong(verifier.of_bytes(export(header, lines))) == {
            "format": f"Version 1: {field} is not that of the header."
        }
