"""Server-sent events as they come over a connection (WHATWG HTML, section 9.2), and the frames in them."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from services.client.errors import Unreadable
from services.live.frames import ByeFrame, EventsFrame, PresenceFrame, ViewFrame

LARGEST_FRAME: Final = 16 * 1024 * 1024
"""Bytes. A frame of 500 events has some 100 kB."""

SILENT_SECONDS: Final = 35.0
"""The server sends at least a comment every 15 seconds: after this the connection is a dead one."""

GameFrame = EventsFrame | ViewFrame | PresenceFrame
"""What a game has to tell."""

AnyFrame = GameFrame | ByeFrame

_frame: Final = msgspec.json.Decoder(AnyFrame)


async def frames(chunks: AsyncIterator[bytes]) -> AsyncIterator[AnyFrame]:
    """The frames in a stream of bytes, however they were cut. Unreadable."""
    pending = b""
    data: list[bytes] = []
    async for chunk in chunks:
        pending += chunk
        if len(pending) > LARGEST_FRAME:
            raise Unreadable(f"A frame of more than {LARGEST_FRAME} bytes.")
        *lines, pending = pending.split(b"\n")
        for line in lines:
            name, _, value = line.removesuffix(b"\r").partition(b":")
            if name == b"data":
                data.append(value.removeprefix(b" "))
            elif not name and not value and data:
                yield _decoded(b"\n".join(data))
                data = []


def moved_on(version: int | None, frame: AnyFrame) -> int | None:
    """Where a follower stands after that frame. Unreadable if something is left out or comes again."""
    match frame:
        case ViewFrame():
            return frame.view.version
        case EventsFrame():
            versions = [item.version for item in frame.events]
            if version is None or frame.first != version + 1 or versions != list(range(frame.first, frame.last + 1)):
                raise Unreadable(f"Versions {versions} follow version {version}.")
            return frame.last
        case _:
            return version


def _decoded(data: bytes) -> AnyFrame:
    try:
        return _frame.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"A frame is not what the API promises: {error}") from error
