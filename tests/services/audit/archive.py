"""A database with a few days of games, all of it right; and ways to damage it that its triggers would refuse."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import asyncpg

from domain.anchors import Anchor
from domain.audit import Check
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.players import MemoryPlayerStore
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.inspection import Inspection
from infra.postgres.pool import Database, RecordConnection
from services.audit.anchor_chain import AnchorAudit
from services.audit.anchoring import Anchoring
from services.audit.database import DatabaseAudit
from services.audit.files import Verdict
from services.games.games import Games
from tests.exports import KEYS
from tests.services.games.tables import next_move, open_table, running_table

FIRST_DAY = datetime(2026, 11, 23, 12, 0, 0, 123456, tzinfo=UTC)
TODAY = FIRST_DAY + timedelta(days=7)
TABLES = ("events", "games", "seals", "anchors", "anchored_games", "game_secrets", "receipts")


@dataclass(frozen=True)
class Archive:
    """The ids of its games: `ended` was played to its end on the first day, the others were left by their hosts on the
    first (two), second and third day and today; `running` goes on, `opened` has not begun. Three days are anchored."""

    ended: str
    left: list[str]
    left_today: str
    private: str
    running: str
    opened: str

    @property
    def games(self) -> list[str]:
        """All of them, by their ids."""
        return sorted([self.ended, *self.left, self.left_today, self.private, self.running, self.opened])


async def build(url: str) -> Archive:
    """Into a migrated database without a row."""
    clock = ManualClock(FIRST_DAY)
    database = await Database.open(url)
    store = PostgresEventStore(database)
    games = Games(store, MemoryPlayerStore(), clock, SeededEntropy(5), sign=KEYS.sign)
    chance = random.Random(5)

    async def left(day: int) -> str:
        clock.advance((FIRST_DAY + timedelta(days=day) - clock.now()).total_seconds())
        table = await open_table(games, taken=2)
        clock.advance(1)
        await games.leave(table.game, table.players[0])
        return table.game

    played = await running_table(games, 2)
    while await next_move(played, [games], chance) is not None:
        clock.advance(0.25)
    private = await open_table(games, 3, visibility="private")
    gone = [await left(day) for day in (0, 0, 1, 2)]
    left_today = await left(7)
    running = await running_table(games, 4)
    for _ in range(25):
        await next_move(running, [games], chance)
        clock.advance(0.25)
    opened = await open_table(games, taken=2)
    await Anchoring(store, PostgresAnchorStore(database), KEYS.sign, clock).anchor()
    await store.close()
    await database.close()
    return Archive(played.game, gone, left_today, private.game, running.game, opened.game)


class Auditors:
    """The checks of a database, on a day."""

    def __init__(self, database: Database, now: datetime = TODAY + timedelta(hours=1)) -> None:
        inspection, clock = Inspection(database), ManualClock(now)
        self.database = DatabaseAudit(inspection, KEYS.public, clock)
        self.anchors = AnchorAudit(inspection, PostgresAnchorStore(database), KEYS.public, clock)

    async def verdicts(self) -> dict[str, Verdict]:
        """Of every game, by its id."""
        return {str(verdict.game): verdict async for verdict in self.database.games()}

    async def wrong_games(self) -> dict[str, list[Check]]:
        """What is wrong with which games."""
        found = {game: wrong(verdict.checks) for game, verdict in (await self.verdicts()).items()}
        return {game: checks for game, checks in found.items() if checks}

    async def wrong_anchors(self, kept: Sequence[Anchor] = ()) -> list[str]:
        """What is wrong with the anchors, in sentences."""
        return [check.detail async for check in self.anchors.checks(kept) if not check.ok]


def wrong(checks: Sequence[Check]) -> list[Check]:
    """Those that failed."""
    return [check for check in checks if not check.ok]


def rows_detail(checks: Sequence[Check]) -> str:
    """What is said of the rows."""
    [detail] = [check.detail for check in checks if check.name == "rows"]
    return detail


async def damage(owner: RecordConnection, *changes: str) -> None:
    """As somebody could who owns the database: its triggers are put out of action first."""
    for table in TABLES:
        await owner.execute(f"alter table {table} disable trigger user")
    for change in changes:
        touched = await owner.execute(change)
        assert not touched.endswith(" 0"), f"nothing was damaged by {change}"


async def version_of(owner: asyncpg.Connection, game: str) -> int:
    """How many events a game has."""
    version: int = await owner.fetchval("select count(*) from events where game = $1", game)
    return version
