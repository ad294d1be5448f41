"""What every player store does: the suite that each implementation passes."""

import asyncio
from datetime import timedelta

import pytest

from infra.event_store import StoreFault
from infra.players import Player, PlayerStore, Rotation
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database
from tests.infra.games import NOON, new_id

LATER = NOON + timedelta(days=90)
OLD, NEW, NEWER = b"old" * 8, b"new" * 8, b"newer" * 8


async def test_a_player_is_found_as_created(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.create(player, "Ärmel 🫘", "de", NOON)
    assert await player_store.get(player) == Player(player, "Ärmel 🫘", "de", NOON)


async def test_an_unknown_player_is_nobody(player_store: PlayerStore) -> None:
    for player in (new_id(), "no id at all", ""):
        assert await player_store.get(player) is None
        assert await player_store.rename(player, "name", None) is None
        assert await player_store.names([player]) == {}
        assert await player_store.rotate(player, new_id(), OLD, NEW, NOON, LATER) == "unknown"


async def test_a_player_is_created_once(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.create(player, "first", "en", NOON)
    with pytest.raises(StoreFault):
        await player_store.create(player, "second", "en", NOON)
    assert await player_store.names([player]) == {player: "first"}


async def test_renaming_changes_what_is_given_and_leaves_the_rest(player_store: PlayerStore) -> None:
    player = new_id()
    await player_store.create(player, "name", "en", NOON)
    assert await player_store.rename(player, "other", None) == Player(player, "other", "en", NOON)
    assert await player_store.rename(player, None, "fr") == Player(player, "other", "fr", NOON)
    assert await player_store.rename(player, None, None) == Player(player, "other", "fr", NOON)
    assert await player_store.get(player) == Player(player, "other", "fr", NOON)


async def test_names_are_those_of_the_players_that_exist(player_store: PlayerStore) -> None:
    players = [new_id() for _ in range(3)]
    for number, player in enumerate(players):
        await player_store.create(player, f"name {number}", "en", NOON)
    assert await player_store.names([]) == {}
    assert await player_store.names({players[0], players[2], new_id()}) == {
        players[0]: "name 0",
        players[2]: "name 2",
    }


async def opened(store: PlayerStore) -> tuple[str, str]:
    player, family = new_id(), new_id()
    await store.create(player, "name", "en", NOON)
    await store.open_family(player, family, OLD, NOON + timedelta(days=1))
    return player, family


async def test_a_token_works_once_and_the_next_one_after_it(player_store: PlayerStore) -> None:
    player, family = await opened(player_store)
    assert await player_store.rotate(player, family, OLD, NEW, NOON, LATER) == "rotated"
    assert await player_store.rotate(player, family, NEW, NEWER, NOON + timedelta(days=2), LATER) == "rotated"


async def test_a_reused_token_ends_the_family(player_store: PlayerStore) -> None:
    player, family = await opened(player_store)
    assert await player_store.rotate(player, family, OLD, NEW, NOON, LATER) == "rotated"
    assert await player_store.rotate(player, family, OLD, NEWER, NOON, LATER) == "reused"
    for token in (OLD, NEW, NEWER):
        assert await player_store.rotate(player, family, token, NEWER, NOON, LATER) == "revoked"


async def test_a_token_ends_at_its_time(player_store: PlayerStore) -> None:
    player, family = await opened(player_store)
    at_the_end = NOON + timedelta(days=1)
    assert await player_store.rotate(player, family, OLD, NEW, at_the_end, LATER) == "expired"
    just_before = at_the_end - timedelta(microseconds=1)
    assert await player_store.rotate(player, family, OLD, NEW, just_before, LATER) == "rotated"


async def test_families_do_not_touch_each_other(player_store: PlayerStore) -> None:
    player, family = await opened(player_store)
    other = new_id()
    await player_store.open_family(player, other, OLD, LATER)
    with pytest.raises(StoreFault):
        await player_store.open_family(player, other, NEW, LATER)
    assert await player_store.rotate(player, family, NEW, NEWER, NOON, LATER) == "reused"
    assert await player_store.rotate(player, other, OLD, NEW, NOON, LATER) == "rotated"
    assert await player_store.rotate(new_id(), other, NEW, NEWER, NOON, LATER) == "unknown"
    assert await player_store.rotate(player, other, NEW, NEWER, NOON, LATER) == "rotated"


async def test_of_many_uses_at_the_same_time_one_rotates_and_the_rest_end_the_family(
    database: Database, database_url: str
) -> None:
    second = await Database.open(database_url)
    stores = [PostgresPlayerStore(database), PostgresPlayerStore(second)]
    for _ in range(20):
        player, family = await opened(stores[0])
        answers: list[Rotation] = await asyncio.gather(
            *(stores[number % 2].rotate(player, family, OLD, bytes([number]) * 24, NOON, LATER) for number in range(6))
        )
        assert sorted(answers) == ["reused", *["revoked"] * 4, "rotated"]
    await second.close()
