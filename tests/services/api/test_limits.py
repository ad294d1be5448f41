"""Limits over HTTP: who asks for too much is told to wait, and nothing has happened."""

from typing import Any

import pytest
from prometheus_client import REGISTRY

from services.limits.limits import Limits
from tests.services.api.application import Caller, World, running, standing_clock, told
from tests.services.api.test_openapi import document, operations

LIMITED = {
    ("post", "/v1/players"),
    ("post", "/v1/tokens"),
    ("post", "/v1/tickets"),
    ("post", "/v1/games"),
    ("post", "/v1/games/{game}/commands"),
    ("get", "/v1/games/{game}/stream"),
    ("get", "/v1/games/{game}/ws"),
}


def limited(**per_second: int) -> Any:
    """An application with those limits, and none else."""
    clock = standing_clock()
    rates = {"commands": 0, "requests": 0, "address_requests": 0, **per_second}
    return running(clock=clock, limits=Limits(clock, **rates))


async def first_plant(caller: Caller, game: str) -> dict[str, Any]:
    listed = (await caller.get(f"/v1/games/{game}/actions")).json()["actions"]
    command: dict[str, Any] = next(row["command"] for row in listed if row["command"]["type"] == "plant")
    return command


async def active(callers: list[Caller], game: str) -> Caller:
    seat: int = (await callers[0].get(f"/v1/games/{game}")).json()["active"]
    return callers[seat]


def rate_limited_so_far() -> float:
    return REGISTRY.get_sample_value("bohnanza_problems_total", {"code": "rate_limited"}) or 0.0


async def test_commands_beyond_the_limit_wait_and_the_same_key_is_good_afterwards() -> None:
    async with limited(commands=1) as world:
        game, callers = await world.started_game()
        player = await active(callers, game)
        plant = await first_plant(player, game)
        for key in "abc":
            told(await player.command(game, {"type": "end_trading"}, key), 409, "wrong_phase")
        before, counted = await player.version(game), rate_limited_so_far()
        answer = await player.command(game, plant, "mine")
        told(answer, 429, "rate_limited")
        assert answer.headers["retry-after"] == "1"
        assert rate_limited_so_far() == counted + 1
        assert await player.version(game) == before
        world.clock.advance(1)
        done = await player.command(game, plant, "mine")
        assert (done.status_code, done.json()["replayed"]) == (200, False)
        assert done.json()["version"] == before + 1


async def test_a_copy_of_a_command_that_was_carried_out_counts_as_well() -> None:
    async with limited(commands=1) as world:
        game, callers = await world.started_game()
        player = await active(callers, game)
        plant = await first_plant(player, game)
        answers = [await player.command(game, plant, "mine") for _ in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        world.clock.advance(1)
        again = await player.command(game, plant, "mine")
        assert (again.status_code, again.json()["replayed"]) == (200, True)


async def test_one_player_is_limited_and_the_others_at_his_table_are_not() -> None:
    async with limited(commands=1) as world:
        game, callers = await world.started_game()
        for _ in range(3):
            await callers[0].command(game, {"type": "reveal"})
        told(await callers[0].command(game, {"type": "reveal"}), 429, "rate_limited")
        assert (await callers[1].command(game, {"type": "reveal"})).status_code == 409
        assert (await callers[0].get(f"/v1/games/{game}")).status_code == 200
        assert (await callers[0].get(f"/v1/games/{game}/actions")).status_code == 200


async def test_the_wait_is_told_in_whole_seconds_rounded_up() -> None:
    async with limited(address_requests=2) as world:
        for _ in range(6):
            await world.guest()
        answer = await world.http.post("/v1/players", json={"name": "Ada"})
        told(answer, 429, "rate_limited")
        assert answer.headers["retry-after"] == "1"
        world.clock.advance(0.5)
        await world.guest()


async def test_tables_and_tickets_count_for_their_player() -> None:
    async with limited(requests=1) as world:
        ada, ben = await world.guest(), await world.guest("Ben")
        assert (await ada.post("/v1/games", {"seats": 3})).status_code == 201
        assert (await ada.post("/v1/tickets")).status_code == 201
        assert (await ada.post("/v1/games", {"seats": 3})).status_code == 201
        told(await ada.post("/v1/games", {"seats": 3}), 429, "rate_limited")
        told(await ada.post("/v1/tickets"), 429, "rate_limited")
        assert (await ben.post("/v1/tickets")).status_code == 201
        listed = (await ada.get(f"/v1/games?player={ada.player}")).json()
        assert len(listed["games"]) == 2


async def test_guests_and_tokens_count_for_their_address_and_use_no_token_up() -> None:
    async with limited(address_requests=1) as world:
        ada = await world.guest()
        told(await world.http.post("/v1/tokens", json={"refresh_token": "nonsense"}), 401, "refresh_token_invalid")
        await world.guest()
        told(await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token}), 429, "rate_limited")
        # His own table is no matter of his address.
        assert (await ada.post("/v1/games", {"seats": 3})).status_code == 201
        world.clock.advance(1)
        renewed = await world.http.post("/v1/tokens", json={"refresh_token": ada.refresh_token})
        assert renewed.status_code == 201


async def test_who_is_not_known_does_not_use_up_what_others_may_do() -> None:
    async with limited(commands=1, requests=1) as world:
        game, callers = await world.started_game()
        ada = await active(callers, game)
        for _ in range(10):
            told(await world.http.post("/v1/games", headers={"Authorization": "Bearer x"}), 401, "token_invalid")
        plant = await first_plant(ada, game)
        assert (await ada.command(game, plant)).status_code == 200


@pytest.mark.parametrize("count", [100])
async def test_nothing_of_it_counts_where_the_settings_are_0(count: int) -> None:
    async with limited() as world:
        for _ in range(count):
            await world.guest()


async def test_the_document_lists_429_where_it_can_happen_and_nowhere_else(world: World) -> None:
    found = {
        (method, path)
        for path, method, operation in operations(await document(world))
        if "rate_limited" in operation["responses"].get("429", {"description": ""})["description"]
    }
    assert found == LIMITED
