"""The anchors over HTTP: for anybody, newest first, page by page."""

from datetime import date, timedelta

import httpx
import msgspec
import pytest

from domain.anchors import Anchor, statement
from infra.anchors import Proof
from infra.signing import is_signed
from services.audit.anchoring import Anchoring
from tests.exports import KEYS
from tests.services.api.application import World, told
from tests.services.api.finished import finished_game


async def anchored(world: World, days: int) -> list[dict[str, object]]:
    """So many days in a row, newest first, as they are shown."""
    made: list[Anchor] = []
    for number in range(days):
        said = (date(2026, 11, 1) + timedelta(days=number), 1, "ab" * 32, made[-1].hash if made else None)
        signed = KEYS.sign(statement(*said))
        made.append(Anchor(*said, signed.key, signed.signature))
        assert await world.parts.anchors.add(made[-1], [Proof(f"game {number}", [])])
    return [msgspec.to_builtins(anchor) for anchor in reversed(made)]


async def listed(world: World, **query: str | int) -> httpx.Response:
    return await world.http.get("/v1/anchors", params=query)


async def test_a_finished_game_is_anchored_and_anybody_may_read_that(world: World) -> None:
    game, _ = await finished_game(world)
    assert (await listed(world)).json() == {"anchors": [], "next": None}
    world.clock.advance(86_400)
    parts = world.parts
    await Anchoring(parts.audits._store, parts.anchors, KEYS.sign, world.clock).anchor()

    answer = await listed(world)

    assert answer.status_code == 200
    [shown] = answer.json()["anchors"]
    assert list(shown) == ["day", "games", "root", "previous", "key", "signature"]
    assert (shown["day"], shown["games"], shown["previous"]) == ("2026-11-30", 1, None)
    said = f'{{"day":"2026-11-30","games":1,"root":"{shown["root"]}","previous":null}}'
    assert is_signed(KEYS.public[0], said.encode(), shown["signature"])
    found = await parts.anchors.anchored(game)
    assert found is not None
    assert found.root == shown["root"]


async def test_anchors_are_paged(world: World) -> None:
    expected = await anchored(world, 5)
    assert (await listed(world)).json() == {"anchors": expected, "next": None}
    first = (await listed(world, limit=2)).json()
    assert first["anchors"] == expected[:2]
    second = (await listed(world, limit=2, cursor=first["next"])).json()
    assert second["anchors"] == expected[2:4]
    third = (await listed(world, limit=2, cursor=second["next"])).json()
    assert third == {"anchors": expected[4:], "next": None}


@pytest.mark.parametrize(
    "query", [{"limit": 0}, {"limit": 501}, {"limit": "x"}, {"cursor": "x"}, {"cursor": "2026-02-30"}, {"more": 1}]
)
async def test_what_makes_no_sense_is_malformed(world: World, query: dict[str, str | int]) -> None:
    told(await listed(world, **query), 400, "malformed")
