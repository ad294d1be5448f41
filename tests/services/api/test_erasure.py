"""Erasing oneself over HTTP: what the player is told, and everybody else afterwards (pitfalls E14, T47)."""

import asyncio
import json
from random import Random
from typing import Any, cast

import pytest
from prometheus_client import REGISTRY

from tests.services.api.application import Caller, World, running, told
from tests.services.api.test_play_by_actions import Reader, listed
from tests.services.api.test_tickets import door, ticket_of

NAME = "Quillonia Ärmel"


async def erase(caller: Caller) -> None:
    answer = await caller.http.delete("/v1/players/me", headers=caller.headers)
    assert (answer.status_code, answer.content) == (204, b""), answer.text


async def table(seats: int, *callers: Caller) -> str:
    """A table that those have set up and sat down at, in their order."""
    created = await callers[0].post("/v1/games", {"ruleset": "classic", "seats": seats})
    game: str = created.json()["game"]
    for caller in callers[1:]:
        assert (await caller.post(f"/v1/games/{game}/seats", {})).status_code == 201
    return game


async def started(*callers: Caller) -> str:
    game = await table(len(callers), *callers)
    assert (await callers[0].post(f"/v1/games/{game}/start")).status_code == 200
    return game


async def played(*callers: Caller) -> str:
    """A game that these have played to its end."""
    game, chance = await started(*callers), Random(7)
    reader = Reader(chance)
    while (found := await listed(game, list(callers), chance)) is not None:
        player, listing = found
        assert (await player.command(game, reader.choose(listing["actions"]))).status_code == 200
    return game


def renamed(answer: Any, player: str) -> Any:
    """The same answer, with that player as everybody calls who was erased."""
    match answer:
        case dict():
            known = {key: renamed(value, player) for key, value in answer.items()}
            return {**known, "name": "someone"} if "name" in answer and answer.get("player") == player else known
        case list() | tuple():
            return type(answer)(renamed(value, player) for value in answer)
        case _:
            return answer


async def everything(reader: Caller, games: list[str], players: list[str]) -> dict[str, Any]:
    """Every answer that somebody can get who changes nothing."""
    paths = ["/v1/players/me", "/v1/rulesets", "/v1/games", "/v1/games?status=ended", "/v1/games?limit=1"]
    paths += [f"/v1/players/{player}" for player in players]
    paths += [f"/v1/games?player={player}" for player in players]
    for game in games:
        whole = ("", "/actions", "/events?after=0&limit=500", "/audit", "/export", "/replay")
        steps = [f"/replay?version={version}&as={viewer}" for version in (1, 9) for viewer in ("spectator", "all", "0")]
        paths += [f"/v1/games/{game}{what}" for what in (*whole, *steps)]
    return {path: await answer_to(reader, path) for path in paths}


async def answer_to(reader: Caller, path: str) -> tuple[int, Any]:
    """The status and the content."""
    answer = await reader.get(path)
    is_file = answer.headers["content-type"] == "application/jsonl"
    return answer.status_code, answer.content if is_file else answer.json()


async def test_who_was_erased_is_nobody_any_more(world: World) -> None:
    ada, ben = await world.guest("Ada"), await world.guest("Ben")
    await erase(ada)
    for path in ("/v1/players/me", f"/v1/players/{ada.player}", "/v1/games", f"/v1/players/{ben.player}"):
        told(await ada.get(path), 401, "token_invalid")
    told(await ada.post("/v1/games", {}), 401, "token_invalid")
    told(await ada.post("/v1/tickets"), 401, "token_invalid")
    renaming = await world.http.patch("/v1/players/me", json={"name": "Eve"}, headers=ada.headers)
    told(renaming, 401, "token_invalid")
    told(await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token}), 401, "refresh_token_invalid")
    told(await ben.get(f"/v1/players/{ada.player}"), 404, "player_not_found")
    assert (await ben.get("/v1/players/me")).json()["name"] == "Ben"


async def test_erased_again_is_told_what_a_lost_answer_means(world: World) -> None:
    ada = await world.guest()
    await erase(ada)
    told(await world.http.delete("/v1/players/me", headers=ada.headers), 401, "token_invalid")


async def test_a_token_of_nobody_erases_nobody(world: World) -> None:
    ada = await world.guest()
    ada.access_token = world.parts.access.issue("00000000-0000-4000-8000-000000000000")
    told(await world.http.delete("/v1/players/me", headers=ada.headers), 401, "token_invalid")


async def test_all_answers_to_others_stay_the_same_but_for_the_name(world: World) -> None:
    ada, ben, cleo = [await world.guest(name) for name in (NAME, "Ben", "Cleo")]
    ended, underway = await played(ada, ben), await started(ben, ada, cleo)
    games, players = [ended, underway], [ben.player, cleo.player]
    readers = [ben, cleo, await world.guest("Looks on")]
    before = [await everything(reader, games, players) for reader in readers]
    assert NAME in str(before)
    await erase(ada)
    after = [await everything(reader, games, players) for reader in readers]
    for was, now in zip(before, after, strict=True):
        for path, answer in now.items():
            assert answer == renamed(was[path], ada.player), path
    assert NAME not in str(after)
    assert "someone" in str(after[0][f"/v1/games/{ended}"])
    assert "someone" in str(after[2][f"/v1/games/{ended}/replay?version=9&as=all"])
    assert after[0][f"/v1/games/{ended}/audit"][1]["ok"]
    assert ada.player.encode() in after[0][f"/v1/games/{ended}/export"][1]
    assert "someone" in str(after[2]["/v1/games"])


