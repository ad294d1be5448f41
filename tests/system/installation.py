"""Several API processes over one Postgres and one Valkey, and everything that can befall them."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.infra.valkeys import QUOTED, ValkeyProcess, free_ports
from tests.infra.wire import Wire
from tests.services.api.server import ApiProcess

KEY: Final = "a-token-key-for-tests-only-0123456789"
NO_LIMITS: Final[dict[str, Any]] = {
    "commands_per_second": "0",
    "requests_per_second": "0",
    "address_requests_per_second": "0",
}


class Installation:
    """`addresses` are where clients reach the processes: over wires, of which each process has one to its clients and
    one to Valkey."""

    def __init__(
        self, valkey: ValkeyProcess, to_valkey: list[Wire], apis: list[ApiProcess], to_api: list[Wire]
    ) -> None:
        self.valkey = valkey
        self.to_valkey = to_valkey
        self.apis = apis
        self.to_api = to_api

    @property
    def addresses(self) -> list[str]:
        return [f"http://127.0.0.1:{wire.port}" for wire in self.to_api]

    @property
    def log(self) -> str:
        """What all the processes have logged."""
        return "".join(api.log for api in self.apis)

    async def kill_an_api(self, chance: random.Random) -> None:
        """Another process comes in its place."""
        number = chance.randrange(len(self.apis))
        await asyncio.to_thread(self.apis[number].kill)
        self.to_api[number].cut()
        await asyncio.sleep(chance.uniform(0, 0.5))
        await asyncio.to_thread(self.apis[number].start)

    async def kill_valkey(self, chance: random.Random) -> None:
        """It comes back at the same address, and knows nothing."""
        await asyncio.to_thread(self.valkey.kill)
        await asyncio.sleep(chance.uniform(0, 2))
        await asyncio.to_thread(self.valkey.start)

    async def end_subscriptions(self, _: random.Random) -> None:
        """Valkey hangs up on all who listen."""
        await asyncio.to_thread(self.valkey.client.client_kill_filter, _type="pubsub")

    async def freeze_valkey(self, _: random.Random) -> None:
        """It says nothing for longer than it is waited for, and then goes on."""
        self.valkey.freeze()
        try:
            await asyncio.sleep(6)
        finally:
            self.valkey.thaw()

    async def cut_from_valkey(self, chance: random.Random) -> None:
        """One process loses its connections to Valkey."""
        chance.choice(self.to_valkey).cut()

    async def silence_valkey(self, chance: random.Random) -> None:
        """Nothing passes any more on the connections of one process to Valkey, and nothing ends."""
        chance.choice(self.to_valkey).fall_silent()

    async def slow_down(self, chance: random.Random) -> None:
        """All that is heard in one process is late, and much of it too late."""
        wire = chance.choice([*self.to_valkey, *self.to_api])
        wire.delay = 0.2
        await asyncio.sleep(1.5)
        wire.delay = 0

    async def cut_the_clients(self, chance: random.Random) -> None:
        """One process loses all its clients."""
        chance.choice(self.to_api).cut()

    async def silence_the_clients(self, chance: random.Random) -> None:
        """Nothing passes between one process and its clients, until the connections break."""
        wire = chance.choice(self.to_api)
        wire.fall_silent()
        await asyncio.sleep(1)
        wire.cut()

    @property
    def troubles(self) -> list[Callable[[random.Random], Awaitable[None]]]:
        """Each of them ends by itself."""
        return [
            self.kill_an_api,
            self.kill_valkey,
            self.end_subscriptions,
            self.freeze_valkey,
            self.cut_from_valkey,
            self.silence_valkey,
            self.slow_down,
            self.cut_the_clients,
            self.silence_the_clients,
        ]


@asynccontextmanager
async def installation(
    database_url: str, folder: Path, *, processes: int = 2, redis_url: str | None = None
) -> AsyncIterator[Installation]:
    """So many processes, over a Valkey of their own unless they are given another address."""
    async with AsyncExitStack() as closing:
        valkey = ValkeyProcess(folder / "valkey", free_ports(1)[0])
        if redis_url is None:
            closing.enter_context(valkey)
        wires = [await closing.enter_async_context(Wire(valkey.port)) for _ in range(processes)]
        apis = []
        for number, wire in enumerate(wires):
            home = folder / f"api-{number}"
            home.mkdir()
            address = redis_url or f"redis://:{QUOTED}@127.0.0.1:{wire.port}"
            api = ApiProcess(database_url, home, redis_url=address, token_keys=KEY, **NO_LIMITS)
            closing.callback(api.close)
            apis.append(api)
        await asyncio.gather(*(asyncio.to_thread(api.start) for api in apis))
        to_api = [await closing.enter_async_context(Wire(api.port)) for api in apis]
        yield Installation(valkey, wires, apis, to_api)
