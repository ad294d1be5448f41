"""Every day that is over has one anchor over the games that ended on it, whoever makes it, whatever comes between."""

import asyncio
import hashlib
import random
import threading
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from domain import lobby
from domain.anchors import Anchor, proves
from domain.events import Options
from domain.evolve import fold
from domain.history import Record, records
from domain.merkle import leaf_hash, node_hash
from infra.anchors import AnchorStore, Proof
from infra.event_store import Append, EventStore, Seal, StoreFault, StoreUnavailable
from infra.memory.anchors import MemoryAnchorStore
from infra.memory.clock import ManualClock
from infra.memory.event_store import MemoryEventStore
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.pool import Database, RecordConnection
from infra.signing import is_signed
from services.audit import anchoring
from services.audit.anchoring import Anchoring
from tests.exports import KEYS
from tests.infra.games import SEED, Game, created, ordered_id, seal_over
from tests.services.games.counters import counter

FIRST = date(2026, 11, 28)
MORNING = datetime(2026, 11, 28, 9, tzinfo=UTC)


def day(number: int) -> date:
    """The first is 0."""
    return FIRST + timedelta(days=number)


def at(number: int, hours: float = 12) -> datetime:
    """An hour of a day."""
    return datetime(FIRST.year, FIRST.month, FIRST.day, tzinfo=UTC) + timedelta(days=number, hours=hours)


async def ended(store: EventStore, number: int, ended_at: datetime, *, sealed: bool = True) -> Game:
    """A game that ended then: its host went away, two seconds after he came."""
    game = Game(game=ordered_id(number), created_at=ended_at - timedelta(seconds=2))
    events = lobby.create(
        ruleset="classic", seats=3, visibility="public", options=Options(), host=game.host, seed=SEED, nonce=""
    )
    game.records = records(game.header_hash, 0, game.created_at, 0, events)
    await store.create(game.new())
    left = lobby.leave(fold(game.game, events), 0, SEED)
    last = records(head(game), game.version, ended_at, 0, left)
    summary = msgspec.structs.replace(game.summary, status="abandoned")
    seal = seal_over(last[-1]) if sealed else None
    assert await store.append(Append(game.game, game.version, last, summary, None, seal))
    game.records += last
    return game


def head(game: Game) -> bytes:
    return game.records[-1].hash


def anchoring_at(store: EventStore, anchors: AnchorStore, now: datetime, look_at: int = 3) -> Anchoring:
    """That of one process."""
    return Anchoring(store, anchors, KEYS.sign, ManualClock(now), look_at=look_at)


async def all_anchors(anchors: AnchorStore) -> list[Anchor]:
    """From the first on."""
    return (await anchors.anchors(None, 100)).anchors[::-1]


async def assert_sound(anchors: AnchorStore, games: Sequence[Game]) -> list[Anchor]:
    """A chain of signed anchors, in which each of the games is proven, and no other."""
    made = await all_anchors(anchors)
    previous: Anchor | None = None
    for anchor in made:
        assert is_signed(KEYS.public[0], anchor.statement, anchor.signature)
        assert anchor.key == KEYS.public[0]
        said = None if previous is None else hashlib.sha256(previous.statement).hexdigest()
        assert anchor.previous == said
        assert previous is None or anchor.day > previous.day
        previous = anchor
    for game in games:
        found = await anchors.anchored(game.game)
        assert found is not None, game.game
        assert proves(found, head(game))
        assert found.statement in [anchor.statement for anchor in made]
    assert sum(anchor.games for anchor in made) == len(games)
    return made


