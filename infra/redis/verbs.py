"""What the two kinds of publishing are called: plain on one server; sharded in a cluster, where each channel lies at
the server of its slot and is not passed on to all."""

from typing import Final

import msgspec


class Verbs(msgspec.Struct, frozen=True):
    """The commands of one kind of publishing, and what the server calls its answers."""

    publish: bytes
    subscribe: bytes
    unsubscribe: bytes
    subscribed: bytes
    unsubscribed: bytes
    message: bytes


PLAIN: Final = Verbs(b"PUBLISH", b"SUBSCRIBE", b"UNSUBSCRIBE", b"subscribe", b"unsubscribe", b"message")
SHARDED: Final = Verbs(b"SPUBLISH", b"SSUBSCRIBE", b"SUNSUBSCRIBE", b"ssubscribe", b"sunsubscribe", b"smessage")
