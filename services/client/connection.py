"""One server, asked over HTTP until it answers or the time is up.

Lost connections, timeouts, 408, 429 and 5xx are asked again, with the same bytes and the same headers: a command that
was carried out before its answer was lost is recognised by its Idempotency-Key.
"""

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import aiohttp
from msgspec import Struct

from services.client.errors import GaveUp, Unreadable, problem_of
from services.client.patience import Patience, retry_after

MOST_CONNECTIONS: Final = 8
"""A stream takes one for as long as it is followed."""

LARGEST_ANSWER: Final = 16 * 1024 * 1024
"""Bytes. A page of 500 events has some 100 kB."""

_ASKED_AGAIN: Final = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class Request(Struct, frozen=True):
    """What is asked. Its representation is safe to log: headers carry tokens, so they are not in it."""

    method: str
    path: str
    body: bytes | None = None
    headers: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"{self.method} {self.path}"


class Call:
    """One thing that is asked for. `unanswered` counts the attempts of which nobody knows what they did."""

    def __init__(self, deadline: float) -> None:
        """`deadline` on the event loop's clock."""
        self.deadline = deadline
        self.unanswered = 0


class Interrupted(Exception):
    """A stream has ended before its time. Whoever knows where it was goes on from there. `had_begun`: the server had
    begun to answer well."""

    def __init__(self, what: str, *, had_begun: bool = False) -> None:
        super().__init__(what)
        self.had_begun = had_begun


class Connection:
    """`url` is the server's address without /v1. `calls` counts all attempts, `retried` those after the first."""

    def __init__(self, url: str, patience: Patience) -> None:
        self.url = server_address(url)
        self.patience = patience
        self.calls = 0
        self.retried = 0
        self._session: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"Connection({self.url!r})"

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=MOST_CONNECTIONS),
            cookie_jar=aiohttp.DummyCookieJar(),
            middlewares=(_once,),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def call(self) -> Call:
        """A call that begins now."""
        return Call(asyncio.get_running_loop().time() + self.patience.total)

    async def ask(self, request: Request, call: Call, largest: int = LARGEST_ANSWER) -> bytes:
        """The body of a success, unpacked. Problem for any other answer that will not change, GaveUp at the deadline,
        Unreadable if it has more than `largest` bytes."""
        clock = asyncio.get_running_loop().time
        attempt = 0
        while True:
            attempt += 1
            wish = 0.0
            cause: Exception
            try:
                status, headers, body = await self._attempt(request, call.deadline - clock(), largest)
            except aiohttp.SocketTimeoutError as error:
                raise GaveUp(f"{request} to {self.url}: nothing came for {self.patience.silence:g} s.") from error
            except (aiohttp.ClientError, OSError) as error:
                cause = error
            else:
                if status < 300:
                    return body
                cause = problem_of(status, body)
                if status < 500 and status not in _ASKED_AGAIN:
                    raise cause
                wish = retry_after(headers)
            pause = max(self.patience.pause(attempt), wish)
            if clock() + pause >= call.deadline:
                raise GaveUp(
                    f"{request} to {self.url} was tried {attempt} times; the last time: {_said(cause)}"
                ) from cause
            self.retried += 1
            call.unanswered += 1
            await asyncio.sleep(pause)

    def now(self) -> float:
        """On the clock of deadlines."""
        return asyncio.get_running_loop().time()

    async def stream(self, request: Request, silence: float) -> AsyncGenerator[bytes, None]:
        """The body of an answer as it comes, once and without an end of its own. Interrupted when it ends, when nothing
        came for so many seconds, or when the server is away; Problem for an answer that will not change."""
        if self._session is None:
            raise RuntimeError("A connection is used inside `async with`.")
        self.calls += 1
        patience = self.patience
        had_begun = False
        try:
            async with self._session.request(
                request.method,
                self.url + request.path,
                headers=request.headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=patience.connect, sock_read=silence),
            ) as answer:
                if answer.status >= 300:
                    problem = problem_of(answer.status, await _whole(answer, request))
                    if answer.status < 500 and answer.status not in _ASKED_AGAIN:
                        raise problem
                    raise Interrupted(str(problem))
                had_begun = True
                async for chunk in answer.content.iter_any():
                    yield chunk
        except (aiohttp.ClientError, OSError) as error:
            raise Interrupted(_said(error), had_begun=had_begun) from error
        raise Interrupted("The stream has ended.", had_begun=had_begun)

    async def _attempt(self, request: Request, seconds: float, largest: int) -> tuple[int, dict[str, str], bytes]:
        if self._session is None:
            raise RuntimeError("A connection is used inside `async with`.")
        self.calls += 1
        patience = self.patience
        async with self._session.request(
            request.method,
            self.url + request.path,
            data=request.body,
            headers=request.headers,
            # A token goes to the server that gave it, and nowhere else.
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(
                total=max(0.001, min(patience.call, seconds)),
                sock_connect=patience.connect,
                sock_read=patience.silence,
            ),
        ) as answer:
            body = await _whole(answer, request, largest)
            return answer.status, {"Retry-After": answer.headers.get("Retry-After", "")}, body


async def _whole(answer: aiohttp.ClientResponse, request: Request, largest: int = LARGEST_ANSWER) -> bytes:
    body = bytearray()
    async for chunk in answer.content.iter_any():
        body += chunk
        if len(body) > largest:
            raise Unreadable(f"{request}: an answer of more than {largest} bytes.")
    return bytes(body)


async def _once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """One attempt is one request. aiohttp by itself sends a GET or DELETE again whose connection was lost, and says
    so to nobody; it goes by the kind of the error, so it is given another one."""
    try:
        return await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError(_said(error)) from error


def server_address(url: str) -> str:
    """The address as calls use it; ValueError says what an address looks like."""
    parts = urlsplit(url)
    clean = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
    if not clean or parts.username is not None or parts.port == 0:
        raise ValueError("A server's address looks like http://127.0.0.1:8000.")
    return url.rstrip("/").removesuffix("/v1")


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__