async def test_a_day_is_anchored_over_the_heads_of_its_games_by_their_ids(
    event_store: EventStore, anchor_store: AnchorStore
) -> None:
    third = await ended(event_store, 30, at(0, 1))
    first = await ended(event_store, 10, at(0, 23.5))
    second = await ended(event_store, 20, at(0, 0))
    await created(event_store, Game(created_at=at(0)))
    await anchoring_at(event_store, anchor_store, at(1, 1)).anchor()
    [anchor] = await assert_sound(anchor_store, [first, second, third])
    root = node_hash(node_hash(leaf_hash(head(first)), leaf_hash(head(second))), leaf_hash(head(third)))
    assert (anchor.day, anchor.games, anchor.root, anchor.previous) == (day(0), 3, root.hex(), None)
    found = await anchor_store.anchored(second.game)
    assert found is not None
    assert (found.index, found.proof) == (1, [leaf_hash(head(first)).hex(), leaf_hash(head(third)).hex()])


async def test_each_day_with_an_end_has_an_anchor_that_goes_on_from_the_one_before(
    event_store: EventStore, anchor_store: AnchorStore
) -> None:
    games = [await ended(event_store, number, at(number % 3 * 2, number)) for number in range(11)]
    await ended(event_store, 99, at(5, 0.5))
    await anchoring_at(event_store, anchor_store, at(5, 1)).anchor()
    made = await assert_sound(anchor_store, games)
    assert [(anchor.day, anchor.games) for anchor in made] == [(day(0), 4), (day(2), 4), (day(4), 3)]


async def test_a_day_belongs_to_utc_to_the_microsecond(event_store: EventStore, anchor_store: AnchorStore) -> None:
    last = await ended(event_store, 1, at(1, 0) - timedelta(microseconds=1))
    first = await ended(event_store, 2, at(1, 0))
    await anchoring_at(event_store, anchor_store, at(1, 20)).anchor()
    await assert_sound(anchor_store, [last])
    await anchoring_at(event_store, anchor_store, at(2, 20)).anchor()
    assert [anchor.day for anchor in await assert_sound(anchor_store, [last, first])] == [day(0), day(1)]


async def test_a_day_is_left_alone_for_a_quarter_of_an_hour(event_store: EventStore, anchor_store: AnchorStore) -> None:
    game = await ended(event_store, 1, at(0))
    await anchoring_at(event_store, anchor_store, at(1, 0.25) - timedelta(microseconds=1)).anchor()
    assert await all_anchors(anchor_store) == []
    await anchoring_at(event_store, anchor_store, at(1, 0.25)).anchor()
    await assert_sound(anchor_store, [game])


async def test_where_nothing_ended_nothing_is_anchored(event_store: EventStore, anchor_store: AnchorStore) -> None:
    await created(event_store)
    await anchoring_at(event_store, anchor_store, at(9)).anchor()
    assert await all_anchors(anchor_store) == []


async def test_a_second_time_changes_nothing(event_store: EventStore, anchor_store: AnchorStore) -> None:
    games = [await ended(event_store, number, at(number)) for number in range(3)]
    anchors = counter("anchors")
    once = anchoring_at(event_store, anchor_store, at(3, 1))
    await once.anchor()
    made = await assert_sound(anchor_store, games)
    await once.anchor()
    await anchoring_at(event_store, anchor_store, at(3, 2)).anchor()
    assert await all_anchors(anchor_store) == made
    assert anchors() == 3


async def test_what_comes_to_light_late_goes_into_the_next_anchor(
    event_store: EventStore, anchor_store: AnchorStore
) -> None:
    games = [await ended(event_store, 1, at(0)), await ended(event_store, 2, at(1))]
    await anchoring_at(event_store, anchor_store, at(2, 1)).anchor()
    # Committed after their days were anchored; the first of them long after.
    games += [await ended(event_store, 3, at(0, 13)), await ended(event_store, 4, at(1, 23))]
    games += [await ended(event_store, 5, at(3)), await ended(event_store, 6, at(4))]
    await anchoring_at(event_store, anchor_store, at(5, 1)).anchor()
    made = await assert_sound(anchor_store, games)
    assert [(anchor.day, anchor.games) for anchor in made] == [(day(0), 1), (day(1), 1), (day(3), 3), (day(4), 1)]


