"""What every store of anchors does: the suite that each implementation passes."""

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from domain.anchors import Anchor, anchored
from infra.anchors import BEGINNING, AnchorStore, LeftBehind, Place, Proof, Sealed, decode_day, encode_day
from infra.event_store import EventStore, StoreFault
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database
from tests.infra.games import NOON, Game, created, new_id, ordered_id

DAY = date(2026, 11, 30)
ROOT, OTHER = "ab" * 32, "cd" * 32
LATER = NOON + timedelta(days=1000)


def anchor(day: date = DAY, previous: Anchor | None = None, games: int = 1, root: str = ROOT) -> Anchor:
    """One that nobody has signed: the store does not look."""
    return Anchor(day, games, root, None if previous is None else previous.hash, "key", "signature")


def days(count: int) -> list[Anchor]:
    """So many in a row."""
    made = [anchor()]
    for number in range(1, count):
        made.append(anchor(DAY + timedelta(days=number), made[-1]))
    return made


async def ended(store: EventStore, number: int, at: datetime = NOON, *, sealed: bool = True) -> Sealed:
    """A game that was created at that time and ended two seconds later."""
    game = await created(store, Game(game=ordered_id(number), created_at=at))
    end = game.ending(sealed=sealed)
    assert await store.append(end)
    return Sealed(game.game, end.records[-1].at, end.records[-1].hash)


async def test_before_the_first_anchor_there_is_none(anchor_store: AnchorStore) -> None:
    assert await anchor_store.newest() is None
    page = await anchor_store.anchors(None, 10)
    assert (page.anchors, page.next) == ([], None)
    for game in (new_id(), "no id at all"):
        assert await anchor_store.anchored(game) is None


async def test_an_anchor_comes_with_the_proofs_of_its_games(anchor_store: AnchorStore, event_store: EventStore) -> None:
    first, second, other = [await ended(event_store, number) for number in (1, 2, 3)]
    made = anchor(games=2)
    assert await anchor_store.add(made, [Proof(first.game, []), Proof(second.game, [b"x" * 32, b"y" * 32])])
    assert await anchor_store.newest() == made
    assert await anchor_store.anchored(first.game) == anchored(made, 0, [])
    assert await anchor_store.anchored(second.game) == anchored(made, 1, [b"x" * 32, b"y" * 32])
    assert await anchor_store.anchored(other.game) is None
    assert await anchor_store.anchored(second.game.upper() + " ") is None


async def test_an_anchor_of_very_many_games_is_stored_whole(anchor_store: AnchorStore, event_store: EventStore) -> None:
    assert event_store is not None
    games = [ordered_id(number) for number in range(2_345)]
    made = anchor(games=len(games))
    assert await anchor_store.add(made, [Proof(game, [bytes.fromhex(ROOT)]) for game in games])
    for index in (0, 999, 1000, 1001, 2344):
        assert await anchor_store.anchored(games[index]) == anchored(made, index, [bytes.fromhex(ROOT)])


async def test_anchors_are_listed_newest_first_and_paged(anchor_store: AnchorStore) -> None:
    made = days(5)
    for number, row in enumerate(made):
        assert await anchor_store.add(row, [Proof(ordered_id(number), [])])
    assert (await anchor_store.anchors(None, 5)).anchors == made[::-1]
    assert (await anchor_store.anchors(None, 5)).next is None
    found: list[Anchor] = []
    cursor = None
    while True:
        page = await anchor_store.anchors(cursor, 2)
        found += page.anchors
        cursor = page.next
        if cursor is None:
            break
    assert found == made[::-1]


