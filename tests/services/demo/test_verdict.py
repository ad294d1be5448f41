"""After an honest game the server tells another story: each kind of change is found, and its version named."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

import msgspec
import pytest

from domain.beans import Bean
from domain.commands import Harvest
from domain.events import (
    BeanPlanted,
    CardsDrawn,
    CardsRevealed,
    DeckShuffled,
    Event,
    FieldHarvested,
    GameCreated,
    GameEnded,
    GameStarted,
    PlayerJoined,
    TurnStarted,
)
from domain.referee import judge_events, revealed_seed
from services.client.client import Client
from services.demo.notebook import Accepted
from services.demo.table import _heard, _seated, _together
from services.demo.verdict import Witness, verdict
from tests.services.demo.tables import memory_server, nobody_looks, order

E = TypeVar("E", bound=Event)
change = msgspec.structs.replace


async def an_honest_game() -> tuple[str, list[Witness]]:
    async with memory_server() as url, AsyncExitStack() as closing:
        wanted = order(url, players=4, seed=3)
        clients = [await closing.enter_async_context(Client(url, wanted.patience)) for _ in range(4)]
        players = await _seated(wanted, clients, nobody_looks)
        await _together(players)
        return players[0].game, await _heard(players, clients)


@pytest.fixture(scope="module")
def honest() -> tuple[str, list[Witness]]:
    """A game that was played once for all the tests here; none of them changes it in place."""
    return asyncio.run(an_honest_game())


class Told:
    """What all seats read after the end, to be changed."""

    def __init__(self, honest: tuple[str, list[Witness]]) -> None:
        self.game, self.witnesses = honest
        self.history = list(self.witnesses[0].history)

    def first(self, kind: type[E], holds: Callable[[E], bool] = lambda _: True) -> tuple[int, E]:
        """The version and the event."""
        for item in self.history:
            if isinstance(item.event, kind) and holds(item.event):
                return item.version, item.event
        raise AssertionError(kind)

    def put(self, version: int, event: Event) -> None:
        """That event in the place of the one there."""
        self.history[version - 1] = change(self.history[version - 1], event=event)

    def faults(self, *, seats: Sequence[int] = range(4)) -> list[tuple[int, str]]:
        """The verdict, if those seats read the changed history and the others the true one."""
        changed = [
            told._replace(history=self.history) if seat in seats else told for seat, told in enumerate(self.witnesses)
        ]
        return [(fault.version, fault.what) for fault in verdict(self.game, changed)]

    def judged(self) -> tuple[int, str] | None:
        """The history alone, as somebody reads it who was not there. What he finds is in the verdict."""
        events = [item.event for item in self.history]
        fault = judge_events(self.game, events, seed=revealed_seed(events))
        if fault is None:
            return None
        assert (fault.version, fault.sentence) in self.faults()
        return fault.version, fault.reason


@pytest.fixture
def told(honest: tuple[str, list[Witness]]) -> Told:
    """Fresh for each test."""
    return Told(honest)


def another(bean: Bean | None) -> Bean:
    return "red" if bean != "red" else "blue"


def test_an_honest_history_has_no_fault(told: Told) -> None:
    assert told.faults() == []
    assert told.judged() is None


def test_a_hidden_card_that_is_another_one_later(told: Told) -> None:
    version, drawn = told.first(CardsDrawn)
    card = change(drawn.cards[0], bean=another(drawn.cards[0].bean))
    told.put(version, change(drawn, cards=[card, *drawn.cards[1:]]))
    found = told.faults()
    assert (version, f"Seat {drawn.seat} was told otherwise during the game.") in found
    assert told.judged() == (version, "wrong_draw")


def test_a_revealed_card_that_is_another_one_later(told: Told) -> None:
    version, revealed = told.first(CardsRevealed)
    card = change(revealed.cards[0], bean=another(revealed.cards[0].bean))
    told.put(version, change(revealed, cards=[card, *revealed.cards[1:]]))
    for seat in range(4):
        assert (version, f"Seat {seat} was told otherwise during the game.") in told.faults()


def test_one_seat_reads_another_history_than_the_rest(told: Told) -> None:
    version, planted = told.first(BeanPlanted)
    told.put(version, change(planted, field=1 - planted.field))
    found = told.faults(seats=[2])
    assert (version, "Seats 0 and 2 read different histories after the end.") in found
    assert (version, "Seat 2 was told otherwise during the game.") in found


def test_another_time_of_an_event(told: Told) -> None:
    told.history[49] = change(told.history[49], at="2026-11-30T05:11:36.000000Z")
    assert (50, "Seat 0 was told otherwise during the game.") in told.faults()


@pytest.mark.parametrize("number", [1, 2])
def test_a_shuffle_that_the_seed_does_not_give(told: Told, number: int) -> None:
    version, shuffled = told.first(DeckShuffled, lambda event: event.shuffle == number)
    assert shuffled.beans is not None
    told.put(version, change(shuffled, beans=sorted(shuffled.beans)))
    assert told.judged() == (version, "wrong_shuffle")


def test_another_seed_than_the_one_committed_to(told: Told) -> None:
    version, ended = told.first(GameEnded)
    told.put(version, change(ended, seed=hashlib.sha256(b"another").hexdigest()))
    assert told.judged() == (version, "wrong_seed")


def test_another_commitment_than_at_the_beginning(told: Told) -> None:
    version, created = told.first(GameCreated)
    told.put(version, change(created, commitment="0" * 64))
    assert (version, "Seat 3 was told otherwise during the game.") in told.faults()
    # Nobody but those who were there can say which of the two was changed.
    assert told.judged() == (len(told.history), "wrong_seed")


def test_another_nonce_than_the_player_gave(told: Told) -> None:
    version, joined = told.first(PlayerJoined, lambda event: event.seat == 2)
    told.put(version, change(joined, nonce="other"))
    judged = told.judged()
    assert judged is not None
    assert judged[1] in ("wrong_start_seat", "wrong_shuffle")


def test_another_seat_begins(told: Told) -> None:
    version, started = told.first(GameStarted)
    told.put(version, change(started, start_seat=(started.start_seat + 1) % 4))
    assert told.judged() == (version, "wrong_start_seat")


def test_another_turn(told: Told) -> None:
    version, turn = told.first(TurnStarted, lambda event: event.turn == 3)
    told.put(version, change(turn, seat=(turn.seat + 1) % 4))
    assert told.judged() == (version, "wrong_turn")


def test_a_harvest_that_pays_more(told: Told) -> None:
    version, harvested = told.first(FieldHarvested, lambda event: event.discarded > 0)
    told.put(version, change(harvested, coins=harvested.coins + 1, discarded=harvested.discarded - 1))
    assert told.judged() == (version, "wrong_payout")


def test_a_card_that_vanishes(told: Told) -> None:
    version, harvested = told.first(FieldHarvested, lambda event: event.discarded > 0)
    told.put(version, change(harvested, discarded=harvested.discarded - 1))
    assert told.judged() == (version, "wrong_payout")


def test_a_bean_that_grows_among_others(told: Told) -> None:
    def onto_another(event: BeanPlanted) -> bool:
        return event.source == "hand" and event.bean != "red"

    version, planted = told.first(BeanPlanted, onto_another)
    told.put(version, change(planted, bean="red"))
    assert told.judged() == (version, "wrong_card")


def test_a_ranking_that_the_coins_do_not_give(told: Told) -> None:
    version, ended = told.first(GameEnded)
    first, *others = ended.ranking
    told.put(version, change(ended, ranking=[change(first, coins=first.coins + 1), *others]))
    assert told.judged() == (version, "wrong_ranking")


def test_a_ranking_in_another_order(told: Told) -> None:
    version, ended = told.first(GameEnded)
    assert ended.ranking[0].rank != ended.ranking[-1].rank
    told.put(version, change(ended, ranking=ended.ranking[::-1]))
    assert told.judged() == (version, "wrong_ranking")


def test_another_winner(told: Told) -> None:
    version, ended = told.first(GameEnded)
    told.put(version, change(ended, winners=[ended.ranking[-1].seat]))
    assert told.judged() == (version, "wrong_ranking")


def test_an_event_that_is_left_out(told: Told) -> None:
    version, _ = told.first(BeanPlanted)
    del told.history[version - 1]
    found = told.faults()
    assert (version, f"The whole history has version {version + 1} in this place.") in found


def test_a_history_that_ends_too_early(told: Told) -> None:
    told.history.pop()
    last = len(told.history)
    found = told.faults()
    assert told.judged() == (last + 1, "must_follow")
    assert (last + 1, f"Seat 0 was told {last + 1} events, and reads {last} now.") in found


def test_a_move_that_nobody_made(told: Told) -> None:
    seat = next(told for told in told.witnesses if told.notebook.accepted)
    accepted = seat.notebook.accepted
    before = list(accepted)
    try:
        lost = accepted.pop(2)
        found = told.faults()
    finally:
        accepted[:] = before
    assert found == [(lost.answer.events[0].version, "No client sent the command that this came from.")]


def test_a_command_that_counts_twice(told: Told) -> None:
    accepted = told.witnesses[1].notebook.accepted
    before = list(accepted)
    try:
        accepted.append(accepted[0])
        found = told.faults()
    finally:
        accepted[:] = before
    first = accepted[0].answer.events[0].version
    assert [what for _, what in found] == [f"Version {first} answers two commands, one of them from seat 1."]


def test_an_event_that_its_command_does_not_give(told: Told) -> None:
    accepted = told.witnesses[1].notebook.accepted
    before = list(accepted)
    answer = accepted[0].answer
    try:
        accepted[0] = Accepted(Harvest(99), answer)
        found = told.faults()
    finally:
        accepted[:] = before
    assert found[0][0] == answer.events[0].version
    assert "decided again, is refused" in found[0][1]


def test_a_last_view_that_is_not_the_history(told: Told) -> None:
    seat = told.witnesses[2]
    told.witnesses = [
        *told.witnesses[:2],
        seat._replace(view=change(seat.view, discard_size=1)),
        told.witnesses[3],
    ]
    (fault,) = told.faults()
    assert fault[1] == "The last view of seat 2 is not what the history gives."


def test_nothing_at_all(told: Told) -> None:
    told.history = []
    assert told.judged() == (1, "must_follow")
