"""What every event store does: the suite that each implementation passes."""

import asyncio
from datetime import timedelta

import msgspec
import pytest

from infra.event_store import (
    Append,
    EventStore,
    Head,
    NewGame,
    Receipt,
    Secrets,
    StoreFault,
    decode_cursor,
    encode_cursor,
)
from tests.infra.games import NOON, SEED, Game, assert_chain, created, new_id, ordered_id, seal_over


async def test_a_created_game_has_its_events_and_its_secrets(event_store: EventStore) -> None:
    game = Game()
    await event_store.create(game.new(invite_hash=b"invite"))
    assert await event_store.read(game.game) == game.records
    assert await event_store.secrets(game.game) == Secrets(SEED, b"invite")


def test_a_game_is_not_created_by_a_command_with_a_key() -> None:
    game = Game()
    with pytest.raises(ValueError, match="key"):
        game.new(Receipt(game.host, "key", b"fingerprint", 1, 2))


def test_secrets_are_in_no_representation() -> None:
    new = Game().new(invite_hash=b"invite")
    for shown in (repr(new), repr(Secrets(SEED, b"invite"))):
        assert repr(SEED)[2:-1] not in shown
        assert "invite" not in shown


async def test_a_game_is_created_once(event_store: EventStore) -> None:
    game = await created(event_store)
    with pytest.raises(StoreFault):
        await event_store.create(game.new())
    assert await event_store.read(game.game) == game.records


async def test_of_an_unknown_game_there_is_nothing(event_store: EventStore) -> None:
    for game in (new_id(), "no id at all", ""):
        assert await event_store.read(game) == []
        assert await event_store.secrets(game) is None
        assert await event_store.receipt(game, new_id(), "key") is None


async def test_the_head_of_a_game_moves_with_its_events(event_store: EventStore) -> None:
    game = await created(event_store)
    assert await event_store.head(game.game) == Head(2, NOON, game.header_hash, game.records[-1].hash, game.summary)
    left = msgspec.structs.replace(game.summary, status="abandoned", players=[game.host, None, None])
    append = msgspec.structs.replace(game.following(3), summary=left)
    assert await event_store.append(append)
    assert await event_store.head(game.game) == Head(5, NOON, game.header_hash, append.records[-1].hash, append.summary)
    for unknown in (new_id(), "no id at all"):
        assert await event_store.head(unknown) is None


async def test_an_append_to_an_unknown_game_stores_nothing(event_store: EventStore) -> None:
    game = Game()
    assert not await event_store.append(game.following())
    assert await event_store.read(game.game) == []


async def test_a_game_has_one_name_only(event_store: EventStore) -> None:
    game = await created(event_store, Game(game="abcdefab-cdef-4abc-8def-abcdefabcdef"))
    assert await event_store.read(game.game.upper()) == []
    assert await event_store.read(game.game.replace("-", "")) == []
    assert await event_store.read("{" + game.game + "}") == []


async def test_an_append_of_several_events_is_stored_whole(event_store: EventStore) -> None:
    game = await created(event_store)
    append = game.following(5, key="five")
    assert await event_store.append(append)
    game.accept(append)
    assert await event_store.read(game.game) == game.records
    assert_chain(game.game, await event_store.read(game.game))
    following = game.following(1)
    assert await event_store.append(following)


async def test_records_come_back_to_the_microsecond_and_to_the_byte(event_store: EventStore) -> None:
    game = await created(event_store)
    append = game.following()
    await event_store.append(append)
    [record] = await event_store.read(game.game, after=game.version)
    assert record == append.records[0]
    assert record.at.utcoffset() == timedelta(0)
    assert record.at.microsecond == 123456
    assert type(record.payload) is bytes


