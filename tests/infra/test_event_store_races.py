"""Many processes on one log: each version has one winner, whatever the timing, and nobody waits for ever."""

import asyncio
import random

import msgspec
import pytest

from infra.event_store import Append, Receipt
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database, RecordConnection
from tests.infra.games import Game, assert_chain, broken, created, new_id, ordered_id

PATIENCE = 20.0


async def assert_head_is_last_event(owner: RecordConnection, game: str) -> None:
    head = await owner.fetchrow("select version, head_hash from games where game = $1", game)
    last = await owner.fetchrow("select version, hash from events where game = $1 order by version desc limit 1", game)
    assert head is not None
    assert last is not None
    assert tuple(head) == tuple(last)


async def test_two_processes_on_one_game_never_fork_it(
    postgres_store: PostgresEventStore, second_store: PostgresEventStore, owner: RecordConnection
) -> None:
    game = await created(postgres_store)

    async def play(store: PostgresEventStore, name: str) -> int:
        stored = 0
        mine = Game(game=game.game, host=game.host, players=game.summary.players)
        for number in range(40):
            await mine.refresh(store)
            stored += await store.append(mine.following(1 + number % 2, key=f"{name} {number}"))
        return stored

    async with asyncio.timeout(PATIENCE):
        counts = await asyncio.gather(
            *(play(store, f"{n}") for n, store in enumerate([postgres_store, second_store] * 4))
        )
    assert sum(counts) > 40
    assert_chain(game.game, await second_store.read(game.game))
    await assert_head_is_last_event(owner, game.game)
    receipts = await owner.fetchval("select count(*) from receipts where game = $1", game.game)
    assert receipts == sum(counts)


async def test_of_sixteen_racers_at_any_distance_one_wins(database_url: str, owner: RecordConnection) -> None:
    databases = [await Database.open(database_url, size=2) for _ in range(4)]
    stores = [PostgresEventStore(database) for database in databases]
    chance = random.Random(25)
    async with asyncio.timeout(PATIENCE):
        for spread in (0.0, 0.0005, 0.002, 0.005, 0.01) * 6:
            game = await created(stores[0])

            async def race(number: int, game: Game = game, spread: float = spread) -> bool:
                await asyncio.sleep(chance.uniform(0, spread))
                return await stores[number % 4].append(game.following(1 + number % 3, key=f"{number}"))

            won = await asyncio.gather(*(race(number) for number in range(16)))
            assert won.count(True) == 1
            winner = won.index(True)
            stored = await stores[1].read(game.game)
            assert stored == game.records + game.following(1 + winner % 3).records
            await assert_head_is_last_event(owner, game.game)
    for store, database in zip(stores, databases, strict=True):
        await store.close()
        await database.close()


async def test_of_two_commands_that_both_passed_validation_one_is_stored(
    postgres_store: PostgresEventStore, second_store: PostgresEventStore
) -> None:
    for _ in range(30):
        game = await created(postgres_store)
        first, second = game.following(key="first"), game.following(2, key="second")
        stored = await asyncio.gather(postgres_store.append(first), second_store.append(second))
        assert sorted(stored) == [False, True]
        assert len(await postgres_store.read(game.game)) == (3 if stored[0] else 4)


async def test_one_key_at_the_same_time_on_two_processes_has_one_effect(
    postgres_store: PostgresEventStore, second_store: PostgresEventStore
) -> None:
    for _ in range(30):
        game = await created(postgres_store)
        copy = game.following(key="key")
        stored = await asyncio.gather(postgres_store.append(copy), second_store.append(copy))
        assert sorted(stored) == [False, True]
        assert len(await postgres_store.read(game.game)) == 3
        for store in (postgres_store, second_store):
            assert await store.receipt(game.game, game.host, "key") == copy.receipt


async def test_a_key_stays_used_when_the_head_has_moved_on(
    postgres_store: PostgresEventStore, second_store: PostgresEventStore
) -> None:
    game = await created(postgres_store)
    first = game.following(key="key")
    assert await postgres_store.append(first)
    game.accept(first)
    stored = await asyncio.gather(
        *(store.append(game.following(key="key")) for store in (postgres_store, second_store))
    )
    assert stored == [False, False]
    assert await second_store.append(game.following(key="another"))


async def test_batches_in_opposite_orders_never_wait_crosswise(
    postgres_store: PostgresEventStore, second_store: PostgresEventStore, owner: RecordConnection
) -> None:
    games = [await created(postgres_store, Game(game=ordered_id(number))) for number in range(1, 31)]
    async with asyncio.timeout(PATIENCE):
        for number in range(5):
            for game in games:
                await game.refresh(postgres_store)
            # Both get as far as the game in the middle, if each went its own way: then neither could go on.
            async with owner.transaction():
                await owner.execute("select from games where game = $1 for update", games[15].game)
                forth = asyncio.gather(
                    *(postgres_store.append(game.following(key=f"forth {number}")) for game in games)
                )
                back = asyncio.gather(
                    *(second_store.append(game.following(key=f"back {number}")) for game in reversed(games))
                )
                await until_waiting(owner, 2)
            stored = zip(await forth, reversed(await back), strict=True)
            assert [first + second for first, second in stored] == [1] * 30


async def until_waiting(owner: RecordConnection, count: int) -> None:
    """Returns when that many statements wait for a lock."""
    waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    while await owner.fetchval(waiting) < count:
        # Within a transaction the view would show the same moment for ever.
        await owner.execute("select pg_stat_clear_snapshot()")
        await asyncio.sleep(0.005)


async def test_a_bad_append_fails_alone(postgres_store: PostgresEventStore) -> None:
    games = [await created(postgres_store) for _ in range(8)]
    appends = [game.following(key="key") for game in games]
    appends[5] = broken(appends[5])
    answers = await asyncio.gather(*map(postgres_store.append, appends), return_exceptions=True)
    assert [answer is True for answer in answers] == [number != 5 for number in range(8)]
    assert str(answers[5]) == "CheckViolationError (23514) at events_hash_check"
    assert await postgres_store.read(games[5].game) == games[5].records
    assert await postgres_store.receipt(games[5].game, games[5].host, "key") is None
    assert await postgres_store.append(games[5].following(key="key"))


@pytest.mark.parametrize(
    "receipt",
    [
        Receipt("no id", "key", b"f", 3, 3),
        Receipt(new_id(), "a\0b", b"f", 3, 3),
        Receipt(new_id(), "\ud800", b"f", 3, 3),
        Receipt(new_id(), "key", b"f", 3, 2**40),
        Receipt(new_id(), "key", b"f", 4, 3),
    ],
)
async def test_values_that_no_column_takes_fail_alone_too(postgres_store: PostgresEventStore, receipt: Receipt) -> None:
    good, bad = await created(postgres_store), await created(postgres_store)
    spoilt = msgspec.structs.replace(bad.following(), receipt=receipt)
    answers = await asyncio.gather(
        postgres_store.append(good.following()), postgres_store.append(spoilt), return_exceptions=True
    )
    assert answers[0] is True
    assert type(answers[1]).__name__ == "StoreFault"
    assert await postgres_store.read(bad.game) == bad.records


async def test_one_player_less_or_more_than_there_are_seats_is_refused(postgres_store: PostgresEventStore) -> None:
    game = await created(postgres_store)
    append = game.following()
    players = [*append.summary.players, None]
    crowded: Append = msgspec.structs.replace(append, summary=msgspec.structs.replace(append.summary, players=players))
    with pytest.raises(Exception, match="games_players_by_seat"):
        await postgres_store.append(crowded)
    assert await postgres_store.append(append)
