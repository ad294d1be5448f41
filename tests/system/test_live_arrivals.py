"""Moves of one process arrive at another, with Valkey and without it; and nothing is left when everybody has gone
(pitfalls B7, T52, T58)."""

import asyncio
import random
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from domain.bots import casual
from services.client.client import Client
from services.games.requests import NewGameRequest
from services.live.frames import EventsFrame
from tests.infra.listening import until
from tests.infra.valkeys import ValkeyCluster
from tests.servers import wait_until
from tests.services.api.server import ApiProcess
from tests.system.installation import installation

pytestmark = pytest.mark.timeout(240)


class Table:
    """A running game whose moves go through one process, and somebody who follows it through another. `arrived` has the
    versions in the order in which they came."""

    def __init__(self, game: str, clients: Sequence[Client]) -> None:
        self.game = game
        self.clients = clients
        self.arrived: dict[int, None] = {}
        self._chance = random.Random(1)

    async def follow(self, client: Client) -> None:
        """Write down what arrives. The client sees to it that nothing is left out."""
        async for frame in client.follow(self.game, after=0):
            if isinstance(frame, EventsFrame):
                self.arrived.update(dict.fromkeys(range(frame.first, frame.last + 1)))

    async def move(self) -> int:
        """Somebody does something: the version that he was answered."""
        while True:
            for client in self._chance.sample(self.clients, len(self.clients)):
                view, told = await client.view(self.game), await client.actions(self.game)
                command = casual.choose(view, told.actions, self._chance)
                if command is not None:
                    return (await client.send(self.game, command)).version

    async def arrives(self, moves: int, pause: float = 0.0) -> None:
        """So many moves, each of which comes to the other process, and none behind another one."""
        for _ in range(moves):
            version = await self.move()
            await until(lambda version=version: version in self.arrived, 20, "it arrives")  # type: ignore[misc]
            await asyncio.sleep(pause)
        assert list(self.arrived) == list(range(1, max(self.arrived) + 1))


@asynccontextmanager
async def table(here: str, there: str) -> AsyncIterator[Table]:
    async with AsyncExitStack() as closing:
        clients = [await closing.enter_async_context(Client(here)) for _ in range(3)]
        for client in clients:
            await client.sign_up("Ada")
        game = (await clients[0].create_game(NewGameRequest(seats=3))).game
        for client in clients[1:]:
            await client.join(game)
        await clients[0].start(game)
        running = Table(game, clients)
        follower = await closing.enter_async_context(Client(there))
        await follower.sign_up("Spectator")
        following = asyncio.create_task(running.follow(follower))
        try:
            await until(lambda: bool(running.arrived), 10, "the history arrives")
            yield running
            if following.done():
                following.result()
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def test_what_happens_in_one_process_arrives_at_the_other_whether_valkey_is_there_or_not(
    database_url: str, tmp_path: Path
) -> None:
    """Pitfall B7: away for ten seconds in mid-game. How soon it arrives is measured by `make bench`."""
    async with installation(database_url, tmp_path) as place, table(*place.addresses) as running:
        await running.arrives(20)
        await asyncio.to_thread(place.valkey.kill)
        gone = time.monotonic()
        while time.monotonic() < gone + 10:
            await running.arrives(1, pause=0.1)
        made = await running.move()
        await asyncio.to_thread(place.valkey.start)
        await until(lambda: made in running.arrived, 20, "it arrives")
        await asyncio.to_thread(wait_until, lambda: len(place.valkey.client.pubsub_channels()) == 1, 10, "it listens")
        await running.arrives(20)


async def test_a_game_whose_server_in_a_cluster_dies_and_comes_back(database_url: str, tmp_path: Path) -> None:
    """It goes by the sweep meanwhile."""
    with ValkeyCluster(tmp_path) as cluster:
        async with (
            installation(database_url, tmp_path, redis_url=cluster.url) as place,
            table(*place.addresses) as running,
        ):
            await running.arrives(20)
            (node,) = (node for node in cluster.nodes if node.client.pubsub_shardchannels())
            await asyncio.to_thread(node.kill)
            await running.arrives(15, pause=0.1)
            await asyncio.to_thread(node.start)
            await asyncio.to_thread(wait_until, lambda: bool(node.client.pubsub_shardchannels()), 20, "it listens")
            await running.arrives(20)
            assert "Traceback" not in place.log