async def test_reading_starts_after_a_version_and_ends_at_a_limit(event_store: EventStore) -> None:
    game = await created(event_store)
    append = game.following(8)
    await event_store.append(append)
    game.accept(append)
    assert await event_store.read(game.game, after=4) == game.records[4:]
    assert await event_store.read(game.game, after=4, limit=3) == game.records[4:7]
    assert await event_store.read(game.game, after=4, limit=0) == []
    assert await event_store.read(game.game, after=10) == []
    assert await event_store.read(game.game, after=0, limit=100) == game.records


async def test_an_append_behind_or_before_the_head_stores_nothing(event_store: EventStore) -> None:
    game = await created(event_store)
    stale = game.following(key="stale")
    first = game.following(2)
    assert await event_store.append(first)
    game.accept(first)
    assert not await event_store.append(stale)
    ahead = game.following()
    game.accept(ahead)
    assert not await event_store.append(game.following())
    assert await event_store.read(game.game) == game.records[:4]
    assert await event_store.receipt(game.game, game.host, "stale") is None


async def test_a_used_key_stores_nothing(event_store: EventStore) -> None:
    game = await created(event_store)
    first = game.following(2, key="key")
    assert await event_store.append(first)
    game.accept(first)
    assert not await event_store.append(game.following(1, key="key"))
    assert await event_store.read(game.game) == game.records
    assert await event_store.receipt(game.game, game.host, "key") == first.receipt


async def test_a_key_belongs_to_one_player_in_one_game(event_store: EventStore) -> None:
    game, other = await created(event_store), await created(event_store)
    player = new_id()
    append = game.following(key="key", player=player)
    assert await event_store.append(append)
    game.accept(append)
    assert await event_store.append(game.following(key="key", player=new_id()))
    assert await event_store.append(other.following(key="key", player=player))
    assert await event_store.receipt(game.game, new_id(), "key") is None
    assert await event_store.receipt(game.game, player, "another key") is None


async def test_a_used_key_takes_nothing_from_the_appends_beside_it(event_store: EventStore) -> None:
    games = [await created(event_store) for _ in range(10)]
    used = games[3].following(key="used")
    assert await event_store.append(used)
    games[3].accept(used)
    stored = await asyncio.gather(*(event_store.append(game.following(2, key="used")) for game in games))
    assert stored == [game is not games[3] for game in games]
    for game in games:
        assert len(await event_store.read(game.game)) == (3 if game is games[3] else 4)


async def test_of_twenty_parallel_appends_as_many_are_stored_as_were_accepted(event_store: EventStore) -> None:
    game = await created(event_store)
    appends = [game.following(1 + n % 3, key=f"{n}") for n in range(20)]
    stored = await asyncio.gather(*(event_store.append(append) for append in appends))
    assert stored.count(True) == 1
    winner = appends[stored.index(True)]
    assert await event_store.read(game.game, after=2) == winner.records
    receipts = [await event_store.receipt(game.game, game.host, f"{n}") for n in range(20)]
    assert [receipt is not None for receipt in receipts] == stored


async def test_appends_that_are_tried_again_on_the_new_head_all_succeed(event_store: EventStore) -> None:
    game = await created(event_store)

    async def until_stored(number: int) -> None:
        mine = Game(game=game.game, host=game.host, players=game.summary.players)
        await mine.refresh(event_store)
        while not await event_store.append(mine.following(key=f"{number}")):
            await mine.refresh(event_store)

    await asyncio.gather(*(until_stored(number) for number in range(20)))
    stored = await event_store.read(game.game)
    assert len(stored) == 22
    assert_chain(game.game, stored)


def test_an_append_without_events_or_with_a_gap_cannot_be_made() -> None:
    game = Game()
    following = game.following(3)
    with pytest.raises(ValueError, match="without events"):
        Append(game.game, 2, [], game.summary, None)
    with pytest.raises(ValueError, match="where 4 belongs"):
        Append(game.game, 2, [following.records[0], following.records[2]], game.summary, None)
    with pytest.raises(ValueError, match="where 2 belongs"):
        Append(game.game, 1, following.records, game.summary, None)
    with pytest.raises(ValueError, match="starts at version 0"):
        NewGame(following, game.header_hash, SEED, None)


