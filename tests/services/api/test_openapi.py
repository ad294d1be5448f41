"""The OpenAPI document: complete, true to the types, and readable without the network."""

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from litestar import get
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp

from services.api.answers import answer
from services.api.catalogue import KINDS
from services.api.reference.operation import Operation
from services.api.shapes import Alive
from tests.services.api.application import World, app_over, memory_parts, running, standing_clock

OTHER_TYPES = {"stream": "text/event-stream", "export": "application/jsonl"}
METHODS = {"get", "post", "patch", "delete"}


async def document(world: World) -> dict[str, Any]:
    response = await world.http.get("/schema/openapi.json")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    whole: dict[str, Any] = response.json()
    return whole


def operations(whole: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in whole["paths"].items():
        for method, operation in methods.items():
            assert method in METHODS
            yield path, method, operation


async def test_the_routes_are_those_of_the_design(world: World) -> None:
    found = {(method.upper(), path) for path, method, _ in operations(await document(world))}
    assert found == {
        ("POST", "/v1/players"),
        ("POST", "/v1/tokens"),
        ("POST", "/v1/tickets"),
        ("GET", "/v1/players/me"),
        ("PATCH", "/v1/players/me"),
        ("DELETE", "/v1/players/me"),
        ("GET", "/v1/players/{player}"),
        ("GET", "/v1/rulesets"),
        ("POST", "/v1/games"),
        ("GET", "/v1/games"),
        ("GET", "/v1/games/{game}"),
        ("POST", "/v1/games/{game}/seats"),
        ("DELETE", "/v1/games/{game}/seats/me"),
        ("POST", "/v1/games/{game}/start"),
        ("GET", "/v1/games/{game}/actions"),
        ("POST", "/v1/games/{game}/commands"),
        ("GET", "/v1/games/{game}/events"),
        ("GET", "/v1/games/{game}/replay"),
        ("GET", "/v1/games/{game}/stream"),
        ("GET", "/v1/games/{game}/ws"),
        ("GET", "/v1/games/{game}/export"),
        ("GET", "/v1/games/{game}/audit"),
        ("GET", "/v1/keys"),
        ("GET", "/v1/anchors"),
        ("GET", "/health/live"),
        ("GET", "/health/ready"),
    }


async def test_each_operation_is_described_with_examples_and_problems(world: World) -> None:
    whole = await document(world)
    assert whole["openapi"] == "3.1.0"
    tags = {tag["name"] for tag in whole["tags"]}
    ids = []
    for path, method, operation in operations(whole):
        name = f"{method} {path}"
        ids.append(operation["operationId"])
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", operation["operationId"]), name
        assert operation["summary"], name
        assert operation["description"], name
        assert set(operation["tags"]) <= tags, name
        if "requestBody" in operation:
            assert operation["requestBody"]["content"]["application/json"]["examples"], name
        success = next(status for status in operation["responses"] if status < "300")
        assert operation["responses"][success]["description"], name
        if success != "204":
            kind = OTHER_TYPES.get(path.rsplit("/", 1)[1], "application/json")
            assert "example" in operation["responses"][success]["content"][kind], name
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], f"{name} {parameter['name']}"
        problems = {status: response for status, response in operation["responses"].items() if status >= "400"}
        assert "500" in problems, name
        for status, response in problems.items():
            for code, example in response["content"]["application/problem+json"]["examples"].items():
                assert KINDS[code].status == int(status), name
                assert example["value"]["code"] == code, name
                assert f"`{code}`" in response["description"], name
        closed = {"access_token": []} in operation["security"]
        assert closed == ("401" in problems and "refresh_token_invalid" not in str(problems)), name
    assert len(ids) == len(set(ids))


async def test_every_code_belongs_to_an_operation_or_to_no_route_at_all(world: World) -> None:
    whole = json.dumps(await document(world))
    beside = {"not_found", "method_not_allowed", "head_too_large"}
    assert {code for code in KINDS if f'"{code}"' not in whole} == beside


