"""What is left of a person who was erased, looked for in all that the servers keep: two API processes over a real
Postgres and a real Valkey (pitfalls E14, I3, T47)."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import aiohttp
import asyncpg
import pytest
import redis.asyncio as redis

from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import upgrade
from infra.postgres.pool import Database, RecordConnection
from services.audit.files import check_file
from services.audit.signatures import signature_of
from tests.infra.games import assert_chain
from tests.servers import DatabaseServer, run_sql, with_database
from tests.services.api.server import ApiProcess
from tests.services.api.test_erasure import renamed
from tests.services.api.test_live import following, frames, socket_message
from tests.services.api.test_play_by_actions import Reader
from tests.services.api.test_server import Client

KEY = "a-token-key-for-tests-only-0123456789"
NAME = "Quillonia Ärmel"
LOCALE = "qqq-Trace7"
COMMAND_KEY = "dear-diary-"
PERSONAL = (NAME, LOCALE, COMMAND_KEY)

TABLES = """
    select oid::regclass::text from pg_class
    where relkind in ('r', 'p', 'm') and relnamespace = 'public'::regnamespace
    order by 1
"""


@pytest.fixture
def url(postgres_server: DatabaseServer) -> Iterator[str]:
    name = f"erasure_{uuid4().hex}"
    run_sql(postgres_server.url, f"create database {name}")
    url = with_database(postgres_server.url, name)
    upgrade(url)
    yield url
    run_sql(postgres_server.url, f"drop database {name} with (force)")


@pytest.fixture
def processes(url: str, valkey_url: str, tmp_path: Path) -> Iterator[list[ApiProcess]]:
    started: list[ApiProcess] = []
    try:
        for number in range(2):
            folder = tmp_path / str(number)
            folder.mkdir()
            process = ApiProcess(url, folder, redis_url=valkey_url, token_keys=KEY, commands_per_second="0")
            started.append(process)
            process.start()
        yield started
    finally:
        for process in started:
            process.close()


@pytest.fixture
async def sides(processes: list[ApiProcess]) -> AsyncIterator[list[aiohttp.ClientSession]]:
    """A way to each of the processes."""
    async with AsyncExitStack() as closing:
        timeout = aiohttp.ClientTimeout(total=30)
        yield [
            await closing.enter_async_context(aiohttp.ClientSession(process.url, timeout=timeout))
            for process in processes
        ]


@pytest.fixture
async def owner(url: str) -> AsyncIterator[RecordConnection]:
    connection = await asyncpg.connect(url)
    yield connection
    await connection.close()


class Person(Client):
    """Somebody who can call either process."""

    def through(self, http: aiohttp.ClientSession) -> "Person":
        return Person(http, self.pair)

    @property
    def player(self) -> str:
        player: str = self.pair["player"]
        return player


async def signed_in(http: aiohttp.ClientSession, name: str, locale: str = "en") -> Person:
    async with http.post("/v1/players", json={"name": name, "locale": locale}) as answer:
        assert answer.status == 201
        return Person(http, await answer.json())


async def table(seats: int, *people: Person) -> str:
    _, created = await people[0].call("POST", "/v1/games", {"ruleset": "classic", "seats": seats})
    game: str = created["game"]
    for person in people[1:]:
        assert (await person.call("POST", f"/v1/games/{game}/seats", {}))[0] == 201
    return game


async def started(*people: Person) -> str:
    game = await table(len(people), *people)
    assert (await people[0].call("POST", f"/v1/games/{game}/start"))[0] == 200
    return game


async def played(game: str, people: list[Person], most: int) -> int:
    """So many moves, or as many as there are; each with a key that tells something of its sender."""
    chance = Random(3)
    reader, moves = Reader(chance), 0
    while moves < most:
        for person in chance.sample(people, len(people)):
            _, listing = await person.call("GET", f"/v1/games/{game}/actions")
            if listing["actions"]:
                break
        else:
            return moves
        key = f"{COMMAND_KEY}{moves}" if person is people[0] else f"other-{moves}"
        assert (await person.command(game, reader.choose(listing["actions"]), key))[0] == 200
        moves += 1
    return moves


def texts(value: object) -> list[str]:
    """All that somebody could read there."""
    match value:
        case bytes():
            return [value.decode("utf-8", "replace"), value.hex()]
        case list() | tuple() | set():
            return [text for one in value for text in texts(one)]
        case dict():
            return [text for pair in value.items() for text in texts(pair)]
        case _:
            return [str(value)]


async def in_tables(owner: RecordConnection, *wanted: str) -> set[str]:
    """The columns, of all tables that there are, in which one of those texts is."""
    tables = [row[0] for row in await owner.fetch(TABLES)]
    assert {"players", "receipts", "refresh_families", "tickets", "events", "games", "erasures"} <= set(tables)
    found = set()
    for name in tables:
        for row in await owner.fetch(f"select * from {name}"):  # noqa: S608 - a name from the catalogue
            for column, value in row.items():
                if any(one in text for text in texts(value) for one in wanted):
                    found.add(f"{name}.{column}")
    return found


async def in_statistics(owner: RecordConnection, *wanted: str) -> set[str]:
    """The same for the samples that the planner keeps of all columns, after it has looked at them anew."""
    await owner.execute("vacuum (analyze)")
    rows = await owner.fetch(
        """select tablename || '.' || attname, most_common_vals::text, histogram_bounds::text from pg_stats
           where schemaname = 'public'"""
    )
    return {row[0] for row in rows if any(one in text for text in texts(tuple(row)[1:]) for one in wanted)}


async def in_valkey(url: str, *wanted: str) -> int:
    """How many keys have one of those texts, in their name or in their value."""
    client = redis.Redis.from_url(url)
    found = 0
    try:
        async for key in client.scan_iter():
            match await client.type(key):
                case b"zset":
                    value: object = await client.zrange(key, 0, -1)
                case b"string":
                    value = await client.get(key)
                case b"none":
                    continue
                case kind:
                    raise AssertionError(f"a kind of value that this does not look into: {kind!r}")
            found += any(one in text for text in texts((key, value)) for one in wanted)
    finally:
        await client.aclose()
    return found


async def answers(reader: Person, games: list[str]) -> dict[str, Any]:
    paths = ["/v1/players/me", "/v1/games", "/v1/games?status=ended"]
    for game in games:
        paths += [f"/v1/games/{game}{what}" for what in ("", "/actions", "/events?after=0&limit=500", "/audit")]
    return {path: await reader.call("GET", path) for path in paths}


async def exported(person: Person, game: str) -> bytes:
    async with person.http.get(f"/v1/games/{game}/export", headers=person.headers) as answer:
        assert answer.status == 200
        return await answer.read()


async def test_nothing_is_left_of_the_person_anywhere_and_every_game_is_as_it_was(
    processes: list[ApiProcess],
    sides: list[aiohttp.ClientSession],
    owner: RecordConnection,
    url: str,
    valkey_url: str,
    tmp_path: Path,
) -> None:
    here, there = sides
    gone = await signed_in(here, NAME, LOCALE)
    ben, cleo = await signed_in(here, "Ben"), await signed_in(there, "Cleo")
    ended, underway = await started(gone, ben.through(here)), await started(gone, ben, cleo)
    await played(ended, [gone, ben], 5000)
    assert await played(underway, [gone, ben, cleo], 12) == 12
    waiting, hosted = await table(3, ben, gone), await table(3, gone)
    assert (await gone.call("POST", "/v1/tickets"))[0] == 201
    readers = [ben, cleo.through(here), ben.through(there), cleo]
    told = [await answers(reader, [ended, underway]) for reader in readers]
    file = await exported(cleo, ended)
    log = await owner.fetch("select * from events where game = any($1::uuid[]) order by 1, 2", [ended, underway])
    heads = await owner.fetch("select * from games where game = any($1::uuid[]) order by 1", [ended, underway])

    # Were it not found before, its absence afterwards would tell nothing.
    assert await in_tables(owner, NAME) == {"players.name"}
    assert await in_tables(owner, LOCALE) == {"players.locale"}
    assert await in_tables(owner, COMMAND_KEY) == {"receipts.key"}
    assert await in_statistics(owner, *PERSONAL) >= {"players.name"}
    async with gone.through(there).http.get(f"/v1/games/{underway}/stream", headers=gone.headers) as stream:
        await following(frames(stream), "presence")
        assert await in_valkey(valkey_url, gone.player) == 1
        assert await in_valkey(valkey_url, *PERSONAL) == 0
        assert await gone.call("DELETE", "/v1/players/me") == (204, None)

        assert await in_tables(owner, *PERSONAL) == set()
        assert await in_tables(owner, gone.player) == {
            "events.payload",
            "games.host",
            "games.players",
            "erasures.player",
        }
        assert await in_statistics(owner, *PERSONAL) == set()
        assert await in_valkey(valkey_url, *PERSONAL) == 0

    async with asyncio.timeout(60):
        while (await gone.through(there).call("GET", "/v1/games"))[0] != 401:  # noqa: ASYNC110 - nothing tells it
            await asyncio.sleep(0.05)
    assert (
        await owner.fetch("select * from events where game = any($1::uuid[]) order by 1, 2", [ended, underway]) == log
    )
    assert await owner.fetch("select * from games where game = any($1::uuid[]) order by 1", [ended, underway]) == heads
    assert (await ben.call("GET", f"/v1/games/{hosted}"))[1]["status"] == "abandoned"
    assert [seat["player"] for seat in (await cleo.call("GET", f"/v1/games/{waiting}"))[1]["seats"]] == [
        ben.player, None, None
    ]  # fmt: skip
    for reader, was in zip(readers, told, strict=True):
        for path, answer in (await answers(reader, [ended, underway])).items():
            # The list of all games has those that were left, too.
            if path != "/v1/games":
                assert answer == renamed(was[path], gone.player), path
            assert NAME not in str(answer)
    export = await exported(ben, ended)
    assert export == file
    assert not [text for text in PERSONAL if text.encode() in export]
    (tmp_path / "game.jsonl").write_bytes(export)
    assert check_file(tmp_path / "game.jsonl", signature_of(None)).ok
    database = await Database.open(url)
    store = PostgresEventStore(database)
    for game in (ended, underway, waiting, hosted):
        assert_chain(game, await store.read(game))
    await store.close()
    await database.close()
    for process in processes:
        assert process.log == ""


async def test_another_process_refuses_the_tokens_and_ends_the_streams(sides: list[aiohttp.ClientSession]) -> None:
    here, there = sides
    gone, ben = await signed_in(here, NAME), await signed_in(here, "Ben")
    game = await started(gone, ben)
    path = f"/v1/games/{game}"
    async with (
        there.get(f"{path}/stream", headers=gone.headers) as stream,
        there.ws_connect(f"{path}/ws", headers=gone.headers) as socket,
        there.ws_connect(f"{path}/ws", headers=ben.headers) as other,
    ):
        told = frames(stream)
        await following(told, "view")
        for one in (socket, other):
            await socket_message(one, "view")
        assert await gone.call("DELETE", "/v1/players/me") == (204, None)
        assert await gone.call("DELETE", "/v1/players/me") == (401, await problem(gone, "GET", "/v1/players/me"))
        assert (await following(told, "bye", seconds=60))["data"] == {"type": "bye", "retry_ms": None}
        async with asyncio.timeout(60):
            assert await socket_message(socket, "bye") == {"type": "bye", "retry_ms": None}
            assert (await socket.receive()).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        assert socket.close_code == 1008
        over_there = gone.through(there)
        for method, asked in [
            ("GET", path), ("GET", "/v1/players/me"), ("POST", "/v1/tickets"), ("POST", "/v1/games"),
            ("DELETE", "/v1/players/me"), ("GET", f"{path}/stream"),
        ]:  # fmt: skip
            assert (await problem(over_there, method, asked))["code"] == "token_invalid", asked
        with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
            await there.ws_connect(f"{path}/ws", headers=gone.headers)
        command = {"type": "command", "key": "mine", "command": {"type": "harvest", "field": 0}}
        await other.send_json(command)
        assert (await socket_message(other, "problem"))["code"] != "token_invalid"


async def problem(person: Person, method: str, path: str) -> Any:
    status, told = await person.call(method, path)
    assert status == 401
    return told