async def test_a_game_is_sealed_with_its_last_events(event_store: EventStore) -> None:
    game = await created(event_store)
    assert await event_store.seal(game.game) is None
    end = game.ending(3)
    assert await event_store.append(end)
    assert end.seal is not None
    stored = await event_store.seal(game.game)
    assert stored == end.seal
    assert stored.ended_at == end.records[-1].at
    assert type(stored.head) is bytes


async def test_who_loses_the_race_for_the_end_seals_nothing(event_store: EventStore) -> None:
    game = await created(event_store)
    end = game.ending()
    assert await event_store.append(game.following())
    assert not await event_store.append(end)
    assert await event_store.seal(game.game) is None


async def test_of_appends_that_travel_together_each_has_its_own_seal_or_none(event_store: EventStore) -> None:
    games = [await created(event_store) for _ in range(9)]
    appends = [game.ending() if number % 2 else game.following() for number, game in enumerate(games)]
    assert await asyncio.gather(*(event_store.append(append) for append in appends)) == [True] * 9
    assert [await event_store.seal(game.game) for game in games] == [append.seal for append in appends]
    assert [append.seal is None for append in appends] == [True, False] * 4 + [True]


async def test_nothing_follows_the_end_of_a_game(event_store: EventStore) -> None:
    game = await created(event_store)
    end = game.ending()
    assert await event_store.append(end)
    game.accept(end)
    with pytest.raises(StoreFault):
        await event_store.append(game.following())
    assert await event_store.read(game.game) == game.records


async def test_a_game_that_ended_without_a_seal_gets_one_later_and_keeps_the_first(event_store: EventStore) -> None:
    game = await created(event_store)
    end = game.ending(sealed=False)
    assert await event_store.append(end)
    assert await event_store.seal(game.game) is None
    seals = [seal_over(end.records[-1], f"signature {number}") for number in range(5)]
    stored = await asyncio.gather(*(event_store.add_seal(game.game, seal) for seal in seals))
    assert stored[0] in seals
    assert stored == [stored[0]] * 5
    assert await event_store.seal(game.game) == stored[0]


async def test_no_game_that_goes_on_is_sealed_and_none_with_another_head(event_store: EventStore) -> None:
    game, other = await created(event_store), await created(event_store)
    assert await event_store.add_seal(game.game, seal_over(game.records[-1])) is None
    assert await event_store.append(game.ending(sealed=False))
    for head in (game.records[-1], other.records[-1]):
        assert await event_store.add_seal(game.game, seal_over(head)) is None
    assert await event_store.seal(game.game) is None
    for unknown in (new_id(), "no id at all"):
        assert await event_store.seal(unknown) is None
        assert await event_store.add_seal(unknown, seal_over(game.records[-1])) is None


def test_a_seal_is_of_the_end_and_of_nothing_else() -> None:
    game = Game()
    end = game.ending(2)
    first, last = end.records
    for seal in (seal_over(first), msgspec.structs.replace(seal_over(last), ended_at=NOON)):
        with pytest.raises(ValueError, match="something else than the end"):
            msgspec.structs.replace(end, seal=seal)
    with pytest.raises(ValueError, match="something else than the end"):
        msgspec.structs.replace(end, summary=game.summary)
    begun = Append(game.game, 0, game.records, end.summary, None, seal_over(game.records[-1]))
    with pytest.raises(ValueError, match="has not ended"):
        NewGame(begun, game.header_hash, SEED, None)


async def names(store: EventStore, caller: str, **filters: str | None) -> list[str]:
    """The listed games, page by page, two a page."""
    found: list[str] = []
    cursor = None
    while True:
        page = await store.games(
            caller=caller,
            status=filters.get("status"),
            ruleset=filters.get("ruleset"),
            player=filters.get("player"),
            cursor=cursor,
            limit=2,
        )
        assert len(page.rows) <= 2
        found += [row.game for row in page.rows]
        cursor = page.next
        if cursor is None:
            return found


