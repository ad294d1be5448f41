"""Edge cases 98 and 100, pitfalls B5, C1, C4, C5 and T25: who is first wins, who can still be served is
served, and everybody else is told at which version that was."""

import asyncio
import random
from collections.abc import Awaitable, Sequence

import pytest

from domain.commands import Accept, Command, EndTrading, Harvest, Offer, Reject, Withdraw
from domain.events import Event, OfferRejected, TradeCompleted, TradeOffered, TradingEnded
from domain.evolve import evolve, fold, initial
from domain.refusal import REFUSAL_CODES
from domain.state import State
from services.games.answers import Answer
from services.games.errors import CommandRefused, StaleVersion
from services.games.games import Games
from tests.domain.conservation import check_conserved, numbered_cards
from tests.infra.games import assert_chain
from tests.services.games.tables import (
    Table,
    Trading,
    World,
    chosen,
    hand,
    new_id,
    offer,
    outcome,
    running_table,
    send,
    trading_table,
)

SPREADS = (0.0, 0.0003, 0.001, 0.003, 0.006)
ROUNDS = 50


async def race(chance: random.Random, spread: float, runners: Sequence[Awaitable[Answer]]) -> list[object]:
    """All of them at once, or a little apart; what came of each."""

    async def run(runner: Awaitable[Answer]) -> object:
        await asyncio.sleep(chance.uniform(0, spread))
        return await outcome(runner)

    return await asyncio.gather(*map(run, runners))


async def assert_one_won(world: World, game: str, before: int, outcomes: Sequence[object], refusals: set[str]) -> int:
    """One of them has its events stored, the others are refused at a version at which they can go on."""
    won = [answer for answer in outcomes if isinstance(answer, Answer)]
    lost = [answer for answer in outcomes if isinstance(answer, CommandRefused)]
    assert (len(won), len(lost)) == (1, len(outcomes) - 1)
    version = await world.version(game)
    assert version == before + len(won[0].events) == won[0].version
    assert {refusal.code for refusal in lost} <= refusals
    assert {refusal.version for refusal in lost} == {version}
    return outcomes.index(won[0])


async def state_of(world: World, game: str) -> State:
    return fold(game, await world.history(game))


async def test_98_of_two_commands_on_the_same_expected_version_one_is_stored(world: World) -> None:
    first, second = world.processes(2)
    trading = await trading_table(first)
    version = await world.version(trading.game)
    for _ in range(20):
        made = Offer(want={"red": 1}), Offer(to=trading.active_seat, want={"red": 1})
        answers = await asyncio.gather(
            outcome(first.command(trading.game, trading.active, new_id(), made[0], version)),
            outcome(second.command(trading.game, trading.others[0], new_id(), made[1], version)),
        )
        won = [answer for answer in answers if isinstance(answer, Answer)]
        lost = [answer for answer in answers if isinstance(answer, StaleVersion)]
        assert (len(won), len(lost)) == (1, 1)
        version = await world.version(trading.game)
        assert won[0].version == version == lost[0].version


async def test_two_offers_at_the_same_version_on_two_processes_are_both_on_the_table(world: World) -> None:
    processes = world.processes(2)
    trading = await trading_table(processes[0])
    makers = trading.active, trading.others[0]
    for number in range(20):
        before = await world.version(trading.game)
        await asyncio.gather(*(games.view(trading.game, trading.active) for games in processes))
        answers = await asyncio.gather(
            *(
                send(games, trading.game, maker, Offer(to=to, want={"red": 1}))
                for games, maker, to in zip(processes, makers, (None, trading.active_seat), strict=True)
            )
        )
        assert sorted(answer.version for answer in answers) == [before + 1, before + 2]
        offers = (await processes[0].view(trading.game, trading.active)).offers
        assert len(offers) == len({made.offer for made in offers}) == 2 * (number + 1)


async def test_everybody_at_the_table_acts_at_once_on_one_process(world: World) -> None:
    games = world.process()
    trading = await trading_table(games, 7)
    before = await world.version(trading.game)
    answers = await asyncio.gather(
        *(
            send(games, trading.game, player, Offer(to=trading.active_seat, want={"red": 1}))
            for player in trading.others
            for _ in range(5)
        )
    )
    assert sorted(answer.version for answer in answers) == [*range(before + 1, before + 31)]


class Gifts:
    """Tables in phase 2 whose active player has a card left to give: what is traded is pending and stays so."""

    def __init__(self, games: Games, seats: int = 4) -> None:
        self._games = games
        self._seats = seats
        self._trading: Trading | None = None
        self._cards: list[int] = []

    async def next(self) -> tuple[Trading, int]:
        if self._trading is None or not self._cards:
            self._trading = await trading_table(self._games, self._seats)
            seen = await self._games.view(self._trading.game, self._trading.active)
            face_up = [card.card for card in seen.face_up]
            self._cards = [*await hand(self._games, self._trading.game, self._trading.active), *face_up]
        return self._trading, self._cards.pop()