async def test_what_comes_to_light_late_does_not_wait_for_another_end(
    event_store: EventStore, anchor_store: AnchorStore
) -> None:
    games = [await ended(event_store, 1, at(1))]
    await anchoring_at(event_store, anchor_store, at(2, 1)).anchor()
    games.append(await ended(event_store, 2, at(0)))
    await anchoring_at(event_store, anchor_store, at(9, 1)).anchor()
    made = await assert_sound(anchor_store, games)
    assert [(anchor.day, anchor.games) for anchor in made] == [(day(1), 1), (day(8), 1)]


async def test_games_that_an_older_program_has_ended_are_sealed_and_anchored(
    event_store: EventStore, anchor_store: AnchorStore
) -> None:
    late = counter("late_seals")
    games = [await ended(event_store, number, at(number % 2), sealed=number > 3) for number in range(7)]
    await anchoring_at(event_store, anchor_store, at(2, 1)).anchor()
    await assert_sound(anchor_store, games)
    assert late() == 4
    for game in games[:4]:
        seal = await event_store.seal(game.game)
        signed = KEYS.sign(head(game))
        assert seal == Seal(head(game), game.records[-1].at, signed.key, signed.signature)
    # And later, when there are anchors: one that ended long before, and one of today, which is sealed and waits.
    games.append(await ended(event_store, 8, at(0, 3), sealed=False))
    today = await ended(event_store, 9, at(3, 0.1), sealed=False)
    await anchoring_at(event_store, anchor_store, at(3, 1)).anchor()
    made = await assert_sound(anchor_store, games)
    assert made[-1].day == day(2)
    assert await event_store.seal(today.game) is not None
    assert late() == 6


async def test_a_game_whose_last_event_is_missing_is_counted_and_holds_up_nothing(
    postgres_store: PostgresEventStore, database: Database, owner: RecordConnection
) -> None:
    missing = counter("unsealable_games")
    broken = await ended(postgres_store, 1, at(0), sealed=False)
    game = await ended(postgres_store, 2, at(0))
    await owner.execute("alter table events disable trigger user")
    await owner.execute("delete from events where game = $1 and version = $2", broken.game, broken.version)
    await anchoring_at(postgres_store, PostgresAnchorStore(database), at(1, 1)).anchor()
    await assert_sound(PostgresAnchorStore(database), [game])
    assert missing() == 1


