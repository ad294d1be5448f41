"""Checks games as they lie in the database, running ones too: the checks of an export, and whether all rows of a game
agree with its events. One game after the other, each as it is at one moment; it reads, and nothing else."""

from collections.abc import AsyncIterator, Collection
from datetime import datetime
from typing import Final

from domain.audit import Auditor, Check, SignatureOf, unread
from domain.events import Event, GameCreated
from domain.export import Entry, Unreadable, read_header
from domain.history import Trailer, header
from infra.clock import Clock
from infra.event_store import OVER, StoreFault, StoreUnavailable
from infra.postgres.inspection import AnchoredRow, EventRow, GameRows, HeadRow, Inspection
from services.audit.anchoring import MOST_ASTRAY
from services.audit.beside_rows import Receipts, is_overdue, wrong_seal, wrong_secrets
from services.audit.event_rows import EventRows, read_row
from services.audit.files import Verdict
from services.audit.head_row import FoldedHead
from services.audit.proofs import NAME as ANCHOR
from services.audit.proofs import OVERDUE_AFTER, anchor_check
from services.audit.signatures import signature_of

ROWS: Final = "rows"


class DatabaseAudit:
    """`keys` are the ids of those whose signatures count. Every method may raise StoreUnavailable and StoreFault."""

    def __init__(self, inspection: Inspection, keys: Collection[str], clock: Clock) -> None:
        self._inspection = inspection
        self._keys = keys
        self._signature_of = signature_of(keys)
        self._clock = clock

    async def games(self) -> AsyncIterator[Verdict]:
        """Every game that any table has rows of, by its id."""
        async for game in self._inspection.games():
            try:
                verdict = await self.game(game)
            except StoreFault as fault:
                verdict = _not_looked_at(game, fault)
            yield verdict

    async def game(self, game: str) -> Verdict:
        """That game: the checks of its history, whether all rows agree, and whether its anchor proves it. Rows that
        nobody has thought of are wrong too, and hold up no other game."""
        try:
            return await self._looked_at(game)
        except (StoreUnavailable, StoreFault):
            raise
        except Exception as error:  # noqa: BLE001 - as said
            return _not_looked_at(game, error)

    async def _looked_at(self, game: str) -> Verdict:
        async with self._inspection.game(game) as rows:
            head = rows.head
            if head is None:
                return await self._without_head(rows)
            return await self._checked(rows, head)

    async def _without_head(self, rows: GameRows) -> Verdict:
        events = [row.version async for row in rows.events()]
        found = {
            "events": bool(events),
            "game_secrets": rows.secrets is not None,
            "seals": rows.seal is not None,
            "anchored_games": rows.anchored is not None,
            "receipts": bool(await rows.receipts()),
        }
        tables = ", ".join(table for table, is_there in found.items() if is_there)
        sentence = f"games: the row is missing. There are rows in {tables}." if tables else "games: no such game."
        return Verdict(rows.game, len(events), None, [Check(ROWS, ok=False, detail=sentence)])

    async def _checked(self, rows: GameRows, head: HeadRow) -> Verdict:
        history = _History(rows)
        chain = EventRows(rows.game, head.version, head.head_hash)
        folded = FoldedHead(rows.game)
        receipts = Receipts(await rows.receipts())
        count, last_at = 0, None
        async for row in rows.events():
            count, last_at = count + 1, row.at
            entry = read_row(row)
            event = chain.take(row, entry)
            history.take(row, entry, None if event is None else chain.hash)
            if event is not None:
                folded.take(row.version, event)
                receipts.take(row, event)
        chain.finish()
        wrong = chain.wrong or self._ahead(last_at, count) or self._beside(rows, head, chain, folded, receipts)
        checks = [
            *history.finish(head, self._signature_of),
            Check(ROWS, ok=wrong is None, detail=wrong or "The rows of all tables agree with the events."),
        ]
        anchor = self._anchor(rows.anchored, head, folded, chain, last_at)
        checks = checks if anchor is None else [*checks, anchor]
        return Verdict(rows.game, count, head.head_hash.hex() if history.is_revealed else None, checks, last_at)

    def _ahead(self, last_at: datetime | None, version: int) -> str | None:
        """A time that has not come would keep a game from being missed in its anchor for as long."""
        if last_at is None or last_at <= self._clock.now() + MOST_ASTRAY:
            return None
        return f"events.at, version {version}: {last_at:%Y-%m-%d %H:%M} has not come yet."

    def _beside(
        self, rows: GameRows, head: HeadRow, chain: EventRows, folded: FoldedHead, receipts: Receipts
    ) -> str | None:
        """What is wrong beside the events, which are right."""
        last_at = chain.last_at
        if last_at is None:
            return "events: there are none."
        hashes = (chain.header_hash, chain.hash)
        overdue = is_overdue(last_at, self._clock.now(), rows.newest_day)
        return (
            folded.compare(head, chain.count, hashes, chain.first_at)
            or wrong_seal(rows.seal, folded.state, (chain.hash, last_at), self._keys, overdue=overdue)
            or wrong_secrets(rows.secrets, folded.state)
            or receipts.finish()
        )

    def _anchor(
        self,
        anchored: AnchoredRow | None,
        head: HeadRow,
        folded: FoldedHead,
        chain: EventRows,
        last_at: datetime | None,
    ) -> Check | None:
        """None where the game need not be anchored yet."""
        if anchored is None:
            ended_at = chain.last_at if folded.state.is_over else None
            if ended_at is None or ended_at >= self._clock.now() - OVERDUE_AFTER:
                return None
            return Check(
                ANCHOR, ok=False, detail=f"anchored_games: the game is over since {ended_at.date()}, and in no anchor."
            )
        if anchored.proof is None:
            return Check(ANCHOR, ok=False, detail=f"anchored_games.day: there is no anchor of {anchored.day}.")
        return anchor_check(head.head_hash, last_at, anchored.proof, self._signature_of)