def owner_of(state: State, card: int) -> str | None:
    """Who has that card in his hand or pending; None: it lies face up."""
    assert [number for number, _ in numbered_cards(state)].count(card) == 1
    return next((seat.player for seat in state.seats if card in seat.hand or card in seat.pending), None)


async def test_100_of_two_acceptances_of_an_offer_to_anyone_one_succeeds(world: World) -> None:
    processes = world.processes(3)
    chance = random.Random(100)
    gifts = Gifts(processes[0])
    winners = set()
    for number in range(ROUNDS):
        trading, card = await gifts.next()
        made = await offer(processes[0], trading.game, trading.active, Offer(give=[card]))
        before = await world.version(trading.game)
        takers = chance.sample(trading.others, 2)
        outcomes = await race(
            chance,
            SPREADS[number % len(SPREADS)],
            [
                send(games, trading.game, taker, Accept(made))
                for games, taker in zip(chance.sample(processes, 2), takers, strict=True)
            ],
        )
        winner = await assert_one_won(world, trading.game, before, outcomes, {"offer_not_found"})
        winners.add(winner)
        state = await state_of(world, trading.game)
        assert owner_of(state, card) == takers[winner]
        check_conserved(state)
    assert winners == {0, 1}


async def test_100_sixteen_acceptances_by_all_others_trade_the_card_once(world: World) -> None:
    processes = world.processes(3)
    chance = random.Random(25)
    gifts = Gifts(processes[0], 5)
    for spread in SPREADS * 2:
        trading, card = await gifts.next()
        made = await offer(processes[0], trading.game, trading.active, Offer(give=[card]))
        before = await world.version(trading.game)
        takers = [trading.others[number % 4] for number in range(16)]
        runners = [send(chance.choice(processes), trading.game, taker, Accept(made)) for taker in takers]
        outcomes = await race(chance, spread, runners)
        winner = await assert_one_won(world, trading.game, before, outcomes, {"offer_not_found"})
        assert owner_of(await state_of(world, trading.game), card) == takers[winner]


async def test_an_offer_is_either_accepted_or_withdrawn(world: World) -> None:
    processes = world.processes(2)
    chance = random.Random(5)
    gifts = Gifts(processes[0])
    winners = set()
    for number in range(ROUNDS):
        trading, card = await gifts.next()
        before_offer = owner_of(await state_of(world, trading.game), card)
        made = await offer(processes[0], trading.game, trading.active, Offer(give=[card]))
        before = await world.version(trading.game)
        outcomes = await race(
            chance,
            SPREADS[number % len(SPREADS)],
            [
                send(processes[0], trading.game, trading.others[0], Accept(made)),
                send(processes[1], trading.game, trading.active, Withdraw(made)),
            ],
        )
        winner = await assert_one_won(world, trading.game, before, outcomes, {"offer_not_found"})
        winners.add(winner)
        owner = trading.others[0] if winner == 0 else before_offer
        assert owner_of(await state_of(world, trading.game), card) == owner
    assert winners == {0, 1}


async def test_two_offers_of_one_card_are_not_both_accepted(world: World) -> None:
    processes = world.processes(2)
    chance = random.Random(50)
    gifts = Gifts(processes[0])
    for number in range(20):
        trading, card = await gifts.next()
        takers = trading.others[:2]
        offers = [await offer(processes[0], trading.game, trading.active, Offer(give=[card])) for _ in takers]
        before = await world.version(trading.game)
        runners = [
            send(games, trading.game, taker, Accept(made))
            for games, taker, made in zip(processes, takers, offers, strict=True)
        ]
        outcomes = await race(chance, SPREADS[number % len(SPREADS)], runners)
        winner = await assert_one_won(world, trading.game, before, outcomes, {"offer_not_found"})
        assert owner_of(await state_of(world, trading.game), card) == takers[winner]


async def test_trading_ends_before_or_after_an_acceptance_never_in_between(world: World) -> None:
    processes = world.processes(2)
    chance = random.Random(4)
    for number in range(20):
        trading = await trading_table(processes[0], 3)
        face_up = (await processes[0].view(trading.game, trading.active)).face_up[0].card
        made = await offer(processes[0], trading.game, trading.active, Offer(give=[face_up]))
        before = await world.version(trading.game)
        runners = [
            send(processes[0], trading.game, trading.others[0], Accept(made)),
            send(processes[1], trading.game, trading.active, EndTrading()),
        ]
        accepted, ended = await race(chance, SPREADS[number % len(SPREADS)], runners)
        assert isinstance(ended, Answer)
        events = (await world.history(trading.game))[before:]
        if isinstance(accepted, Answer):
            assert [type(event) for event in events] == [TradeCompleted, TradingEnded]
        else:
            assert isinstance(accepted, CommandRefused)
            assert (accepted.code, accepted.version) == ("wrong_phase", ended.version)
            assert [type(event) for event in events] == [TradingEnded]
        assert [card for card, _ in numbered_cards(await state_of(world, trading.game))].count(face_up) == 1