@pytest.mark.parametrize("days", [-400, -1, 365])
async def test_a_process_whose_clock_is_wrong_anchors_nothing(days: int, caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryEventStore()
    anchors, clock, retries = MemoryAnchorStore(store), ManualClock(at(9)), counter("anchor_retries", reason="clock")
    games = [await ended(store, 1, at(7))]

    async def right() -> datetime:
        return at(9) + timedelta(days=days)

    wrong = Anchoring(store, anchors, KEYS.sign, clock, other_clock=right)
    for times in range(1, 3):
        await wrong.anchor()
        assert await all_anchors(anchors) == []
        assert retries() == times
    assert "differ by" in caplog.text
    # As soon as somebody has set it right:
    clock.advance(days * 86_400)
    await wrong.anchor()
    await assert_sound(anchors, games if days >= -1 else [])
    assert retries() == 2


@pytest.mark.parametrize(("seconds", "is_anchored"), [(300, True), (-300, True), (301, False), (-301, False)])
async def test_clocks_may_differ_by_five_minutes(*, seconds: int, is_anchored: bool) -> None:
    store = MemoryEventStore()
    anchors = MemoryAnchorStore(store)
    await ended(store, 1, at(0))

    async def other() -> datetime:
        return at(1, 9) + timedelta(seconds=seconds)

    await Anchoring(store, anchors, KEYS.sign, ManualClock(at(1, 9)), other_clock=other).anchor()
    assert bool(await all_anchors(anchors)) == is_anchored


async def test_the_clock_of_the_database_is_one(database: Database) -> None:
    assert abs(await database.now() - datetime.now(UTC)) < timedelta(minutes=1)


async def test_an_anchor_of_a_day_that_is_not_over_is_told(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryEventStore()
    anchors, ahead = MemoryAnchorStore(store), counter("anchors_ahead")
    await ended(store, 1, at(3))
    await anchoring_at(store, anchors, at(4, 0.25)).anchor()
    # A clock that is a little behind is no matter.
    await anchoring_at(store, anchors, at(4, 0.25) - timedelta(minutes=5)).anchor()
    assert ahead() == 0
    await anchoring_at(store, anchors, at(4, 0.25) - timedelta(minutes=6)).anchor()
    assert ahead() == 1
    assert f"The newest anchor is of {day(3)}, which is not over" in caplog.text


POISONED = {
    "unsealed, its last event": "update events set at = '{time}' where game = '{game}' and version = 2",
    "unsealed, its first event": "update events set at = '{time}' where game = '{game}' and version = 1",
    "its seal": "update seals set ended_at = '{time}' where game = '{game}'",
    "its row": "update games set created_at = '{time}' where game = '{game}'",
}


@pytest.mark.parametrize("what", POISONED)
@pytest.mark.parametrize("time", ["infinity", "-infinity", "4000-01-01 BC", "99999-01-01"])
async def test_times_that_there_cannot_be_hold_up_no_other_game(
    postgres_store: PostgresEventStore, database: Database, owner: RecordConnection, what: str, time: str
) -> None:
    poisoned = await ended(postgres_store, 1, at(0), sealed="unsealed" not in what)
    game = await ended(postgres_store, 2, at(0))
    for table in ("events", "seals", "games"):
        await owner.execute(f"alter table {table} disable trigger user")
    assert not (await owner.execute(POISONED[what].format(time=time, game=poisoned.game))).endswith(" 0")
    unsealable = counter("unsealable_games")
    anchors = PostgresAnchorStore(database)
    await anchoring_at(postgres_store, anchors, at(1, 1), look_at=1).anchor()
    await anchoring_at(postgres_store, anchors, at(2, 1), look_at=1).anchor()
    # Where the time of the row alone is wrong the game is anchored as any other: it is found by its seal.
    await assert_sound(anchors, [poisoned, game] if what == "its row" else [game])
    assert what == "its row" or unsealable() > 0


class Poisoned(MemoryEventStore):
    """One of its games cannot be read, for a reason that nobody has thought of."""

    poisoned = ""

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        if game == self.poisoned:
            raise ZeroDivisionError("a secret")
        return await super().read(game, after, limit)


async def test_a_fault_over_one_game_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    store, unsealable = Poisoned(), counter("unsealable_games")
    store.poisoned = (await ended(store, 1, at(0), sealed=False)).game
    games = [await ended(store, 2, at(0)), await ended(store, 3, at(1), sealed=False)]
    anchors = MemoryAnchorStore(store)
    await anchoring_at(store, anchors, at(2, 1)).anchor()
    await assert_sound(anchors, games)
    assert unsealable() == 1
    assert f"Game {store.poisoned} cannot be sealed: ZeroDivisionError" in caplog.text
    assert "a secret" not in caplog.text


async def test_processes_that_anchor_at_once_make_one_chain(database_url: str) -> None:
    databases = [await Database.open(database_url, size=2) for _ in range(4)]
    stores = [PostgresEventStore(database) for database in databases]
    anchors = [PostgresAnchorStore(database) for database in databases]
    chance = random.Random(7)
    made, races = counter("anchors"), counter("anchor_races")
    games: list[Game] = []
    for round_ in range(6):
        for number in range(20):
            ended_at = at(round_ * 3 + number % 3, number / 2)
            sealed = number % 5 > 0
            games.append(await ended(stores[0], len(games), ended_at, sealed=sealed))

        async def later(process: int, now: datetime) -> None:
            await asyncio.sleep(chance.uniform(0, 0.02))
            await anchoring_at(stores[process], anchors[process], now, look_at=1 + process * 4).anchor()

        await asyncio.gather(*(later(process, at(round_ * 3 + 3, 1)) for process in range(4)))
        assert [anchor.day for anchor in await assert_sound(anchors[0], games)] == list(map(day, range(round_ * 3 + 3)))
    assert made() == 18
    assert races() > 0
    for store in stores:
        await store.close()
    for database in databases:
        await database.close()


class Overtaken(MemoryAnchorStore):
    """Somebody else adds the very next anchor while ours is on its way."""

    def __init__(self, store: MemoryEventStore) -> None:
        super().__init__(store)
        self.other: Anchoring | None = None

    async def add(self, anchor: Anchor, proofs: Sequence[Proof]) -> bool:
        if self.other is not None:
            other, self.other = self.other, None
            await other.anchor()
        return await super().add(anchor, proofs)


async def test_who_is_overtaken_leaves_out_what_the_other_took() -> None:
    store = MemoryEventStore()
    anchors = Overtaken(store)
    races = counter("anchor_races")
    games = [await ended(store, number, at(number)) for number in range(3)]
    # The other one knows of two days, and this one of three.
    anchors.other = anchoring_at(store, anchors, at(2, 1))
    await anchoring_at(store, anchors, at(3, 1)).anchor()
    assert [anchor.day for anchor in await assert_sound(anchors, games)] == list(map(day, range(3)))
    assert races() == 1


class Failing(MemoryAnchorStore):
    """Goes away once, after so many calls."""

    def __init__(self, store: MemoryEventStore, calls: int) -> None:
        super().__init__(store)
        self.calls = calls

    async def add(self, anchor: Anchor, proofs: Sequence[Proof]) -> bool:
        self.calls -= 1
        if self.calls == 0:
            raise StoreUnavailable("away")
        return await super().add(anchor, proofs)


@pytest.mark.parametrize("calls", [1, 2, 3])
async def test_what_was_done_before_the_store_went_away_stays_and_the_rest_follows(calls: int) -> None:
    store = MemoryEventStore()
    anchors = Failing(store, calls)
    games = [await ended(store, number, at(number)) for number in range(3)]
    process = anchoring_at(store, anchors, at(3, 1))
    with pytest.raises(StoreUnavailable):
        await process.anchor()
    assert len(await all_anchors(anchors)) == calls - 1
    await process.anchor()
    assert [anchor.day for anchor in await assert_sound(anchors, games)] == list(map(day, range(3)))


async def test_the_hashing_leaves_the_event_loop_free(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryEventStore()
    game = await ended(store, 1, at(0))
    proven, threads = anchoring._proven, []

    def noting(heads: dict[str, bytes]) -> tuple[str, list[Proof]]:
        threads.append(threading.current_thread())
        return proven(heads)

    monkeypatch.setattr(anchoring, "_proven", noting)
    anchors = MemoryAnchorStore(store)
    await anchoring_at(store, anchors, at(1, 1)).anchor()
    await assert_sound(anchors, [game])
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


class Refusing(MemoryEventStore):
    """Whoever asks for a seal to be stored is refused, as by a database with a missing grant."""

    refuses = True

    async def add_seal(self, game: str, seal: Seal) -> Seal | None:
        if self.refuses:
            raise StoreFault("InsufficientPrivilegeError (42501)")
        return await super().add_seal(game, seal)


async def test_a_database_that_refuses_every_seal_is_asked_again_before_a_day_is_anchored() -> None:
    store = Refusing()
    games = [await ended(store, number, at(number % 2), sealed=False) for number in range(3)]
    anchors = MemoryAnchorStore(store)
    process = anchoring_at(store, anchors, at(2, 1))
    with pytest.raises(StoreFault):
        await process.anchor()
    assert await anchors.newest() is None
    store.refuses = False
    await process.anchor()
    await assert_sound(anchors, games)
