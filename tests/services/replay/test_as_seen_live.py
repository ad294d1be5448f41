"""Pitfall D8: a replay from a seat, or as a spectator, is byte for byte what was to be seen there live: in every
edition, for every number of players, from every place at every version after its end; and while it runs."""

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from domain.replay import Viewpoint
from services.games.requests import NewGameRequest
from services.live.watcher import Watcher
from services.replay.passage import Passage
from services.replay.replays import Replays
from services.replay.standing import Standing
from tests.domain.editions import SETUPS, Setup
from tests.services.games.tables import NOON, Table, new_id, next_move, wire
from tests.services.live.hall import Hall, Process, hall
from tests.services.replay.witness import Witness, replayed

LOOKS_BACK = 0.1
"""How often, while the game runs, somebody looks at an older step after a move."""

NEW = 2
"""While the game runs, every so many versions somebody looks at it as soon as it is there."""


class OncePassed(Replays):
    """Goes the way to a version once for all who ask for it one after the other: what is shown of it is put together
    for each."""

    _passage: Passage | None = None

    async def _passed(self, of: Standing, version: int) -> Passage:
        if self._passage is None or self._passage.state.version != version:
            self._passage = await super()._passed(of, version)
        return self._passage


async def seated(opened: Hall, process: Process, setup: Setup) -> tuple[Table, list[Witness]]:
    """An open table with everybody there, and a witness for each seat and for the spectators. All have names."""
    players = [new_id() for _ in range(setup.players)]
    names = {player: f"Player {seat}" for seat, player in enumerate(players)}
    for player, name in names.items():
        await opened.players.create(player, name, "en", NOON)
    wanted = NewGameRequest(ruleset=setup.ruleset, seats=setup.players, options=setup.options)
    table = Table((await process.games.create(players[0], wanted)).game, players)
    for player in players[1:]:
        await process.games.join(table.game, player, None, "")
    watching = [*enumerate(players), (None, new_id())]
    return table, [Witness(table.game, player, seat, names) for seat, player in watching]


@asynccontextmanager
async def following(process: Process, witnesses: list[Witness]) -> AsyncIterator[list[tuple[Witness, Watcher]]]:
    async with AsyncExitStack() as stack:
        pairs = []
        for witness in witnesses:
            watcher = await process.live.watch(witness.game, witness.player, 0)
            stack.callback(process.live.leave, watcher)
            pairs.append((witness, watcher))
        yield pairs


class Room:
    """A game that is played before witnesses."""

    def __init__(self, opened: Hall, table: Table, witnesses: list[Witness], chance: random.Random) -> None:
        self.opened = opened
        self.replays = Replays(opened.store, opened.players)
        self.table = table
        self.witnesses = witnesses
        self.chance = chance

    async def version(self) -> int:
        return (await self.replays.standing(self.table.game, self.table.players[0])).version

    async def check(self, witness: Witness, version: int) -> None:
        """He sees what he saw. His own place need not be named, and may be."""
        standing = await self.replays.standing(self.table.game, witness.player)
        place: Viewpoint = "spectator" if witness.seat is None else witness.seat
        step = await self.replays.step(standing, version, self.chance.choice([None, place]))
        assert replayed(wire(step)) == witness.seen[version]
        assert step.last == len(witness.seen)

    async def check_from_every_place(self) -> None:
        """When the game is over, a stranger sees at every version what each of them has seen."""
        replays = OncePassed(self.opened.store, self.opened.players)
        standing = await replays.standing(self.table.game, new_id())
        assert standing.is_over
        assert standing.seat is None
        for version in range(1, standing.version + 1):
            for witness in self.witnesses:
                place: Viewpoint = "spectator" if witness.seat is None else witness.seat
                assert replayed(wire(await replays.step(standing, version, place))) == witness.seen[version]

    async def look_back(self, known: int, version: int) -> None:
        """On what is new, by turns from each place; and now and then on what is older."""
        for new in range(known + 1, version + 1):
            if new % NEW == 0:
                await self.check(self.witnesses[new // NEW % len(self.witnesses)], new)
        if self.chance.random() < LOOKS_BACK:
            await self.check(self.chance.choice(self.witnesses), self.chance.randint(1, version))


@pytest.mark.parametrize("setup", SETUPS, ids=str)
async def test_a_replay_is_what_was_seen_live(setup: Setup) -> None:
    chance = random.Random(str(setup))
    async with hall(1) as opened:
        process = opened.processes[0]
        table, witnesses = await seated(opened, process, setup)
        room = Room(opened, table, witnesses, chance)
        async with following(process, witnesses) as pairs:

            async def catch_up(known: int) -> int:
                version = await room.version()
                for witness, watcher in pairs:
                    await witness.listen(watcher, process.games, version)
                await room.look_back(known, version)
                return version

            known = await catch_up(0)
            await process.games.start(table.game, table.players[0])
            known = await catch_up(known)
            while await next_move(table, [process.games], chance) is not None:
                known = await catch_up(known)
        assert (await room.replays.standing(table.game, table.players[0])).is_over
        await room.check_from_every_place()
        for witness in witnesses:
            await room.check(witness, known)
            await room.check(witness, chance.randint(1, known))