async def test_98_a_loser_can_go_on_from_the_version_that_it_is_told(world: World) -> None:
    games, second = world.processes(2)
    trading = await trading_table(games)
    made = await offer(games, trading.game, trading.active, Offer(want={"red": 1}))
    await second.view(trading.game, trading.active)
    await send(games, trading.game, trading.active, Withdraw(made))
    with pytest.raises(CommandRefused) as refusal:
        await send(second, trading.game, trading.others[0], Reject(made))
    assert refusal.value.version == await world.version(trading.game)
    answer = await second.command(trading.game, trading.active, "key", EndTrading(), refusal.value.version)
    assert not answer.replayed


async def test_a_slow_rejection_and_a_quick_one_are_each_answered_with_their_own(world: World) -> None:
    processes = world.processes(2)
    trading = await trading_table(processes[0])
    made = await offer(processes[0], trading.game, trading.active, Offer(want={"red": 1}))
    answers = await asyncio.gather(
        *(
            send(games, trading.game, player, Reject(made))
            for games, player in zip(processes, trading.others, strict=False)
        )
    )
    for player, answer in zip(trading.others, answers, strict=False):
        assert [item.event for item in answer.events] == [OfferRejected(made, trading.table.players.index(player))]


async def storm(table: Table, processes: Sequence[Games], seed: int) -> list[tuple[str, str, Answer]]:
    """Everybody plays at once, each on some process, on what they saw last, until the game has ended."""
    accepted: list[tuple[str, str, Answer]] = []

    async def play(player: str, chance: random.Random) -> None:
        while True:
            games = chance.choice(processes)
            seen = await games.view(table.game, player)
            if seen.status != "running":
                return
            command: Command | None = await chosen(games, table.game, player, seen, chance)
            if command is None:
                await asyncio.sleep(chance.uniform(0, 0.002))
                continue
            key = new_id()
            answer = await outcome(chance.choice(processes).command(table.game, player, key, command, None))
            if isinstance(answer, Answer):
                accepted.append((player, key, answer))
            else:
                assert isinstance(answer, CommandRefused)
                assert answer.code in REFUSAL_CODES
                assert answer.version is not None
                assert answer.version >= seen.version

    async with asyncio.timeout(60):
        await asyncio.gather(*(play(player, random.Random(seed + seat)) for seat, player in enumerate(table.players)))
    return accepted


@pytest.mark.parametrize("seats", [3, 5])
async def test_whole_games_of_people_who_do_not_wait_for_each_other(world: World, seats: int) -> None:
    processes = world.processes(3)
    table = await running_table(processes[0], seats)
    started_at = await world.version(table.game)
    accepted = await storm(table, processes, seed=seats)
    stored = await world.store.read(table.game)
    assert_chain(table.game, stored)
    # Whatever was accepted is stored, and nothing else.
    told = [item.version for _, _, answer in accepted for item in answer.events]
    assert sorted(told) == [*range(started_at + 1, len(stored) + 1)]
    for player, key, answer in accepted:
        receipt = await world.store.receipt(table.game, player, key)
        assert receipt is not None
        assert (receipt.first, receipt.last) == (answer.events[0].version, answer.version)
        acted = {record.seat for record in stored[receipt.first - 1 : receipt.last]}
        assert acted == {table.players.index(player)}
    state = initial(table.game)
    for event in await world.history(table.game):
        evolve(state, event)
        if state.next_card > 1:
            check_conserved(state)
    assert state.status == "ended"


async def test_games_of_one_process_do_not_hold_each_other_up(world: World) -> None:
    games = world.process()
    tables: list[Trading] = [await trading_table(games, 3) for _ in range(4)]
    answers = await asyncio.gather(
        *(
            outcome(send(games, trading.game, player, command))
            for trading in tables
            for player in trading.table.players
            for command in (
                Offer(to=None if player == trading.active else trading.active_seat, want={"red": 1}),
                Harvest(1),
            )
        )
    )
    events: list[Event] = [item.event for answer in answers if isinstance(answer, Answer) for item in answer.events]
    assert sum(isinstance(event, TradeOffered) for event in events) == 12
    assert {answer.code for answer in answers if isinstance(answer, CommandRefused)} == {"field_empty"}
    for trading in tables:
        assert_chain(trading.game, await world.store.read(trading.game))
