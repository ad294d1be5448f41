"""The four players of a table, each on a WebSocket of his own, who play what was recorded and see when it has reached
all of them."""

import asyncio
from collections.abc import Sequence
from time import monotonic_ns

import msgspec
from msgspec import Struct

from services.bench.recorded import Move, RecordedGame
from services.bench.sockets import PING, TEXT, Socket, frame, opened
from services.identity.access import AccessTokens

_REFUSED = frame(TEXT, b'{"type":"command","key":"nothing","command":{"type":"nothing"}}')
"""A message of the shape of a command, answered at once since there is no such command."""

_KIND = slice(9, 12)
"""Where the type of a frame tells it from others."""
_EVENTS, _PROBLEM, _RESULT, _PRESENCE = b"eve", b"pro", b"res", b"pre"
_TO = b'"to":'
_ITS_KEY = b'"key":"nothing"'


class UnexpectedFrame(Exception):
    """A frame that has no place in a game which goes as it was recorded."""


class Reached(Struct, frozen=True, gc=False):
    """When a move was sent, and when the last of the four had it. Nanoseconds of the monotonic clock."""

    game: str
    version: int
    sent: int
    had: int


class Four:
    """They do one thing at a time: a move, or a message that is refused."""

    def __init__(self, table: RecordedGame) -> None:
        self.reached: list[Reached] = []
        self.refused: list[int] = []
        self._table = table
        self._sockets: list[Socket] = []
        self._moves = [(move.seat, move.version, _prepared(move)) for move in table.moves]
        self._moves.reverse()
        self._awaited = 0
        self._missing = 0
        self._sent = 0
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._one_at_a_time = asyncio.Lock()

    async def sit_down(self, port: int, tokens: AccessTokens) -> None:
        """Where the first move can be made. SocketRefused."""
        path = f"/v1/games/{self._table.game}/ws?after={self._table.started}"
        for player in self._table.players:
            self._sockets.append(await opened(port, path, tokens.issue(player), self._hear))

    def get_up(self) -> None:
        """All four."""
        for one in self._sockets:
            one.close()

    @property
    def moves_left(self) -> int:
        """Of those that were recorded."""
        return len(self._moves)

    async def move(self) -> None:
        """The next one, until all four have it. UnexpectedFrame, SocketRefused."""
        async with self._one_at_a_time:
            seat, self._awaited, prepared = self._moves.pop()
            self._missing = len(self._sockets)
            await self._send((self._sockets[seat],), prepared)

    async def ask_in_vain(self) -> None:
        """Send what is refused, until the answer is there. UnexpectedFrame, SocketRefused."""
        async with self._one_at_a_time:
            await self._send(self._sockets[:1], _REFUSED)

    async def ping(self) -> None:
        """On every socket, until all have been answered. UnexpectedFrame, SocketRefused."""
        async with self._one_at_a_time:
            self._missing = len(self._sockets)
            await self._send(self._sockets, PING)

    async def _send(self, sockets: Sequence[Socket], prepared: bytes) -> None:
        self._done = asyncio.get_running_loop().create_future()
        self._sent = monotonic_ns()
        for one in sockets:
            one.send(prepared)
        await self._done

    def _hear(self, text: bytes, now: int) -> None:
        kind = text[_KIND]
        if kind == _EVENTS:
            begin = text.index(_TO) + len(_TO)
            if int(text[begin : text.index(b",", begin)]) == self._awaited and self._is_last():
                self.reached.append(Reached(self._table.game, self._awaited, self._sent, now))
        elif not text:
            self._is_last()
        elif kind == _PROBLEM and _ITS_KEY in text:
            self.refused.append(now - self._sent)
            self._done.set_result(None)
        elif kind not in (_RESULT, _PRESENCE) and not self._done.done():
            self._done.set_exception(UnexpectedFrame(text.decode()))

    def _is_last(self) -> bool:
        self._missing -= 1
        if self._missing == 0:
            self._done.set_result(None)
        return self._missing == 0


def _prepared(move: Move) -> bytes:
    message = {"type": "command", "key": f"move-{move.version}", "command": move.command}
    return frame(TEXT, msgspec.json.encode(message))