async def test_games_are_listed_newest_first_and_paged_without_a_gap_or_a_double(event_store: EventStore) -> None:
    # Three of the seven were made in the same microsecond: the id decides.
    ages = [5, 3, 3, 3, 9, 1, 0]
    games = [
        await created(event_store, Game(game=ordered_id(number), created_at=NOON - timedelta(seconds=age)))
        for number, age in enumerate(ages, 1)
    ]
    expected = sorted(games, key=lambda game: (game.created_at, game.game), reverse=True)
    assert await names(event_store, new_id()) == [game.game for game in expected]


async def test_a_page_that_takes_all_there_is_has_no_next(event_store: EventStore) -> None:
    for _ in range(2):
        await created(event_store)
    page = await event_store.games(caller=new_id(), status=None, ruleset=None, player=None, cursor=None, limit=2)
    assert len(page.rows) == 2
    assert page.next is None


async def test_a_list_shows_the_head_as_it_is_now(event_store: EventStore) -> None:
    game = await created(event_store, Game(status="open"))
    append = game.following(3)
    joined = [game.host, new_id(), new_id()]
    moved = msgspec.structs.replace(
        append, summary=msgspec.structs.replace(append.summary, status="running", players=joined)
    )
    assert await event_store.append(moved)
    page = await event_store.games(caller=game.host, status="running", ruleset=None, player=None, cursor=None, limit=9)
    [row] = page.rows
    assert (row.game, row.version, row.created_at, row.summary) == (game.game, 5, NOON, moved.summary)
    assert await names(event_store, game.host, status="open") == []


async def test_only_who_sits_in_a_private_game_can_list_it(event_store: EventStore) -> None:
    private = await created(event_store, Game(visibility="private"))
    public = await created(event_store, Game(created_at=NOON - timedelta(days=1)))
    guest = private.summary.players[1]
    assert guest is not None
    for member in (private.host, guest):
        assert await names(event_store, member) == [private.game, public.game]
        assert await names(event_store, member, player=private.host) == [private.game]
    stranger = new_id()
    assert await names(event_store, stranger) == [public.game]
    assert await names(event_store, stranger, player=private.host) == []
    assert await names(event_store, stranger, status="running") == [public.game]
    assert await names(event_store, stranger, ruleset="classic") == [public.game]


async def test_lists_are_filtered_by_status_edition_and_player(event_store: EventStore) -> None:
    player = new_id()
    mine = await created(event_store, Game(players=[player, None, None], status="open"))
    ended = await created(event_store, Game(players=[None, player, None], status="ended", ruleset="old"))
    await created(event_store, Game(status="open", ruleset="old"))
    caller = new_id()
    assert set(await names(event_store, caller, player=player)) == {mine.game, ended.game}
    assert await names(event_store, caller, player=player, status="open") == [mine.game]
    assert await names(event_store, caller, player=player, ruleset="old") == [ended.game]
    assert await names(event_store, caller, player=player, ruleset="old", status="open") == []
    assert len(await names(event_store, caller, status="open")) == 2
    assert len(await names(event_store, caller, status="open", ruleset="old")) == 1
    assert len(await names(event_store, caller, ruleset="old")) == 2
    assert await names(event_store, caller, status="abandoned") == []
    assert await names(event_store, caller, player="no id at all") == []


@pytest.mark.parametrize(
    "cursor", ["", "x", "é", "AAAA", "A" * 32 + "==", "A" * 33, "\0", "f" + "_" * 31, "é" * 32, "=" * 32, "9" * 4000]
)
async def test_a_malformed_cursor_is_a_value_error(event_store: EventStore, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        await event_store.games(caller=new_id(), status=None, ruleset=None, player=None, cursor=cursor, limit=5)


def test_a_cursor_says_where_it_was_made() -> None:
    game = new_id()
    assert decode_cursor(encode_cursor(NOON, game)) == (NOON, game)
