"""The hearing side at one server: it keeps what is wanted and what the server was told alike, over every break."""

from collections.abc import Callable
from typing import Final

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from infra.bus import Listener
from infra.redis.link import Link
from infra.redis.server import Server
from infra.redis.verbs import Verbs
from infra.redis.wish import Wish
from infra.telemetry import BUS_HEARD

TOLD_AT_ONCE: Final = 512


class _Told:
    """What the server was told about a channel over this connection, and how many answers it still owes."""

    __slots__ = ("is_on", "joins", "leaves")

    def __init__(self) -> None:
        self.is_on = False
        self.joins = 0
        self.leaves = 0


class Subscriber(Link):
    """Hears channels at one server."""

    side = "subscriber"

    def __init__(
        self, server: Server, verbs: Verbs, listener: Listener, heartbeat: float, on_break: Callable[[], None]
    ) -> None:
        super().__init__(server, heartbeat, on_break)
        self._verbs = verbs
        self._listener = listener
        self._wishes: dict[bytes, Wish] = {}
        self._owed: set[bytes] = set()
        self._told: dict[bytes, _Told] = {}
        self._changed: dict[bytes, None] = {}

    @property
    def names(self) -> list[bytes]:
        """The channels that are to be heard here."""
        return list(self._wishes)

    def want(self, name: bytes, wish: Wish) -> None:
        """Hear that channel from now on."""
        self._wishes[name] = wish
        if wish.is_owed:
            self._owed.add(name)
        self._change(name)

    def drop(self, name: bytes) -> None:
        """Hear it no more."""
        if self._wishes.pop(name, None) is not None:
            self._change(name)
            self._settle(name)

    def owe(self, name: bytes) -> None:
        """Whoever wished it does not wait any longer: `renewed` is to tell when it holds."""
        self._owed.add(name)

    def _change(self, name: bytes) -> None:
        # While there is no connection nothing is told; the next one is told everything.
        if self.is_connected:
            self._changed[name] = None
            self._wake.set()

    def _settle(self, name: bytes) -> None:
        if name in self._owed:
            self._owed.discard(name)
            if not self._owed and self._wishes and self.is_connected:
                self._listener.renewed()

    def _begin(self) -> None:
        self._changed = dict.fromkeys(self._wishes)

    def _lost(self) -> None:
        self._told.clear()
        self._changed.clear()
        for wish in self._wishes.values():
            wish.break_off()
        self._owed = set(self._wishes)

    def _missed(self) -> None:
        """Nothing to do: it stays as it was after the break."""

    def _commands(self) -> list[tuple[bytes, ...]]:
        """For each channel what is wanted and what was told last are compared, so that any number of changes since
        then become one. Each has a command of its own: in a cluster those of one command must lie together."""
        commands: list[tuple[bytes, ...]] = []
        while self._changed and len(commands) < TOLD_AT_ONCE:
            name = next(iter(self._changed))
            del self._changed[name]
            wanted, told = name in self._wishes, self._told.get(name)
            if wanted and (told is None or not told.is_on):
                told = self._told.setdefault(name, _Told())
                told.is_on = True
                told.joins += 1
                commands.append((self._verbs.subscribe, name))
            elif told is not None and told.is_on and not wanted:
                told.is_on = False
                told.leaves += 1
                commands.append((self._verbs.unsubscribe, name))
            elif wanted and told is not None and not told.joins:
                # It was given up and wanted again before the server heard of it.
                self._confirm(name)
        return commands

    def _take(self, answer: object) -> None:
        match answer:
            case ResponseError():
                # Whatever it refuses (a slot that has moved, a channel that is not allowed): this connection ends, and
                # everything is asked for anew; in a cluster after a look at who has what.
                raise answer
            case [self._verbs.message, bytes() as name, bytes() as message]:
                self._hear(name, message)
            case [self._verbs.subscribed, bytes() as name, _]:
                self._joined_channel(name)
            case [self._verbs.unsubscribed, bytes() as name, _]:
                self._left_channel(name)
            case _:
                pass  # The answer to a PING, whose shape depends on whether anything is subscribed to.

    def _hear(self, name: bytes, message: bytes) -> None:
        BUS_HEARD.inc()
        if (wish := self._wishes.get(name)) is not None:
            self._listener.heard(wish.channel, message)

    def _joined_channel(self, name: bytes) -> None:
        if (told := self._told.get(name)) is not None:
            told.joins -= 1
            if told.is_on and not told.joins:
                self._confirm(name)

    def _left_channel(self, name: bytes) -> None:
        told = self._told.get(name)
        if told is None or not told.leaves:
            # Nobody asked for it: the channel belongs to another server now.
            message = "a channel was taken away"
            raise RedisConnectionError(message)
        told.leaves -= 1
        if not told.is_on and not told.leaves:
            del self._told[name]

    def _confirm(self, name: bytes) -> None:
        if (wish := self._wishes.get(name)) is not None:
            wish.confirmed.set()
            wish.is_owed = False
            self._settle(name)