async def test_who_has_the_table_as_it_was_gets_it_anew(world: World) -> None:
    """Its version, which is its tag, is the same."""
    ada, ben = await world.guest(NAME), await world.guest("Ben")
    game = await started(ben, ada)
    first = await ben.get(f"/v1/games/{game}")
    await erase(ada)
    again = await ben.get(f"/v1/games/{game}", if_none_match=first.headers["etag"])
    assert again.status_code == 200
    assert again.headers["etag"] == first.headers["etag"]
    assert [seat["name"] for seat in again.json()["seats"]] == ["Ben", "someone"]


async def test_tables_at_which_nothing_has_begun_are_left(world: World) -> None:
    ada, ben = await world.guest(NAME), await world.guest("Ben")
    hosted, joined = await table(3, ada, ben), await table(3, ben, ada)
    await erase(ada)
    seen = (await ben.get(f"/v1/games/{hosted}")).json()
    assert (seen["status"], seen["result"]["reason"]) == ("abandoned", "host_left")
    assert [seat["player"] for seat in seen["seats"]] == [None, ben.player, None]
    seen = (await ben.get(f"/v1/games/{joined}")).json()
    assert (seen["status"], seen["version"]) == ("open", 4)
    assert [seat["player"] for seat in seen["seats"]] == [ben.player, None, None]
    cleo = await world.guest("Cleo")
    assert (await cleo.post(f"/v1/games/{joined}/seats", {})).json()["seat"] == 1


async def test_a_name_is_free_to_be_taken_by_others(world: World) -> None:
    ada, ben = await world.guest(NAME), await world.guest("someone")
    game = await started(ben, ada)
    await erase(ada)
    assert [seat["name"] for seat in (await ben.get(f"/v1/games/{game}")).json()["seats"]] == ["someone", "someone"]
    other = await world.guest(NAME)
    assert (await ben.get(f"/v1/players/{other.player}")).json()["name"] == NAME


async def test_a_ticket_of_who_was_erased_opens_nothing() -> None:
    async with running(extra_handlers=[door]) as world:
        ada = await world.guest()
        ticket = await ticket_of(ada)
        await erase(ada)
        told(await world.http.get(f"/v1/doors?ticket={ticket}"), 401, "ticket_invalid")
        # A process that does not know yet has given her one more.
        late = await world.parts.tickets.issue(ada.player)
        told(await world.http.get(f"/v1/doors?ticket={late.ticket}"), 401, "token_invalid")


async def test_a_command_over_an_open_socket_is_refused_like_any_other(world: World) -> None:
    """Also in the moment before the socket is ended."""
    ada, ben = await world.guest(), await world.guest("Ben")
    game = await started(ada, ben)
    before = await ben.version(game)
    inward: asyncio.Queue[Any] = asyncio.Queue()
    outward: asyncio.Queue[Any] = asyncio.Queue()
    headers = [(b"authorization", ada.headers["Authorization"].encode())]
    scope = {"type": "websocket", "path": f"/v1/games/{game}/ws", "query_string": b"", "headers": headers}
    serving = asyncio.create_task(world.app(cast("Any", scope), inward.get, outward.put))

    async def next_text(kind: str) -> dict[str, Any]:
        while True:
            told: dict[str, Any] = json.loads((await asyncio.wait_for(outward.get(), 10)).get("text", "{}"))
            if told.get("type") == kind:
                return told

    await inward.put({"type": "websocket.connect"})
    await next_text("view")
    world.parts.access.revoke(ada.player)
    for number in range(2):
        command = {"type": "command", "key": f"key-{number}", "command": {"type": "harvest", "field": 0}}
        await inward.put({"type": "websocket.receive", "text": json.dumps(command)})
        problem = await next_text("problem")
        assert (problem["code"], problem["status"], problem["key"]) == ("token_invalid", 401, f"key-{number}")
    await inward.put({"type": "websocket.disconnect"})
    await serving
    assert await ben.version(game) == before


@pytest.mark.parametrize("kind", ["stream", "ws"])
async def test_a_stream_that_is_being_opened_is_not_opened_to_who_was_erased(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    ada, ben = await world.guest(), await world.guest("Ben")
    game = await started(ada, ben)
    place = world.parts.games.place

    async def erased_meanwhile(game: str, player: str) -> Any:
        found = await place(game, player)
        await world.parts.erasures.erase(ada.player)
        return found

    monkeypatch.setattr(world.parts.games, "place", erased_meanwhile)
    watchers = REGISTRY.get_sample_value("bohnanza_live_watchers")
    sent: list[Any] = []
    inward: asyncio.Queue[Any] = asyncio.Queue()

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "websocket" if kind == "ws" else "http",
        "method": "GET",
        "path": f"/v1/games/{game}/{kind}",
        "query_string": b"",
        "headers": [(b"authorization", ada.headers["Authorization"].encode())],
        "extensions": {"websocket.http.response": {}},
    }
    if kind == "ws":
        await inward.put({"type": "websocket.connect"})
    else:
        await inward.put({"type": "http.request", "body": b"", "more_body": False})
    async with asyncio.timeout(10):
        await world.app(cast("Any", scope), inward.get, send)
    assert sent[0]["status"] == 401
    assert json.loads(b"".join(message.get("body", b"") for message in sent))["code"] == "token_invalid"
    assert REGISTRY.get_sample_value("bohnanza_live_watchers") == watchers
