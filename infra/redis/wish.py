"""What a subscription is while it lasts, over every break and from one server to another."""

import asyncio


class Wish:
    """That a channel be heard. `is_owed`: whoever wished it was told that it does not hold, so `renewed` is to come."""

    __slots__ = ("channel", "confirmed", "is_owed")

    def __init__(self, channel: str) -> None:
        self.channel = channel
        self.confirmed = asyncio.Event()
        self.is_owed = False

    def break_off(self) -> None:
        """It does not hold any more."""
        self.confirmed.clear()
        self.is_owed = True

    async def holds(self, seconds: float) -> bool:
        """Whether the other side confirms it within that time."""
        if not self.confirmed.is_set() and seconds > 0:
            try:
                async with asyncio.timeout(seconds):
                    await self.confirmed.wait()
            except TimeoutError:
                pass
        return self.confirmed.is_set()
