"""Live updates in the OpenAPI document."""

from typing import Final

from services.api.messages import CommandMessage, ProblemMessage, ResultMessage
from services.api.reference.examples import GAME, VIEW
from services.api.reference.operation import GAME_PARAMETER, Operation, Parameter
from services.api.shapes import FollowQuery
from services.live.frames import ByeFrame, EventsFrame, PresenceFrame, ViewFrame

Frame = EventsFrame | ViewFrame | PresenceFrame | ByeFrame
Message = EventsFrame | ViewFrame | PresenceFrame | ByeFrame | ResultMessage | ProblemMessage

_PROBLEMS: Final = ("game_not_found", "too_many_streams", "history_unreadable", "store_unavailable")
_FRAMES: Final = (
    "`events` holds what happened, from one version to another, each version once and none left out. `view` is the "
    "whole table: the first frame without `after`, and whenever there is no way from where you stand, such as when you "
    "were too slow, or sit on another seat than before; begin anew with it. `presence` tells who is there. `bye` is "
    "the last frame: come again after `retry_ms`, with the last version that you know; not at all if it is null."
)

STREAM_EVENTS: Final = Operation(
    id="stream_events",
    tag="live",
    summary="Follow a game",
    description=(
        "Server-sent events, as far as you may see them. `event` is the type of the frame, `id` the version that you "
        f"have come to with it, `data` the frame. {_FRAMES}\n\nA comment comes at least every 15 seconds: after 30 "
        "without one, connect again. `Last-Event-ID` says where you stand, and wins over `after`."
    ),
    parameters=(
        GAME_PARAMETER,
        Parameter(
            name="Last-Event-ID",
            place="header",
            description="The `id` of the last frame that you had. A browser sends it by itself.",
            schema={"type": "string", "pattern": "^[0-9]{1,10}$"},
            example="57",
        ),
    ),
    ticket=True,
    limit="requests",
    query=FollowQuery,
    response=Frame,
    response_type="text/event-stream",
    response_description="Frames without end. The schema is that of `data`.",
    response_example=(
        f'event: view\nid: 57\ndata: {{"type":"view","view":{{"game":"{GAME}","version":57,"viewer":0}}}}\n\n'
        'event: events\nid: 58\ndata: {"type":"events","from":58,"to":58,"events":[{"version":58,'
        '"at":"2026-11-30T05:11:35.123456Z","event":{"type":"offer_withdrawn","offer":3}}]}\n\n'
    ),
    problems=_PROBLEMS,
)

OPEN_SOCKET: Final = Operation(
    id="open_socket",
    tag="live",
    summary="Follow and play a game over a WebSocket",
    description=(
        f"A handshake that becomes a WebSocket. Downwards come the frames of the stream. {_FRAMES}\n\n"
        'Upwards go commands: `{"type":"command","key":"…","if_version":57,"command":{…}}`. `key` is what '
        "`Idempotency-Key` is to a request, with the same promise: sent again, on whatever connection, the command has "
        "one effect and gets the first answer. `if_version` may be left out. Each is answered by a `result` or a "
        "`problem` with its key, in the order in which they were sent, before or after the frame with its events.\n\n"
        "The socket is closed with 1012 when the server restarts, with 1013 when you do not read what is sent, with "
        "1008 when you may not watch any longer, with 1009 after a message that is too large, with 1011 when you do "
        "not answer pings."
    ),
    status=101,
    parameters=(GAME_PARAMETER,),
    ticket=True,
    limit="requests",
    query=FollowQuery,
    response=Message,
    response_description="The socket is open. The schema is that of the messages to you; yours are `CommandMessage`s.",
    response_example={"type": "view", "view": VIEW},
    messages=CommandMessage,
    problems=_PROBLEMS,
)

SOCKETS: Final = {"/v1/games/{game}/ws": OPEN_SOCKET}
"""What is served beside the routes."""
