"""One player at the table: looks what is new, thinks when something concerns him, sends a command, writes all down."""

import asyncio
import random
from collections.abc import Callable
from typing import Final

from domain.bots import casual
from domain.commands import Command
from domain.state import State
from domain.views import View
from services.client.client import Client
from services.client.errors import Problem
from services.demo.bell import Bell
from services.demo.notebook import Disagreement, Notebook
from services.games.answers import ActionList

THINKING_SECONDS: Final = 0.03
"""For a player who waits for others to answer him before he decides anew."""

LOOKING_SECONDS: Final = 0.25
"""For the others, if the bell stays silent."""

STALLED_SECONDS: Final = 120.0
"""A table at which nothing happens for so long, with a server that answers, will not go on."""

_REFUSED: Final = 409


class Player:
    """Plays one seat of one game to its end. `looked` is called with the state after every look at something new."""

    def __init__(
        self, client: Client, notebook: Notebook, bell: Bell, dice: random.Random, looked: Callable[[State], None]
    ) -> None:
        self.notebook = notebook
        self.game = notebook.state.game
        self.refused = 0
        self._client = client
        self._bell = bell
        self._dice = dice
        self._looked = looked
        self._known: tuple[View, ActionList] | None = None
        self._traded_turn = 0

    async def play(self) -> None:
        """Until the end. Disagreement, or what the client cannot overcome."""
        clock = asyncio.get_running_loop().time
        moved = clock()
        while True:
            heard = self._bell.rung
            if await self._look():
                moved = clock()
            elif clock() - moved > STALLED_SECONDS:
                raise Disagreement(self.notebook.state.version, f"Nothing has happened for {STALLED_SECONDS:.0f} s.")
            if self.notebook.over:
                break
            pause = LOOKING_SECONDS
            if self._concerned():
                known = await self._table()
                if known is None:
                    continue
                command = casual.choose(known[0], known[1].actions, self._dice)
                if command is not None:
                    await self._do(command)
                    continue
                pause = THINKING_SECONDS
            await self._bell.wait(heard, pause)
        self.notebook.take_view(await self._client.view(self.game))

    async def _look(self) -> bool:
        """Take in what is new; whether anything was."""
        before = self.notebook.state.version
        while True:
            page = await self._client.events(self.game, self.notebook.state.version)
            self.notebook.take_page(page)
            if page.next is None or not page.events:
                break
        new = self.notebook.state.version != before
        if new:
            self._looked(self.notebook.state)
        return new

    def _concerned(self) -> bool:
        """Whether this seat has something to decide, as far as its own notes tell."""
        state, seat = self.notebook.state, self.notebook.seat
        if state.phase == "settle":
            return bool(state.seats[seat].pending)
        if state.active == seat:
            return True
        if state.phase != "trade":
            return False
        if any(
            offer.author != seat and offer.to in (None, seat) and seat not in offer.rejected_by
            for offer in state.offers.values()
        ):
            return True
        # Once a turn without being asked: he may have an offer of his own.
        first_thought = self._traded_turn != state.turn
        self._traded_turn = state.turn
        return first_thought

    async def _table(self) -> tuple[View, ActionList] | None:
        """View and actions at the version of the notes; None if the game moves on while they are read."""
        if self._known is None or self._known[0].version != self.notebook.state.version:
            seen, told = await asyncio.gather(self._client.view(self.game), self._client.actions(self.game))
            self.notebook.take_view(seen)
            self.notebook.take_actions(told)
            if not seen.version == told.version == self.notebook.state.version:
                return None
            self._known = seen, told
        return self._known

    async def _do(self, command: Command) -> None:
        try:
            answer = await self._client.send(self.game, command)
        except Problem as problem:
            if problem.status != _REFUSED:
                raise
            # Somebody was faster; what is new tells what is still possible.
            self.refused += 1
            return
        self.notebook.take_answer(command, answer)
        self._bell.ring()