def _not_looked_at(game: str, error: Exception) -> Verdict:
    # What the error says may hold anything.
    sentence = f"It could not be looked at: {type(error).__name__}."
    return Verdict(game, 0, None, [Check(ROWS, ok=False, detail=sentence)])


class _History:
    """The checks of an export, made of the rows."""

    def __init__(self, rows: GameRows) -> None:
        self._rows = rows
        self._auditor: Auditor | None = None
        self._unread: list[Check] | None = None

    @property
    def is_revealed(self) -> bool:
        """Whether the game has ended, by its events."""
        return self._auditor is not None and self._auditor.is_revealed

    def take(self, row: EventRow, entry: Entry | Unreadable, hashed: bytes | None) -> None:
        """The next event; `hashed` is the end of the chain there if all is right so far."""
        if self._unread is not None:
            return
        try:
            if isinstance(entry, Unreadable):
                raise entry
            if self._auditor is None:
                self._auditor = self._begun(entry.event)
            self._auditor.take(entry, row.hash, hashed)
        except Unreadable as error:
            self._unread = unread(f"Version {row.version}", str(error))

    def finish(self, head: HeadRow, signature: SignatureOf) -> list[Check]:
        """All that can be said of a game with that head row."""
        if self._unread is not None:
            return self._unread
        if self._auditor is None:
            return unread("Version 1", "It is missing.")
        seal = self._rows.seal
        if seal is None or not self.is_revealed:
            return self._auditor.so_far(head.head_hash.hex(), is_over=head.summary.status in OVER)
        return self._auditor.finish(Trailer(seal.head.hex(), seal.key, seal.signature), signature)

    def _begun(self, event: Event) -> Auditor:
        if not isinstance(event, GameCreated):
            raise Unreadable("A game does not begin with it.")
        text = header(self._rows.game, event.ruleset, event.rules_version)
        seed = None if self._rows.secrets is None else self._rows.secrets.seed
        return Auditor(text, read_header(text), seed=seed)
