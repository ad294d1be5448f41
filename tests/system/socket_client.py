"""A client who follows over WebSockets, and sends his commands over the same."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Final

import aiohttp
import msgspec

from domain.commands import Command
from services.api.messages import CommandMessage, ProblemMessage, ResultMessage
from services.client.client import Client
from services.client.errors import GaveUp, Problem
from services.client.stream import AnyFrame, GameFrame, moved_on
from services.games.answers import Answer
from services.live.frames import ByeFrame

ANSWER_SECONDS: Final = 5.0

_message: Final = msgspec.json.Decoder(AnyFrame | ResultMessage | ProblemMessage)
_ASKED_AGAIN: Final = (429, 500, 502, 503)


class SocketClient(Client):
    """As Client. A command whose answer does not come is sent again with its key, on the next socket."""

    _socket: aiohttp.ClientWebSocketResponse | None = None
    _answers: dict[str, asyncio.Future[ResultMessage | ProblemMessage]]
    sockets = 0

    async def follow(self, game: str, after: int | None = None) -> AsyncIterator[GameFrame]:
        """As Client.follow."""
        self._answers = {}
        version = after
        async with aiohttp.ClientSession() as session:
            while True:
                pause = 0.05
                try:
                    async for frame in self._told(session, game, version):
                        if isinstance(frame, ByeFrame):
                            if frame.retry_ms is None:
                                return
                            pause = frame.retry_ms / 1000
                            break
                        version = moved_on(version, frame)
                        yield frame
                except (aiohttp.ClientError, OSError):
                    pass
                finally:
                    self._socket = None
                    for answer in self._answers.values():
                        answer.cancel()
                self.resumed += 1
                await asyncio.sleep(pause)

    async def _told(self, session: aiohttp.ClientSession, game: str, version: int | None) -> AsyncIterator[AnyFrame]:
        headers = {"Authorization": f"Bearer {await self._tokens.access()}"}
        place = "" if version is None else f"?after={version}"
        url = f"{self._connection.url}/v1/games/{game}/ws{place}"
        async with session.ws_connect(url, headers=headers, heartbeat=4, max_msg_size=0) as socket:
            self._socket = socket
            self.sockets += 1
            async for received in socket:
                message = _message.decode(received.data)
                if isinstance(message, ResultMessage | ProblemMessage):
                    answer = self._answers.get(message.key or "")
                    if answer is not None and not answer.done():
                        answer.set_result(message)
                else:
                    yield message

    async def send(
        self, game: str, command: Command, *, key: str | None = None, if_version: int | None = None
    ) -> Answer:
        """As Client.send."""
        key = key or str(uuid.uuid4())
        message = msgspec.json.encode(CommandMessage(key, command, if_version)).decode()
        until = asyncio.get_running_loop().time() + self._connection.patience.total
        while asyncio.get_running_loop().time() < until:
            answered = await self._asked(key, message)
            match answered:
                case ResultMessage():
                    self.replayed += answered.replayed
                    return Answer(answered.version, replayed=answered.replayed, events=answered.events)
                case ProblemMessage() if answered.status not in _ASKED_AGAIN:
                    raise Problem(answered.status, answered.code, answered.detail, answered.version)
            await asyncio.sleep(0.05)
        raise GaveUp(f"No answer to command {key} of {game}.")

    async def _asked(self, key: str, message: str) -> ResultMessage | ProblemMessage | None:
        socket = self._socket
        if socket is None:
            return None
        self._answers[key] = answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await socket.send_str(message)
                return await asyncio.shield(answer)
        except (TimeoutError, OSError, aiohttp.ClientError):
            return None
        except asyncio.CancelledError:
            if answer.cancelled():
                return None
            raise
        finally:
            del self._answers[key]
