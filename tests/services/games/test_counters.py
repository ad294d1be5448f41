"""Nothing is retried, replayed or refused without being counted."""

import asyncio

import pytest
from prometheus_client import REGISTRY

from domain.commands import Offer, Plant, Reveal, Withdraw
from services.games.errors import CommandRefused, KeyReused, StaleVersion
from tests.services.games.counters import counter
from tests.services.games.stores import Troubled
from tests.services.games.tables import (
    World,
    new_id,
    open_table,
    outcome,
    running_table,
    send,
    trading_table,
)


async def test_a_lost_race_counts_as_a_conflict_and_as_a_retry(world: World) -> None:
    games, other = world.processes(2)
    trading = await trading_table(games)
    store = Troubled(world.store)
    late = world.process(store=store)
    await late.view(trading.game, trading.active)
    conflicts, retries = counter("append_conflicts"), counter("append_retries")
    await send(other, trading.game, trading.active, Offer(want={"red": 1}))
    assert (conflicts(), retries()) == (0, 0)
    await send(late, trading.game, trading.active, Offer(want={"red": 1}))
    assert (conflicts(), retries()) == (1, 1)
    assert store.calls.count("append") == 2


async def test_every_copy_that_is_answered_from_a_receipt_counts(world: World) -> None:
    processes = world.processes(3)
    trading = await trading_table(processes[0])
    replays = counter("replayed_answers")
    await asyncio.gather(
        *(games.command(trading.game, trading.active, "key", Offer(want={"red": 1}), None) for games in processes * 2)
    )
    assert replays() == 5
    with pytest.raises(KeyReused):
        await processes[0].command(trading.game, trading.active, "key", Reveal(), None)
    assert replays() == 5


async def test_refusals_count_once_each_by_their_code(world: World) -> None:
    games, other = world.processes(2)
    table = await running_table(games, 3)
    first, second, third = (
        counter("refusals", code=code) for code in ("must_plant_first", "not_your_turn", "offer_not_found")
    )
    outcomes = [await outcome(send(games, table.game, player, Reveal())) for player in table.players]
    assert sorted(answer.code for answer in outcomes if isinstance(answer, CommandRefused)) == [
        "must_plant_first",
        "not_your_turn",
        "not_your_turn",
    ]
    assert (first(), second(), third()) == (1, 2, 0)
    # A refusal that is none, because this process had only not seen the offer yet, does not count.
    trading = await trading_table(games, 3)
    await other.view(trading.game, trading.active)
    await send(games, trading.game, trading.active, Offer(want={"red": 1}))
    await send(other, trading.game, trading.active, Withdraw(1))
    assert third() == 0
    with pytest.raises(CommandRefused):
        await send(other, trading.game, trading.active, Withdraw(1))
    assert third() == 1


async def test_a_copy_that_is_answered_does_not_count_as_a_refusal(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    await games.command(trading.game, trading.active, "key", Offer(want={"red": 1}), None)
    await games.command(trading.game, trading.active, "withdrawal", Withdraw(1), None)
    refusals = counter("refusals", code="offer_not_found")
    answer = await games.command(trading.game, trading.active, "withdrawal", Withdraw(1), None)
    assert answer.replayed
    assert refusals() == 0


async def test_refusals_before_the_start_count_too(world: World) -> None:
    games = world.process()
    table = await open_table(games, 3, taken=2)
    codes = ("seats_open", "game_full", "already_started")
    counters = [counter("refusals", code=code) for code in codes]
    uses = [games.start(table.game, table.players[0])]
    assert [type(await outcome(use)) for use in uses] == [CommandRefused]
    await games.join(table.game, new_id(), None, "")
    assert isinstance(await outcome(games.join(table.game, new_id(), None, "")), CommandRefused)
    await games.start(table.game, table.players[0])
    assert isinstance(await outcome(games.leave(table.game, table.players[0])), CommandRefused)
    assert [count() for count in counters] == [1, 1, 1]


async def test_what_is_no_refusal_by_the_rules_has_no_code_there(world: World) -> None:
    games = world.process()
    trading = await trading_table(games)
    with pytest.raises(StaleVersion):
        await games.command(trading.game, trading.active, "key", Plant(1, 0), 1)
    samples = [
        sample for metric in REGISTRY.collect() if metric.name == "bohnanza_refusals" for sample in metric.samples
    ]
    assert "stale_version" not in {sample.labels.get("code") for sample in samples}
