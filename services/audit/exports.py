"""A finished game as one file that anyone can check (design, "The export file"): its bytes never change, and are made
page by page from what is stored."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from msgspec import Struct

from domain.history import first_hash, line, next_hash, trailer
from infra.anchors import AnchorStore
from infra.event_store import EventStore, Seal
from infra.signing import SigningKeys
from services.audit.finished import finished
from services.games.errors import HistoryUnreadable
from services.games.pages import pages
from services.games.sealing import Seals
from services.games.stored import header_line
from services.games.turns import Turns


class Export(Struct, frozen=True):
    """`tag` is one for each content; `is_public`: anybody may have it. `parts` are its bytes, to be taken once."""

    tag: str
    is_public: bool
    parts: AsyncGenerator[bytes]


class Exports:
    """Every method may raise StoreUnavailable and StoreFault."""

    def __init__(self, store: EventStore, anchors: AnchorStore, keys: SigningKeys, turns: Turns | None = None) -> None:
        self._store = store
        self._seals = Seals(store, anchors.newest, keys.sign)
        self._turns = turns or Turns()

    async def export(self, game: str, player: str) -> Export:
        """The file of that game, for a player who may know of it. GameNotFound, GameRunning, HistoryUnreadable, and
        Contention when too many want that at once."""
        head = await finished(self._store, game, player)
        async with self._turns.turn(head.version):
            seal = await self._seals.of(game)
        if seal is None:
            raise HistoryUnreadable(game, head.version, "it has no seal and is given none")
        return Export(seal.head.hex(), head.summary.visibility == "public", self._parts(game, head.version, seal))

    async def _parts(self, game: str, last: int, seal: Seal) -> AsyncGenerator[bytes]:
        hashed = b""
        async with aclosing(pages(self._store, game, last)) as read:
            while True:
                async with self._turns.part():
                    page = await anext(read, None)
                    if page is None:
                        break
                    lines: list[bytes] = []
                    if page[0].version == 1:
                        lines.append(header_line(game, page[0]))
                        hashed = first_hash(lines[0])
                    for record in page:
                        text = line(record.version, record.at, record.seat, record.payload)
                        hashed = next_hash(hashed, text)
                        lines.append(text)
                yield b"\n".join([*lines, b""])
        if hashed != seal.head:
            # Without its last line nobody takes it for a whole file, and no cache keeps it.
            raise HistoryUnreadable(game, last, "its lines do not add up to the seal")
        yield trailer(seal.head, seal.key, seal.signature) + b"\n"