async def test_the_command_is_a_union_told_apart_by_its_type(world: World) -> None:
    whole = await document(world)
    body = whole["paths"]["/v1/games/{game}/commands"]["post"]["requestBody"]["content"]["application/json"]
    mapping = body["schema"]["discriminator"]["mapping"]
    assert body["schema"]["discriminator"]["propertyName"] == "type"
    assert {
        "plant",
        "reveal",
        "offer",
        "accept",
        "reject",
        "withdraw",
        "end_trading",
        "harvest",
        "buy_field",
    } <= set(mapping)
    for tag, reference in mapping.items():
        schema = whole["components"]["schemas"][reference.rsplit("/", 1)[1]]
        assert schema["properties"]["type"]["enum"] == [tag]
        assert schema["additionalProperties"] is False


async def test_every_reference_leads_somewhere(world: World) -> None:
    whole = await document(world)
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(whole)))
    assert references == set(whole["components"]["schemas"])
    assert all(re.fullmatch(r"[a-zA-Z0-9._-]+", name) for name in references)


async def test_the_examples_are_what_the_types_read_and_write(world: World) -> None:
    described = 0
    for route in world.app.app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            operation = handler.opt.get("operation")
            if not isinstance(operation, Operation):
                continue
            described += 1
            for example in operation.request_examples.values():
                msgspec.convert(example.value, operation.request)
            if operation.response_type == "text/event-stream":
                for data in re.findall("^data: (.*)$", operation.response_example, re.MULTILINE):
                    assert msgspec.json.decode(data)["type"] in ("view", "events")
            elif operation.response_type == "application/jsonl":
                assert all(msgspec.json.decode(line) for line in operation.response_example.splitlines())
            elif operation.response is not None:
                read = msgspec.convert(operation.response_example, operation.response)
                assert set(msgspec.to_builtins(read)) == set(operation.response_example), operation.id
    # The socket is no route of the application.
    assert described == len(list(operations(await document(world)))) - 1


async def test_a_route_without_a_description_is_not_served() -> None:
    @get("/secret", sync_to_thread=False)
    def secret() -> ASGIApp:
        return answer({})

    with pytest.raises(TypeError, match="/v1/secret is not described"):
        app_over(memory_parts(standing_clock()), extra_handlers=[secret])


async def test_a_route_that_takes_tickets_says_so_and_what_can_be_wrong_with_one() -> None:
    operation = Operation(
        id="read_stream", tag="play", summary="A stream", description="For this test.", ticket=True, response=Alive
    )

    @get("/stream", opt=operation.opt(), sync_to_thread=False)
    def stream() -> ASGIApp:
        return answer(Alive("alive"))

    async with running(extra_handlers=[stream]) as world:
        whole = await document(world)
        described = whole["paths"]["/v1/stream"]["get"]
        assert described["security"] == [{"access_token": []}, {"ticket": []}]
        schemes = whole["components"]["securitySchemes"]
        assert (schemes["ticket"]["in"], schemes["ticket"]["name"]) == ("query", "ticket")
        problems = {
            code
            for response in described["responses"].values()
            for code in response["content"].get("application/problem+json", {}).get("examples", {})
        }
        assert {"ticket_invalid", "malformed", "store_unavailable", "token_missing", "token_invalid"} <= problems
        assert whole["paths"]["/v1/games"]["get"]["security"] == [{"access_token": []}]


async def test_the_page_needs_nothing_from_elsewhere(world: World) -> None:
    page = await world.http.get("/schema")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "//" not in page.text.replace("<!doctype", "")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    links = re.findall(r'(?:src|href)="([^":]+)"', page.text)
    assert "schema/swagger-ui-bundle.js" in links
    for link in links:
        asset = await world.http.get(f"/{link}")
        assert asset.status_code == 200, link
        assert asset.content, link
