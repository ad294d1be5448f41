"""Games as the store sees them: a chain of records that are easy to tell apart, and what goes with them."""

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import msgspec

from domain.events import TurnStarted
from domain.history import Record, first_hash, header, line, next_hash, records
from infra.event_store import Append, EventStore, NewGame, Receipt, Seal, Summary

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
SEED = bytes(range(32))


def new_id() -> str:
    return str(uuid4())


def chain(start: bytes, version: int, count: int, at: datetime = NOON, seat: int | None = 0) -> list[Record]:
    """`count` records that follow `version`, each a turn with that version's number."""
    return records(start, version, at, seat, [TurnStarted(turn=version + n, seat=0) for n in range(1, count + 1)])


def seal_over(last: Record, signature: str = "signature") -> Seal:
    """A seal as the store sees it, which does not look at who signed."""
    return Seal(last.hash, last.at, "key", signature)


class Game:
    """A game that a test moves on: knows the head that it has seen and builds what may follow."""

    def __init__(
        self,
        *,
        game: str | None = None,
        host: str | None = None,
        players: list[str | None] | None = None,
        status: str = "running",
        ruleset: str = "classic",
        visibility: str = "public",
        created_at: datetime = NOON,
    ) -> None:
        self.game = game or new_id()
        self.host = host or new_id()
        by_seat = players or [self.host, new_id(), None]
        self.summary = Summary(status, ruleset, len(by_seat), visibility, self.host, by_seat)
        self.header_hash = first_hash(header(self.game, ruleset, 1))
        self.created_at = created_at
        self.records = chain(self.header_hash, 0, 2, created_at)

    @property
    def version(self) -> int:
        return len(self.records)

    def new(self, receipt: Receipt | None = None, invite_hash: bytes | None = None) -> NewGame:
        append = Append(self.game, 0, self.records, self.summary, receipt)
        return NewGame(append, self.header_hash, SEED, invite_hash)

    def following(self, count: int = 1, key: str | None = None, player: str | None = None) -> Append:
        """The next records, not stored yet; with a receipt when there is a key."""
        at = self.created_at + timedelta(seconds=self.version)
        more = chain(self.records[-1].hash, self.version, count, at)
        receipt = None
        if key is not None:
            fingerprint = hashlib.sha256(key.encode()).digest()
            receipt = Receipt(player or self.host, key, fingerprint, self.version + 1, self.version + count)
        return Append(self.game, self.version, more, self.summary, receipt)

    def ending(self, count: int = 1, *, sealed: bool = True) -> Append:
        """The last records, with a seal unless it is not wanted."""
        last = self.following(count)
        summary = msgspec.structs.replace(self.summary, status="ended")
        seal = seal_over(last.records[-1]) if sealed else None
        return msgspec.structs.replace(last, summary=summary, seal=seal)

    def accept(self, append: Append) -> None:
        """The append was stored."""
        self.records = [*self.records, *append.records]

    async def refresh(self, store: EventStore) -> None:
        """Looks at what is stored."""
        self.records = await store.read(self.game)


async def created(store: EventStore, game: Game | None = None) -> Game:
    """That game, or any, in the store."""
    game = game or Game()
    await store.create(game.new())
    return game


def broken(append: Append) -> Append:
    """The same append with a hash that the database cannot take: a fault of the program."""
    last = append.records[-1]
    spoilt = Record(last.version, last.at, last.seat, last.payload, b"short")
    return Append(append.game, append.expected, [*append.records[:-1], spoilt], append.summary, append.receipt)


def assert_chain(game: str, stored: list[Record], ruleset: str = "classic") -> None:
    """Versions without a gap, and every hash recomputed from the stored bytes alone."""
    assert [record.version for record in stored] == list(range(1, len(stored) + 1))
    end = first_hash(header(game, ruleset, 1))
    for record in stored:
        end = next_hash(end, line(record.version, record.at, record.seat, record.payload))
        assert record.hash == end


def ordered_id(number: int) -> str:
    """An id that sorts like its number."""
    return str(UUID(int=number))
