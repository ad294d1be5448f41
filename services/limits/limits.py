"""The limits of an API process. Commands of a player count the same over REST and over a WebSocket.

Each process counts for itself: whoever is served by three of them may do three times as much.
"""

from ipaddress import IPv6Address, ip_address
from typing import Final

from infra.clock import Clock
from services.limits.buckets import Buckets

BURST_SECONDS: Final = 3
"""What a client that was idle may do at once, in seconds of what he may do steadily."""


class Limits:
    """Each method counts one more, or counts nothing and returns the seconds after which it may be tried again."""

    def __init__(self, clock: Clock, *, commands: int, requests: int, address_requests: int) -> None:
        """All a second; 0 sets no limit."""
        self._commands = Buckets(clock, commands, BURST_SECONDS * commands)
        self._requests = Buckets(clock, requests, BURST_SECONDS * requests)
        self._address_requests = Buckets(clock, address_requests, BURST_SECONDS * address_requests)

    def command(self, player: str) -> float | None:
        """A command of that player, in any game, also one that was carried out before."""
        return self._commands.take(player)

    def request(self, player: str) -> float | None:
        """Something new that a player asks for: a table, a ticket."""
        return self._requests.take(player)

    def request_from(self, address: str | None) -> float | None:
        """The same from somebody of whom only the address is known. Where a Unix socket is served not even that is,
        and there is no telling one client from another: then nobody is limited."""
        return None if address is None else self._address_requests.take(_household(address))


def _household(address: str) -> str:
    """What one client has to himself: of IPv6 no single address but a network of 2^64."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else f"{int(parsed) >> 64:x}::/64"
