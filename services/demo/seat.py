"""One player at the table: follows the game on a stream, thinks when something concerns him, sends a command."""

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
from services.demo.notebook import Disagreement, Notebook
from services.games.answers import ActionList
from services.live.frames import EventsFrame, PresenceFrame, ViewFrame

THINKING_SECONDS: Final = 0.03
"""For a player who waits for others to answer him before he decides anew."""

LOOKING_SECONDS: Final = 5.0
"""For the others: nothing concerns them until something happens."""

STALLED_SECONDS: Final = 120.0
"""A table at which nothing happens for so long, with a server that answers, will not go on."""

_REFUSED: Final = 409


class Player:
    """Plays one seat of one game to its end. `looked` is called with the state after every look at something new."""

    def __init__(
        self, client: Client, notebook: Notebook, dice: random.Random, looked: Callable[[State], None]
    ) -> None:
        self.notebook = notebook
        self.game = notebook.state.game
        self.refused = 0
        self._client = client
        self._dice = dice
        self._looked = looked
        self._news = asyncio.Event()
        self._known: tuple[View, ActionList] | None = None
        self._traded_turn = 0

    async def play(self) -> None:
        """Until the end. Disagreement, or what the client cannot overcome."""
        tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._decide())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self.notebook.take_view(await self._client.view(self.game), self.notebook.told)

    async def _follow(self) -> None:
        """Write down what the stream tells, from the first event on."""
        async for frame in self._client.follow(self.game, after=0):
            match frame:
                case EventsFrame():
                    self.notebook.take_events(frame.events)
                case ViewFrame():
                    # The stream could not go on from where it was; what lies between is in the history.
                    await self._read_on()
                    self.notebook.take_view(frame.view, self.notebook.state.version)
                case PresenceFrame():
                    continue
            self._looked(self.notebook.state)
            self._news.set()

    async def _read_on(self) -> None:
        following: int | None = self.notebook.state.version
        while following is not None:
            page = await self._client.events(self.game, following)
            self.notebook.take_page(page)
            following = page.next

    async def _decide(self) -> None:
        moved = self._now()
        version = self.notebook.state.version
        while not self.notebook.over:
            self._news.clear()
            if self.notebook.state.version != version:
                version, moved = self.notebook.state.version, self._now()
            elif self._now() - moved > STALLED_SECONDS:
                raise Disagreement(version, f"Nothing has happened for {STALLED_SECONDS:.0f} s.")
            await self._wait(await self._moves_or_waits())

    async def _moves_or_waits(self) -> float:
        """Seconds to wait for news afterwards."""
        if not self._concerned():
            return LOOKING_SECONDS
        known = await self._table()
        if known is None:
            return THINKING_SECONDS
        command = casual.choose(known[0], known[1].actions, self._dice)
        if command is None:
            return THINKING_SECONDS
        await self._do(command)
        return 0.0

    async def _wait(self, seconds: float) -> None:
        """For news: what was told in answers is heard by the stream, too, and only then is it time to go on."""
        behind = self.notebook.told > self.notebook.state.version
        try:
            async with asyncio.timeout(LOOKING_SECONDS if behind else seconds):
                await self._news.wait()
        except TimeoutError:
            pass  # he looks up

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

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
            asked_at = self.notebook.told
            seen, told = await asyncio.gather(self._client.view(self.game), self._client.actions(self.game))
            self.notebook.take_view(seen, asked_at)
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
