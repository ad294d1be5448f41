"""A browser that is told what to do: the Chrome DevTools Protocol over two pipes, so that nothing listens anywhere.
Messages are JSON with a NUL behind each. Whatever is waited for has an end in time."""

import json
import os
import select
import time
from collections.abc import Iterator
from typing import Any, Final

MOST_PENDING: Final = 256 * 1024 * 1024
"""Bytes of one message. A browser that sends more is not well."""

_READ_AT_ONCE: Final = 1 << 16


class BrowserFailed(RuntimeError):
    """The browser did not do what it was told, or not in time; the sentence says what."""


class BrowserEnded(BrowserFailed):
    """There is no browser any more."""


class DevTools:
    """One connection. `reads` and `writes` are this side's ends of the pipes, and belong to it from now on."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads = reads
        self._writes = writes
        os.set_blocking(reads, False)
        os.set_blocking(writes, False)
        self._pending = bytearray()
        self._number = 0
        self.events: list[dict[str, Any]] = []
        """What happened without being asked for, in order."""

    def close(self) -> None:
        """The browser takes it for the end, too."""
        os.close(self._writes)
        os.close(self._reads)

    def call(
        self, method: str, parameters: dict[str, Any] | None = None, *, session: str | None = None, seconds: float
    ) -> dict[str, Any]:
        """What the method gives back. BrowserFailed says why it gave nothing."""
        deadline = time.monotonic() + seconds
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters or {}}
        if session is not None:
            message["sessionId"] = session
        self._write(json.dumps(message).encode() + b"\0", deadline)
        for answer in self._messages(f"{method} to be answered", deadline):
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserFailed(f"The browser refused {method}: {answer['error'].get('message')}")
                result: dict[str, Any] = answer["result"]
                return result
        raise BrowserEnded("The browser ended.")

    def wait_for(self, event: str, *, session: str, seconds: float) -> dict[str, Any]:
        """The parameters of the first such event of that page, also of one that came already."""
        deadline = time.monotonic() + seconds
        for told in self.events:
            if _is(told, event, session):
                return _parameters(told)
        for told in self._messages(event, deadline):
            if _is(told, event, session):
                return _parameters(told)
        raise BrowserEnded("The browser ended.")

    def _messages(self, awaited: str, deadline: float) -> Iterator[dict[str, Any]]:
        """As they come. BrowserEnded when none comes any more."""
        while True:
            end = self._pending.find(b"\0")
            if end == -1:
                self._read(awaited, deadline)
                continue
            told = _understood(bytes(self._pending[:end]))
            del self._pending[: end + 1]
            if "id" not in told:
                self.events.append(told)
            yield told

    def _read(self, awaited: str, deadline: float) -> None:
        self._ready(self._reads, select.POLLIN, awaited, deadline)
        read = os.read(self._reads, _READ_AT_ONCE)
        if not read:
            raise BrowserEnded("The browser ended.")
        self._pending += read
        if len(self._pending) > MOST_PENDING:
            raise BrowserFailed("The browser sends a message without an end.")

    def _write(self, message: bytes, deadline: float) -> None:
        left = memoryview(message)
        while left:
            self._ready(self._writes, select.POLLOUT, "the browser to read", deadline)
            try:
                left = left[os.write(self._writes, left) :]
            except BrokenPipeError as error:
                raise BrowserEnded("The browser ended.") from error

    def _ready(self, end: int, direction: int, awaited: str, deadline: float) -> None:
        waiting = select.poll()
        waiting.register(end, direction)
        left = deadline - time.monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            raise BrowserFailed(f"The browser took too long: {awaited} was waited for.")


def _understood(message: bytes) -> dict[str, Any]:
    try:
        told = json.loads(message)
    except ValueError as error:
        raise BrowserFailed("The browser does not speak the protocol.") from error
    if not isinstance(told, dict):
        raise BrowserFailed("The browser does not speak the protocol.")
    return told


def _is(told: dict[str, Any], event: str, session: str) -> bool:
    return told.get("method") == event and told.get("sessionId") == session


def _parameters(told: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = told["params"]
    return parameters
