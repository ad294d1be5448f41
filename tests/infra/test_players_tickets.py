"""Tickets in every player store: each is taken once, in time, by the player whose it is."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest

from infra.event_store import StoreFault, StoreUnavailable
from infra.players import PlayerStore
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database, RecordConnection
from tests.infra.games import NOON, new_id

ONE, TWO, THREE = b"1" * 32, b"2" * 32, b"3" * 32
HALF_A_MINUTE = timedelta(seconds=30)
END = NOON + HALF_A_MINUTE


async def test_a_ticket_is_taken_once(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.add_ticket(player, ONE, NOON, END)
    assert await player_store.take_ticket(player, ONE, NOON)
    assert not await player_store.take_ticket(player, ONE, NOON)


async def test_a_player_may_have_several(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.add_ticket(player, ONE, NOON, END)
    await player_store.add_ticket(player, TWO, NOON, END)
    assert await player_store.take_ticket(player, ONE, NOON)
    assert await player_store.take_ticket(player, TWO, NOON)


async def test_a_ticket_ends_at_its_time_and_is_used_up_by_coming_late(player_store: PlayerStore) -> None:
    player = new_id()
    for secret_hash in (ONE, TWO):
        await player_store.add_ticket(player, secret_hash, NOON, END)
    assert await player_store.take_ticket(player, ONE, END - timedelta(microseconds=1))
    assert not await player_store.take_ticket(player, TWO, END)
    assert not await player_store.take_ticket(player, TWO, NOON)


async def test_nobody_takes_what_is_not_his_and_it_stays_good(player_store: PlayerStore) -> None:
    player, other = new_id(), new_id()
    await player_store.add_ticket(player, ONE, NOON, END)
    await player_store.add_ticket(other, TWO, NOON, END)
    for stranger, secret_hash in ((other, ONE), (player, TWO), (player, THREE), (new_id(), ONE), ("no id at all", ONE)):
        assert not await player_store.take_ticket(stranger, secret_hash, NOON)
    assert await player_store.take_ticket(player, ONE, NOON)
    assert await player_store.take_ticket(other, TWO, NOON)


async def test_the_same_ticket_is_not_added_twice(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.add_ticket(player, ONE, NOON, END)
    with pytest.raises(StoreFault):
        await player_store.add_ticket(player, ONE, NOON, END + HALF_A_MINUTE)
    await player_store.add_ticket(new_id(), ONE, NOON, END)


async def test_a_new_ticket_takes_the_expired_ones_of_its_player_with_it(player_store: PlayerStore) -> None:
    player, other = new_id(), new_id()
    await player_store.add_ticket(player, ONE, NOON, END)
    await player_store.add_ticket(player, TWO, NOON, END + HALF_A_MINUTE)
    await player_store.add_ticket(other, ONE, NOON, END)
    await player_store.add_ticket(player, THREE, END, END + HALF_A_MINUTE)
    # Asked at a time when all of them were good still, so that only their being there counts.
    assert not await player_store.take_ticket(player, ONE, NOON)
    assert await player_store.take_ticket(player, TWO, NOON)
    assert await player_store.take_ticket(player, THREE, NOON)
    assert await player_store.take_ticket(other, ONE, NOON)


async def test_expired_tickets_are_cleared_in_batches_the_oldest_first(player_store: PlayerStore) -> None:
    players = [new_id() for _ in range(5)]
    for seconds, player in enumerate(players):
        await player_store.add_ticket(player, ONE, NOON, NOON + timedelta(seconds=seconds + 1))
    at_the_fourth = NOON + timedelta(seconds=4)
    assert await player_store.clear_tickets(NOON, 3) == 0
    assert await player_store.clear_tickets(at_the_fourth, 3) == 3
    assert await player_store.clear_tickets(at_the_fourth, 3) == 1
    assert await player_store.clear_tickets(at_the_fourth, 3) == 0
    assert [await player_store.take_ticket(player, ONE, NOON) for player in players] == [False] * 4 + [True]


async def test_of_fifty_who_take_one_ticket_at_the_same_time_one_gets_it(database: Database, database_url: str) -> None:
    second = await Database.open(database_url)
    stores = [PostgresPlayerStore(database), PostgresPlayerStore(second)]
    for _ in range(10):
        player = new_id()
        await stores[0].add_ticket(player, ONE, NOON, END)
        taken = await asyncio.gather(
            *(stores[number % 2].take_ticket(player, ONE, NOON) for number in range(50)),
        )
        assert sorted(taken) == [False] * 49 + [True]
    await second.close()


async def test_clearing_in_several_processes_removes_the_expired_and_nothing_else(
    database: Database, database_url: str, owner: RecordConnection
) -> None:
    second = await Database.open(database_url)
    stores = [PostgresPlayerStore(database), PostgresPlayerStore(second)]
    for number in range(40):
        await stores[0].add_ticket(new_id(), bytes([number]) * 32, NOON, END)
    players = [new_id() for _ in range(4)]

    async def clear(number: int) -> int:
        # Of two whose rows cross, the database may turn one away; he comes again.
        with suppress(StoreUnavailable):
            return await stores[number % 2].clear_tickets(END, 15)
        return 0

    cleared, _ = await asyncio.gather(
        asyncio.gather(*(clear(number) for number in range(6))),
        asyncio.gather(
            *(stores[n % 2].add_ticket(player, ONE, END, END + HALF_A_MINUTE) for n, player in enumerate(players))
        ),
    )
    rest = await stores[0].clear_tickets(END, 40)
    assert sum(cleared) + rest == 40
    assert await owner.fetchval("select count(*) from tickets") == 4
    assert all([await stores[1].take_ticket(player, ONE, END) for player in players])
    await second.close()


async def test_the_application_cannot_prolong_a_ticket(database: Database) -> None:
    with pytest.raises(StoreFault, match="InsufficientPrivilege"):
        await database.execute("update tickets set expires_at = expires_at + interval '1 day'")
