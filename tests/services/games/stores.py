"""Stores with something between them and their caller: delays, outages, a spoilt history."""

import asyncio
import random
from collections.abc import Sequence
from typing import Literal

import msgspec

from domain.history import Record
from infra.event_store import Append, EventStore, GamePage, Head, NewGame, Receipt, Seal, Secrets, StoreUnavailable

Call = Literal["create", "append", "read", "head", "heads", "receipt", "secrets", "seal", "add_seal", "games"]


class Through:
    """Hands every call on to the store behind it, and lets a subclass in before and after."""

    def __init__(self, inner: EventStore) -> None:
        self.inner = inner
        self.calls: list[Call] = []

    async def before(self, call: Call) -> None:
        """What happens on the way to the store."""

    async def after(self, call: Call) -> None:
        """What happens on the way back."""

    async def create(self, new: NewGame) -> None:
        await self._enter("create")
        await self.inner.create(new)
        await self.after("create")

    async def append(self, append: Append) -> bool:
        await self._enter("append")
        is_stored = await self.inner.append(append)
        await self.after("append")
        return is_stored

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        await self._enter("read")
        stored = await self.inner.read(game, after, limit)
        await self.after("read")
        return stored

    async def head(self, game: str) -> Head | None:
        await self._enter("head")
        head = await self.inner.head(game)
        await self.after("head")
        return head

    async def heads(self, games: Sequence[str]) -> dict[str, int]:
        await self._enter("heads")
        heads = await self.inner.heads(games)
        await self.after("heads")
        return heads

    async def receipt(self, game: str, player: str, key: str) -> Receipt | None:
        await self._enter("receipt")
        receipt = await self.inner.receipt(game, player, key)
        await self.after("receipt")
        return receipt

    async def secrets(self, game: str) -> Secrets | None:
        await self._enter("secrets")
        secrets = await self.inner.secrets(game)
        await self.after("secrets")
        return secrets

    async def seal(self, game: str) -> Seal | None:
        await self._enter("seal")
        seal = await self.inner.seal(game)
        await self.after("seal")
        return seal

    async def add_seal(self, game: str, seal: Seal) -> Seal | None:
        await self._enter("add_seal")
        stored = await self.inner.add_seal(game, seal)
        await self.after("add_seal")
        return stored

    async def games(
        self,
        *,
        caller: str,
        status: str | None,
        ruleset: str | None,
        player: str | None,
        cursor: str | None,
        limit: int,
    ) -> GamePage:
        await self._enter("games")
        page = await self.inner.games(
            caller=caller, status=status, ruleset=ruleset, player=player, cursor=cursor, limit=limit
        )
        await self.after("games")
        return page

    async def _enter(self, call: Call) -> None:
        self.calls.append(call)
        await self.before(call)


class Staggered(Through):
    """A store in memory answers at once; behind this one others get a turn on the way, as with a real one."""

    def __init__(self, inner: EventStore, chance: random.Random) -> None:
        super().__init__(inner)
        self._chance = chance

    async def before(self, call: Call) -> None:
        await self._elsewhere(call)

    async def after(self, call: Call) -> None:
        await self._elsewhere(call)

    async def _elsewhere(self, call: Call) -> None:
        for _ in range(self._chance.randrange(2 if call == "read" else 4)):
            await asyncio.sleep(0)


class Troubled(Through):
    """A store that can be made to fail, for all games or for one call."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.is_down = False
        self.crashes_after: set[Call] = set()
        self.hangs_before: set[Call] = set()
        self.hangs_after: set[Call] = set()
        self.is_reached = asyncio.Event()
        self.is_released = asyncio.Event()

    async def before(self, call: Call) -> None:
        if self.is_down:
            raise StoreUnavailable("down")
        if call in self.hangs_before:
            await self._hang()

    async def after(self, call: Call) -> None:
        if call in self.hangs_after:
            await self._hang()
        if call in self.crashes_after:
            raise StoreUnavailable("lost after the commit")

    def release(self) -> None:
        """Nothing hangs any more."""
        self.hangs_before.clear()
        self.hangs_after.clear()
        self.is_released.set()

    async def _hang(self) -> None:
        self.is_reached.set()
        await self.is_released.wait()


class Unlucky(Through):
    """Somebody else is always faster."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.lost: list[Append] = []

    async def append(self, append: Append) -> bool:
        await self._enter("append")
        self.lost.append(append)
        return False


class Spoilt(Through):
    """The last event of one game cannot be read, as after a fault of a disk, until it is repaired."""

    def __init__(self, inner: EventStore) -> None:
        super().__init__(inner)
        self.spoilt_game: str | None = None

    async def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Record]:
        stored = await super().read(game, after, limit)
        if game != self.spoilt_game or not stored:
            return stored
        return [*stored[:-1], msgspec.structs.replace(stored[-1], payload=b'{"type":"bean_eaten"}')]