@pytest.mark.parametrize("cursor", ["", "x", "20261130", "2026-W49-1", "2026-13-01", "2026-11-30 ", "2026-11-30T00:00"])
async def test_a_malformed_cursor_is_a_value_error(anchor_store: AnchorStore, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        await anchor_store.anchors(cursor, 5)


def test_a_cursor_says_which_day_it_was_made_of() -> None:
    assert decode_day(encode_day(DAY)) == DAY


async def test_an_anchor_that_does_not_go_on_from_the_newest_is_not_stored(anchor_store: AnchorStore) -> None:
    first, second, third = days(3)
    assert await anchor_store.add(first, [Proof(ordered_id(1), [])])
    assert await anchor_store.add(second, [Proof(ordered_id(2), [])])
    again = [
        second,
        anchor(second.day, first, root=OTHER),
        anchor(third.day, first),
        anchor(third.day),
        anchor(DAY, second),
        anchor(DAY - timedelta(days=1), second),
    ]
    for wrong in again:
        assert not await anchor_store.add(wrong, [Proof(ordered_id(3), [])])
    assert await anchor_store.newest() == second
    assert await anchor_store.anchored(ordered_id(3)) is None
    assert await anchor_store.add(third, [Proof(ordered_id(3), [])])


async def test_a_game_is_in_one_anchor_only(anchor_store: AnchorStore) -> None:
    first, second = days(2)
    assert await anchor_store.add(first, [Proof(ordered_id(1), [])])
    with pytest.raises(StoreFault):
        await anchor_store.add(second, [Proof(ordered_id(2), []), Proof(ordered_id(1), [])])
    assert await anchor_store.newest() == first
    assert await anchor_store.anchored(ordered_id(2)) is None


async def waiting(store: AnchorStore, before: datetime = LATER, after: Place = BEGINNING) -> list[Sealed]:
    """All that wait for an anchor, two seals a page."""
    found: list[Sealed] = []
    place: Place | None = after
    while place is not None:
        page = await store.unanchored(place, before, 2)
        found += page.rows
        place = page.next
    return found


async def test_games_wait_for_an_anchor_in_the_order_in_which_they_ended(
    anchor_store: AnchorStore, event_store: EventStore
) -> None:
    # The first two ended in the same microsecond: the id decides.
    ages = [5, 5, 9, 2, 7, 1]
    made = [await ended(event_store, number, NOON - timedelta(days=age)) for number, age in enumerate(ages, 1)]
    await created(event_store)
    await ended(event_store, 9, sealed=False)
    expected = [made[2], made[4], made[0], made[1], made[3], made[5]]
    assert await waiting(anchor_store) == expected
    assert await waiting(anchor_store, before=made[3].ended_at) == expected[:4]
    assert await waiting(anchor_store, before=made[3].ended_at + timedelta(microseconds=1)) == expected[:5]
    assert await waiting(anchor_store, after=Place(made[0].ended_at, made[0].game)) == expected[3:]
    assert await anchor_store.add(anchor(games=4), [Proof(row.game, []) for row in (*expected[1:4], expected[5])])
    assert await waiting(anchor_store) == [expected[0], expected[4]]


async def left(store: AnchorStore, before: datetime = NOON) -> list[LeftBehind]:
    """All that were left behind, two games a page, those that ended first."""
    found: list[LeftBehind] = []
    for status in ("ended", "abandoned"):
        place: Place | None = BEGINNING
        while place is not None:
            page = await store.left_behind(status, place, before, 2)
            found += page.rows
            place = page.next
    return found


async def test_a_game_without_a_seal_is_left_behind_and_one_that_no_anchor_took(
    anchor_store: AnchorStore, event_store: EventStore
) -> None:
    days_ago = [9, 8, 7, 6, 5, 4]
    made = [
        await ended(event_store, number, NOON - timedelta(days=age), sealed=number != 4)
        for number, age in enumerate(days_ago, 1)
    ]
    await created(event_store, Game(created_at=NOON - timedelta(days=7)))
    before = NOON - timedelta(days=6)
    assert await anchor_store.add(anchor(), [Proof(made[1].game, [])])
    assert await left(anchor_store, before) == [
        LeftBehind(made[0].game, made[0].ended_at, is_sealed=True),
        LeftBehind(made[2].game, made[2].ended_at, is_sealed=True),
        LeftBehind(made[3].game, made[3].ended_at, is_sealed=False),
    ]


async def test_of_processes_that_anchor_a_day_at_once_one_does(database_url: str) -> None:
    databases = [await Database.open(database_url, size=2) for _ in range(4)]
    stores = [PostgresAnchorStore(database) for database in databases]
    newest: Anchor | None = None
    for number in range(12):
        candidates = [
            anchor(DAY + timedelta(days=number + racer % 2), newest, root=f"{racer:02d}" * 32) for racer in range(8)
        ]
        proofs = [Proof(ordered_id(number * 3000 + n), [b"x" * 32] * 12) for n in range(1500)]
        added = await asyncio.gather(
            *(stores[n % 4].add(candidate, proofs) for n, candidate in enumerate(candidates)), return_exceptions=True
        )
        assert added.count(True) == 1
        assert added.count(False) == 7
        newest = candidates[added.index(True)]
        assert await stores[number % 4].newest() == newest
        assert await stores[number % 4].anchored(proofs[1499].game) == anchored(newest, 1499, [b"x" * 32] * 12)
    for database in databases:
        await database.close()


async def test_a_process_that_dies_amid_an_anchor_leaves_nothing(
    postgres_store: PostgresEventStore, database_url: str
) -> None:
    sealed = await ended(postgres_store, 1)
    database = await Database.open(database_url)
    dying = PostgresAnchorStore(database)
    # The second batch cannot be stored: the first and the anchor are undone with it.
    proofs = [Proof(ordered_id(number), []) for number in range(1, 1002)]
    with pytest.raises(StoreFault):
        await dying.add(anchor(games=1002), [*proofs, Proof(sealed.game, [])])
    assert await dying.newest() is None
    assert await dying.anchored(sealed.game) is None
    assert await waiting(dying) == [sealed]
    await database.close()


async def test_times_of_another_zone_are_the_same_times(anchor_store: AnchorStore, event_store: EventStore) -> None:
    sealed = await ended(event_store, 1)
    [row] = await waiting(anchor_store)
    assert row == sealed
    assert row.ended_at.tzinfo is UTC or row.ended_at.utcoffset() == timedelta(0)
