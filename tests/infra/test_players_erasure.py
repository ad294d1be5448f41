"""Erasing a player, in every player store: nothing is left of the person, and nobody else loses anything
(pitfalls E14, T47)."""

import asyncio
from datetime import timedelta

import pytest

from infra.event_store import EventStore
from infra.players import Player, PlayerStore
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database, RecordConnection
from tests.infra.games import NOON, Game, assert_chain, created, new_id

LATER = NOON + timedelta(days=90)
OLD, NEW = b"old" * 8, b"new" * 8
SECRET = b"1" * 32
MOMENT = timedelta(microseconds=1)
MINUTE = timedelta(minutes=1)


async def somebody(players: PlayerStore, name: str = "Ada") -> tuple[str, str]:
    """A player with all that is kept of one, and the family of her tokens."""
    player, family = new_id(), new_id()
    await players.create(player, name, "en", NOON)
    await players.open_family(player, family, OLD, LATER)
    await players.add_ticket(player, SECRET, NOON, LATER)
    return player, family


async def played(events: EventStore, *players: str) -> Game:
    """A game in which each of them has sent one command, with the key `key`."""
    game = await created(events, Game(host=players[0], players=[*players, None]))
    for player in players:
        append = game.following(key="key", player=player)
        assert await events.append(append)
        game.accept(append)
    return game


async def test_nothing_is_left_of_who_was_erased(player_store: PlayerStore) -> None:
    player, family = await somebody(player_store)
    assert await player_store.erase(player)
    assert await player_store.get(player) is None
    assert await player_store.names([player]) == {}
    assert await player_store.rename(player, "Eve", "fr") is None
    assert await player_store.rotate(player, family, OLD, NEW, NOON, LATER) == "unknown"
    assert not await player_store.take_ticket(player, SECRET, NOON)


async def test_nobody_else_loses_anything(event_store: EventStore, player_store: PlayerStore) -> None:
    events, players = event_store, player_store
    (player, _), (other, family) = await somebody(players), await somebody(players, "Grace")
    game, elsewhere = await played(events, player, other), await played(events, other)
    assert await players.erase(player)
    assert await players.get(other) == Player(other, "Grace", "en", NOON)
    assert await players.rotate(other, family, OLD, NEW, NOON, LATER) == "rotated"
    assert await players.take_ticket(other, SECRET, NOON)
    for one in (game, elsewhere):
        assert await events.receipt(one.game, other, "key") is not None


async def test_the_keys_of_the_commands_go_and_the_log_stays(
    event_store: EventStore, player_store: PlayerStore
) -> None:
    events, players = event_store, player_store
    (player, _), (other, _) = await somebody(players), await somebody(players)
    games = [await played(events, player, other), await played(events, other, player)]
    rows = (await events.games(caller=other, status=None, ruleset=None, player=player, cursor=None, limit=10)).rows
    assert len(rows) == 2
    assert await players.erase(player)
    for game in games:
        assert await events.receipt(game.game, player, "key") is None
        assert await events.read(game.game) == game.records
        assert_chain(game.game, await events.read(game.game))
        append = game.following(key="next", player=other)
        assert await events.append(append)
        game.accept(append)
        assert_chain(game.game, await events.read(game.game))
    after = await events.games(caller=other, status=None, ruleset=None, player=player, cursor=None, limit=10)
    assert [row.summary for row in after.rows] == [row.summary for row in rows]


async def test_a_player_is_erased_once(player_store: PlayerStore) -> None:
    player, _ = await somebody(player_store)
    assert await player_store.erase(player)
    told = await player_store.erased_since(None, MINUTE)
    assert [one.player for one in told] == [player]
    assert not await player_store.erase(player)
    assert await player_store.erased_since(None, MINUTE) == told


async def test_who_never_was_is_not_erased(player_store: PlayerStore) -> None:
    for player in (new_id(), "no id at all", ""):
        assert not await player_store.erase(player)
    assert await player_store.erased_since(None, timedelta(days=1)) == []


