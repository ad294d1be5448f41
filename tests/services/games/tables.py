"""Several processes over one store, and tables at which people of flesh or chance play."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from domain.bots.casual import choose
from domain.commands import Command, Offer, Plant, Reveal
from domain.events import Event, Options, TradeOffered, Visibility, decode_event
from domain.views import View
from infra.clock import Clock
from infra.event_store import EventStore
from infra.memory.clock import ManualClock, SeededEntropy
from infra.memory.players import MemoryPlayerStore
from infra.signing import parse_signing_keys
from services.games.answers import Answer
from services.games.errors import GameError
from services.games.games import Games
from services.games.requests import NewGameRequest

SIGNING_KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


def new_id() -> str:
    return str(uuid4())


class World:
    """What all processes share: the store, the players, and (unless a test says otherwise) the time."""

    def __init__(self, stores: Sequence[EventStore], *, entropy: int = 0) -> None:
        self.store = stores[0]
        self.players = MemoryPlayerStore()
        self.clock = ManualClock(NOON)
        self.keys = parse_signing_keys(SIGNING_KEY)
        self._stores = itertools.cycle(stores)
        self._entropy = entropy

    def process(
        self,
        *,
        store: EventStore | None = None,
        clock: Clock | None = None,
        cached_games: int = 2000,
        seals: bool = True,
    ) -> Games:
        """One more process, which knows nothing yet; it `seals` what ends, unless it is an old program."""
        self._entropy += 1
        return Games(
            store or next(self._stores),
            self.players,
            clock or self.clock,
            SeededEntropy(self._entropy),
            cached_games=cached_games,
            sign=self.keys.sign if seals else None,
        )

    def processes(self, count: int) -> list[Games]:
        """So many of them."""
        return [self.process() for _ in range(count)]

    async def history(self, game: str) -> list[Event]:
        """Everything that is stored of that game."""
        return [decode_event(record.payload) for record in await self.store.read(game)]

    async def version(self, game: str) -> int:
        """How many events that are."""
        return len(await self.store.read(game))


@dataclass(frozen=True)
class Table:
    """A game and who sits there, by seat."""

    game: str
    players: list[str]
    invite: str | None = None


async def open_table(
    games: Games,
    seats: int = 4,
    *,
    taken: int | None = None,
    visibility: Visibility = "public",
    start_when_full: bool = False,
    nonce: str = "",
    host: str | None = None,
) -> Table:
    """A table at which `taken` people sit (None: on every seat), not started by hand."""
    host = host or new_id()
    options = Options(start_when_full=start_when_full)
    request = NewGameRequest(seats=seats, visibility=visibility, options=options, nonce=nonce)
    created = await games.create(host, request)
    table = Table(created.game, [host], created.invite)
    for seat in range(1, seats if taken is None else taken):
        player = new_id()
        await games.join(table.game, player, table.invite, f"{nonce}{seat}")
        table.players.append(player)
    return table


async def running_table(games: Games, seats: int = 4, *, visibility: Visibility = "public", nonce: str = "") -> Table:
    """A table in its first turn."""
    table = await open_table(games, seats, visibility=visibility, nonce=nonce)
    await games.start(table.game, table.players[0])
    return table


@dataclass(frozen=True)
class Trading:
    """A table in phase 2 of its first turn, and the two ways to look at it: who is active, who is not."""

    table: Table
    active: str
    others: list[str]
    active_seat: int

    @property
    def game(self) -> str:
        return self.table.game


async def trading_table(games: Games, seats: int = 4) -> Trading:
    """The active player has planted one bean and turned up two."""
    table = await running_table(games, seats)
    active_seat = await active_at(games, table)
    active = table.players[active_seat]
    front = (await hand(games, table.game, active))[0]
    await send(games, table.game, active, Plant(front, 0))
    await send(games, table.game, active, Reveal())
    return Trading(table, active, [player for player in table.players if player != active], active_seat)


async def active_at(games: Games, table: Table) -> int:
    active = (await games.view(table.game, table.players[0])).active
    assert active is not None
    return active


async def hand(games: Games, game: str, player: str) -> list[int]:
    """The numbers of the cards in that player's hand, front first."""
    seen = await games.view(game, player)
    assert seen.viewer is not None
    own = seen.seats[seen.viewer].hand
    assert own is not None
    return [card.card for card in own]


async def send(games: Games, game: str, player: str, command: Command) -> Answer:
    """One command with a key of its own."""
    return await games.command(game, player, new_id(), command, None)


async def offer(games: Games, game: str, player: str, command: Offer) -> int:
    """The number of the offer that is then on the table."""
    made = (await send(games, game, player, command)).events[-1].event
    assert isinstance(made, TradeOffered)
    return made.offer


@dataclass(frozen=True)
class Move:
    """A command that was carried out."""

    player: str
    key: str
    command: Command
    answer: Answer


async def next_move(table: Table, processes: Sequence[Games], chance: random.Random) -> Move | None:
    """Somebody does something sensible, through some process; None when the game has ended."""
    while True:
        for seat in chance.sample(range(len(table.players)), len(table.players)):
            games, player = chance.choice(processes), table.players[seat]
            seen = await games.view(table.game, player)
            if seen.status != "running":
                return None
            if seen.phase == "plant" and seen.active != seat:
                continue
            command = await chosen(games, table.game, player, seen, chance)
            if command is not None:
                key = new_id()
                return Move(player, key, command, await games.command(table.game, player, key, command, None))


async def chosen(games: Games, game: str, player: str, seen: View, chance: random.Random) -> Command | None:
    """What a casual player would do there; None: wait."""
    return choose(seen, (await games.actions(game, player)).actions, chance)


async def outcome(answer: object) -> object:
    """The answer of a use case, or the GameError that it ended in."""
    assert hasattr(answer, "__await__")
    try:
        return await answer
    except GameError as error:
        return error


def wire(answer: object) -> bytes:
    """As it goes to the client."""
    return msgspec.json.encode(answer)


def replayed(first: Answer) -> bytes:
    """What every later copy of the command gets."""
    assert not first.replayed
    return wire(msgspec.structs.replace(first, replayed=True))
