"""Tells the seats of a table that something has happened: a hint only, who misses it looks a little later."""

import asyncio


class Bell:
    """`rung` counts. Waiting from a count on misses nothing that was rung meanwhile."""

    def __init__(self) -> None:
        self.rung = 0
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Wake all who wait."""
        self.rung += 1
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, heard: int, seconds: float) -> None:
        """Until it has been rung more than `heard` times, at most that long."""
        if self.rung != heard:
            return
        following = self._next
        try:
            async with asyncio.timeout(seconds):
                await following.wait()
        except TimeoutError:
            # Nothing was heard. That is as good a reason to look as the bell.
            return