async def test_nothing_is_left_in_valkey_when_all_have_gone(database_url: str, tmp_path: Path) -> None:
    """Five hundred times somebody comes and goes, by both ways and in every manner: as one should, and by vanishing
    before or while he is told anything."""
    async with installation(database_url, tmp_path) as place, AsyncExitStack() as closing:
        clients = [await closing.enter_async_context(Client(address)) for address in place.addresses * 5]
        games = []
        for client in clients:
            await client.sign_up("Ada")
            games.append((await client.create_game(NewGameRequest(seats=3))).game)
        session = await closing.enter_async_context(aiohttp.ClientSession())
        chance = random.Random(1)

        async def come_and_go(number: int) -> None:
            client, game = chance.choice(clients), chance.choice(games)
            address = chance.choice(place.addresses)
            headers = {"Authorization": f"Bearer {client._tokens._signed_in().access_token}"}
            if number % 2:
                async with session.ws_connect(f"{address}/v1/games/{game}/ws", headers=headers) as socket:
                    if number % 3:
                        await socket.receive(timeout=10)
                    if number % 5 == 0:
                        socket._writer.transport.abort()
            else:
                async with session.get(f"{address}/v1/games/{game}/stream", headers=headers) as answer:
                    assert answer.status == 200
                    if number % 3:
                        await answer.content.readline()

        for start in range(0, 500, 25):
            await asyncio.gather(*(come_and_go(number) for number in range(start, start + 25)))
        valkey = place.valkey.client
        await asyncio.to_thread(wait_until, lambda: valkey.pubsub_channels() == [], 10, "nobody listens")
        await asyncio.to_thread(wait_until, lambda: valkey.dbsize() == 0, 10, "nobody is there")
        assert place.log == ""


@pytest.mark.parametrize("streams", [200])
async def test_two_hundred_streams_are_told_of_the_end(database_url: str, tmp_path: Path, streams: int) -> None:
    """Inside its time, each with a `bye` and each socket with its code, and nothing in the log."""
    api = ApiProcess(database_url, tmp_path, requests_per_second="0", address_requests_per_second="0")
    try:
        await asyncio.to_thread(api.start)
        connector = aiohttp.TCPConnector(limit=0)
        async with AsyncExitStack() as closing:
            session = await closing.enter_async_context(aiohttp.ClientSession(api.url, connector=connector))
            clients = [await closing.enter_async_context(Client(api.url)) for _ in range(streams // 10)]
            for client in clients:
                await client.sign_up("Ada")
            game = (await clients[0].create_game(NewGameRequest(seats=3))).game
            is_told = asyncio.Semaphore(0)

            async def by_socket(client: Client) -> tuple[bool, int | None]:
                headers = {"Authorization": f"Bearer {client._tokens._signed_in().access_token}"}
                async with session.ws_connect(f"/v1/games/{game}/ws", headers=headers) as socket:
                    last = ""
                    async for message in socket:
                        is_told.release()
                        last = message.data
                return '"bye"' in last, socket.close_code

            async def by_stream(client: Client) -> tuple[bool, int | None]:
                headers = {"Authorization": f"Bearer {client._tokens._signed_in().access_token}"}
                last = b""
                async with session.get(f"/v1/games/{game}/stream", headers=headers) as answer:
                    async for line in answer.content:
                        is_told.release()
                        last = line if line.strip() else last
                return b'"bye"' in last, None

            open_ones = [asyncio.create_task(kind(client)) for client in clients for kind in (by_socket, by_stream) * 5]
            assert len(open_ones) == streams
            async with asyncio.timeout(60):
                for _ in range(2 * streams):
                    await is_told.acquire()
            began = time.monotonic()
            code = await asyncio.to_thread(api.stop)
            took = time.monotonic() - began
            ends = await asyncio.gather(*open_ones)
        assert code in (0, -signal.SIGTERM)
        assert ends == [(True, 1012), (True, None)] * (streams // 2)
        assert took < 10
        assert api.log == ""
    finally:
        api.close()
