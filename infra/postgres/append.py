"""Group commit: appends of different games that come at the same time travel in one statement,
and each is won or lost on its own.

While fewer than `in_flight` statements are on their way an append goes at once; what comes later
collects until one of them is back. A game is in one statement at a time, so its appends keep the order
in which they came. A caller who stops waiting takes nothing from the others.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from infra.event_store import Append, StoreFault, StoreUnavailable
from infra.telemetry import APPEND_BATCH, APPEND_CONFLICTS, APPEND_FALLBACKS, APPEND_SECONDS

Execute = Callable[[Sequence[Append]], Awaitable[set[str]]]
"""Sends appends of different games in one statement; the ids of the games whose append is stored.
Raises StoreUnavailable when that is unknown, StoreFault when nothing is stored."""


class _Waiting:
    __slots__ = ("answer", "append")

    def __init__(self, append: Append, answer: asyncio.Future[bool]) -> None:
        self.append = append
        self.answer = answer


class GroupCommit:
    """One process's way to the log. It belongs to the event loop that first appends."""

    def __init__(self, execute: Execute, *, in_flight: int = 2, batch: int = 64) -> None:
        self._execute = execute
        self._in_flight_limit = in_flight
        self._batch_limit = batch
        self._waiting: deque[_Waiting] = deque()
        self._games: set[str] = set()
        self._tasks: dict[asyncio.Task[set[str]], list[_Waiting]] = {}
        self._flush_is_due = False
        self._is_closed = False

    async def append(self, append: Append) -> bool:
        """As EventStore.append."""
        if self._is_closed:
            raise StoreUnavailable("closing")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(append, loop.create_future())
        self._waiting.append(waiting)
        if not self._flush_is_due:
            # Not at once: whoever else is ready in this turn of the loop comes along.
            self._flush_is_due = True
            loop.call_soon(self._flush)
        return await waiting.answer

    async def close(self) -> None:
        """Takes no further appends and returns when all earlier ones have their answer."""
        self._is_closed = True
        self._flush()
        while self._tasks:
            await asyncio.wait(self._tasks)
            # The answers are given by call-backs of the tasks, which run in the next turn of the loop.
            await asyncio.sleep(0)

    def _flush(self) -> None:
        self._flush_is_due = False
        while len(self._tasks) < self._in_flight_limit:
            batch = self._collect()
            if not batch:
                return
            self._send(batch)

    def _collect(self) -> list[_Waiting]:
        """The longest waiting appends, one a game, without games that are on their way."""
        batch: list[_Waiting] = []
        later: list[_Waiting] = []
        while self._waiting and len(batch) < self._batch_limit:
            waiting = self._waiting.popleft()
            if waiting.answer.done():
                # Its caller has gone and nothing was sent: it is as if it had never come.
                continue
            if waiting.append.game in self._games:
                later.append(waiting)
            else:
                self._games.add(waiting.append.game)
                batch.append(waiting)
        self._waiting.extendleft(reversed(later))
        return batch

    def _send(self, batch: list[_Waiting]) -> None:
        APPEND_BATCH.observe(len(batch))
        task = asyncio.ensure_future(self._timed([waiting.append for waiting in batch]))
        self._tasks[task] = batch
        task.add_done_callback(self._settle)

    async def _timed(self, appends: list[Append]) -> set[str]:
        with APPEND_SECONDS.time():
            return await self._execute(appends)

    def _settle(self, task: asyncio.Task[set[str]]) -> None:
        batch = self._tasks.pop(task)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if isinstance(error, StoreFault) and len(batch) > 1:
            # Nothing of the batch is stored, and one of it may be at fault: each for itself. They pass the
            # limit of statements on their way, which bounds nothing here but how often this can happen.
            APPEND_FALLBACKS.inc()
            for waiting in batch:
                self._send([waiting])
            return
        self._games.difference_update([waiting.append.game for waiting in batch])
        won = task.result() if error is None else set()
        for waiting in batch:
            if not waiting.answer.done():
                self._answer(waiting, won, error)
        self._flush()

    @staticmethod
    def _answer(waiting: _Waiting, won: set[str], error: BaseException | None) -> None:
        if error is None:
            is_stored = waiting.append.game in won
            if not is_stored:
                APPEND_CONFLICTS.inc()
            waiting.answer.set_result(is_stored)
        elif isinstance(error, StoreFault):
            waiting.answer.set_exception(error)
        elif isinstance(error, StoreUnavailable | asyncio.CancelledError):
            waiting.answer.set_exception(StoreUnavailable(*error.args))
        else:
            waiting.answer.set_exception(error)