async def test_once_more_removes_what_came_meanwhile(event_store: EventStore, player_store: PlayerStore) -> None:
    events, players = event_store, player_store
    player, _ = await somebody(players)
    game = await played(events, player)
    await players.erase(player)
    await players.add_ticket(player, SECRET, NOON, LATER)
    assert await events.append(game.following(key="late", player=player))
    assert await events.receipt(game.game, player, "late") is not None
    assert not await players.erase(player)
    assert await events.receipt(game.game, player, "late") is None
    assert not await players.take_ticket(player, SECRET, NOON)


async def test_the_erased_are_told_from_a_position_on_in_the_order_in_which_they_went(
    player_store: PlayerStore,
) -> None:
    gone = [(await somebody(player_store))[0] for _ in range(3)]
    for player in reversed(gone):
        await player_store.erase(player)
        await asyncio.sleep(0.001)
    first, middle, last = [one.erased_at for one in await player_store.erased_since(None, MINUTE)]
    assert first < middle < last
    in_order = gone[::-1]
    for position, back, told in (
        (first, timedelta(), in_order),
        (middle, timedelta(), in_order[1:]),
        (middle, middle - first - MOMENT, in_order[1:]),
        (middle, middle - first, in_order),
        (last, MINUTE, in_order),
    ):
        assert [one.player for one in await player_store.erased_since(position, back)] == told


async def test_a_clock_that_was_set_back_hides_nobody(player_store: PlayerStore) -> None:
    """The position is from before that, and lies ahead of the time now."""
    player, _ = await somebody(player_store)
    await player_store.erase(player)
    (told,) = await player_store.erased_since(None, MINUTE)
    assert await player_store.erased_since(told.erased_at + timedelta(hours=1), MINUTE) == [told]


async def test_the_time_is_that_of_the_database(database: Database, owner: RecordConnection) -> None:
    players = PostgresPlayerStore(database)
    (player, _), (other, _) = await somebody(players), await somebody(players)
    before = await owner.fetchval("select clock_timestamp()")
    await players.erase(player)
    (told,) = await players.erased_since(None, MINUTE)
    assert before < told.erased_at < await owner.fetchval("select clock_timestamp()")
    await players.erase(other)
    await owner.execute("update erasures set erased_at = erased_at - interval '2 hours' where player = $1", player)
    assert [one.player for one in await players.erased_since(None, timedelta(hours=1))] == [other]
    assert [one.player for one in await players.erased_since(None, timedelta(hours=3))] == [player, other]


async def test_who_was_erased_first_and_stored_last_is_found_by_looking_back(
    database: Database, owner: RecordConnection
) -> None:
    players = PostgresPlayerStore(database)
    (slow, _), (fast, _) = await somebody(players), await somebody(players)
    async with owner.transaction():
        await owner.execute("select erase_player($1)", slow)
        await players.erase(fast)
        (told,) = await players.erased_since(None, MINUTE)
        assert told.player == fast
    assert [one.player for one in await players.erased_since(told.erased_at, MINUTE)] == [slow, fast]


async def test_of_many_who_erase_a_player_at_the_same_time_one_has_done_it(
    database: Database, database_url: str
) -> None:
    second = await Database.open(database_url)
    stores = [PostgresPlayerStore(database), PostgresPlayerStore(second)]
    for _ in range(10):
        player, _ = await somebody(stores[0])
        answers = await asyncio.gather(*(stores[number % 2].erase(player) for number in range(6)))
        assert sorted(answers) == [False] * 5 + [True]
    assert len(await stores[1].erased_since(None, MINUTE)) == 10
    await second.close()


@pytest.mark.parametrize("name", ["someone", "Ärmel 🫘"])
async def test_who_takes_the_name_of_an_erased_player_is_another_one(player_store: PlayerStore, name: str) -> None:
    player, _ = await somebody(player_store, name)
    await player_store.erase(player)
    other, _ = await somebody(player_store, name)
    assert await player_store.names([player, other]) == {other: name}
