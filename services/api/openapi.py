"""The OpenAPI 3.1 document, made from the routes that exist and the types that they use.

A route without a description cannot be served: making the document fails, and with it the start.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from litestar.routes import BaseRoute, HTTPRoute

from services.api.catalogue import KINDS
from services.api.problems import MEDIA_TYPE, Problem, problem
from services.api.reference.live import SOCKETS
from services.api.reference.operation import Operation, Parameter

API_VERSION: Final = "1"
_REFERENCE: Final = "#/components/schemas/{name}"

_DESCRIPTION: Final = """\
Sign in as a guest, create or join a game, and play it with commands. Every command is durable \
before it is answered, and one that is sent twice with the same `Idempotency-Key` has one effect.

Where 429 is listed, a client that asks for too much at once is told by `Retry-After` how long to wait; what he asked \
for has not happened.

Whatever is not a success is a problem document (RFC 9457) with a `code` that stays. What the rules \
hide from you is in no answer.
"""

_METHODS: Final = ("GET", "POST", "PATCH", "DELETE")

_TAGS: Final = {
    "players": "Guests, tokens and profiles.",
    "rulesets": "The editions of the game.",
    "games": "Creating, finding, joining and leaving games.",
    "play": "Commands, and what came of them.",
    "live": "What happens in a game, as it happens.",
    "replay": "What has happened in a game, step by step.",
    "audit": "Finished games, to be checked by anybody.",
    "health": "For whoever runs the server.",
}


def openapi_document(routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """The document for those routes; TypeError names a route that is not described."""
    described = [*_operations(routes), *((path, "GET", operation) for path, operation in SOCKETS.items())]
    paths_in_order = list(dict.fromkeys(path for path, _, _ in described))
    # The routes keep their methods in sets; the document is the same in every process.
    operations = sorted(described, key=lambda found: (paths_in_order.index(found[0]), _METHODS.index(found[1])))
    types = [
        shape
        for _, _, operation in operations
        for shape in (operation.request, operation.response, operation.messages)
        if shape is not None
    ]
    schemas, components = msgspec.json.schema_components([*types, Problem], ref_template=_REFERENCE)
    schema_of = {id(shape): schema for shape, schema in zip(types, schemas, strict=False)}
    paths: dict[str, dict[str, Any]] = {}
    for path, method, operation in operations:
        paths.setdefault(path, {})[method.lower()] = _described(operation, schema_of, schemas[-1])
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Bohnanza",
            "version": API_VERSION,
            "summary": "The bean trading game over HTTP.",
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "This server."}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "access_token": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "The `access_token` of `POST /v1/players` or `POST /v1/tokens`.",
                },
                "ticket": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "ticket",
                    "description": "The `ticket` of `POST /v1/tickets`, where no header can be set.",
                },
            },
        },
    }


def _operations(routes: Iterable[BaseRoute]) -> Iterable[tuple[str, str, Operation]]:
    for route in routes:
        if not isinstance(route, HTTPRoute):
            continue
        path = route.path_format
        for handler in route.route_handlers:
            if not handler.resolve_include_in_schema():
                continue
            for method in sorted(handler.http_methods):
                operation = handler.opt.get("operation")
                if not isinstance(operation, Operation):
                    msg = f"{method} {path} is not described."
                    raise TypeError(msg)
                yield path, method, operation


def _described(
    operation: Operation, schema_of: dict[int, dict[str, Any]], problem_schema: dict[str, Any]
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": _security(operation),
    }
    parameters = [_parameter(parameter) for parameter in operation.parameters]
    if operation.query is not None:
        parameters.extend(_query_parameters(operation.query))
    if parameters:
        described["parameters"] = parameters
    if operation.request is not None:
        described["requestBody"] = {
            "required": not operation.request_optional,
            "content": {
                "application/json": {
                    "schema": schema_of[id(operation.request)],
                    "examples": msgspec.to_builtins(operation.request_examples),
                }
            },
        }
    if operation.messages is not None:
        described["x-messages"] = {"description": "What you send.", "schema": schema_of[id(operation.messages)]}
    described["responses"] = {
        str(operation.status): _success(operation, schema_of),
        **({"304": _not_modified()} if operation.not_modified else {}),
        **_problems(operation, problem_schema),
    }
    return described


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    """The ways to say who is calling, of which one is enough."""
    schemes = [] if operation.public else ["access_token", *(["ticket"] if operation.ticket else [])]
    return [{scheme: []} for scheme in schemes]


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "description": parameter.description,
        "schema": parameter.schema,
        "example": parameter.example,
    }


def _query_parameters(shape: Any) -> Iterable[dict[str, Any]]:
    (reference,), components = msgspec.json.schema_components([shape], ref_template=_REFERENCE)
    schema = components[reference["$ref"].rsplit("/", 1)[1]]
    for name, field in schema["properties"].items():
        plain = dict(field)
        description = plain.pop("description", "")
        examples = plain.pop("examples", None)
        parameter = {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": description,
            "schema": plain,
        }
        if examples:
            parameter["example"] = examples[0]
        yield parameter


def _success(operation: Operation, schema_of: dict[int, dict[str, Any]]) -> dict[str, Any]:
    success: dict[str, Any] = {"description": operation.response_description}
    if operation.response_headers:
        success["headers"] = {
            name: {
                "description": header.description,
                "schema": {"type": "string"},
                "example": header.example,
            }
            for name, header in operation.response_headers.items()
        }
    if operation.response is not None:
        success["content"] = {
            operation.response_type: {
                "schema": schema_of[id(operation.response)],
                "example": msgspec.to_builtins(operation.response_example),
            }
        }
    return success


def _not_modified() -> dict[str, Any]:
    return {"description": "You have this already: the version in `If-None-Match` is current."}


def _problems(operation: Operation, problem_schema: dict[str, Any]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in operation.all_problems():
        by_status.setdefault(KINDS[code].status, []).append(code)
    return {
        str(status): {
            "description": "\n".join(f"- `{code}`: {KINDS[code].title}." for code in codes),
            "content": {
                MEDIA_TYPE: {
                    "schema": problem_schema,
                    "examples": {
                        code: {
                            "summary": KINDS[code].title,
                            "value": msgspec.to_builtins(problem(code)),
                        }
                        for code in codes
                    },
                }
            },
        }
        for status, codes in by_status.items()
    }
