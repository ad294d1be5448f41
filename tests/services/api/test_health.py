"""Liveness asks nobody; readiness goes by what is required."""

import pytest

from infra.event_store import StoreUnavailable
from services.api.shapes import CheckResult
from tests.services.api.application import World, running, told


async def nothing_outside() -> list[CheckResult]:
    raise StoreUnavailable("nobody should have asked")


def check(name: str, *, ok: bool, required: bool) -> CheckResult:
    return CheckResult(name, ok=ok, required=required, detail="away" if not ok else "there")


async def test_a_live_process_says_so_when_everything_else_is_away() -> None:
    async with running(readiness=nothing_outside) as world:
        answer = await world.http.get("/health/live")
        assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


async def test_a_ready_process_lists_what_it_leans_on(world: World) -> None:
    answer = await world.http.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ready"
    assert answer.json()["checks"]


async def test_a_redis_that_is_away_is_reported_and_no_reason_to_be_unready() -> None:
    async def readiness() -> list[CheckResult]:
        return [check("database", ok=True, required=True), check("redis", ok=False, required=False)]

    async with running(readiness=readiness) as world:
        answer = await world.http.get("/health/ready")
        assert answer.status_code == 200
        assert [row["ok"] for row in answer.json()["checks"]] == [True, False]


@pytest.mark.parametrize("missing", ["database", "schema"])
async def test_what_is_required_and_missing_makes_it_unready(missing: str) -> None:
    async def readiness() -> list[CheckResult]:
        return [check(name, ok=name != missing, required=True) for name in ("database", "schema")]

    async with running(readiness=readiness) as world:
        answer = await world.http.get("/health/ready")
        problem = told(answer, 503, "not_ready")
        assert missing in problem["detail"]
        assert problem["errors"] == [{"path": missing, "message": "away"}]
        assert answer.headers["retry-after"] == "1"
