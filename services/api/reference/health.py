"""Health in the OpenAPI document."""

from typing import Final

from services.api.reference.operation import Operation
from services.api.shapes import Alive, Ready

READ_LIVENESS: Final = Operation(
    id="read_liveness",
    tag="health",
    summary="Is the process alive?",
    description="Asks nothing outside, so it says nothing about the database.",
    public=True,
    response=Alive,
    response_description="It answers.",
    response_example={"status": "alive"},
)

READ_READINESS: Final = Operation(
    id="read_readiness",
    tag="health",
    summary="Should it get work?",
    description=(
        "Asks the database and compares its schema with the one that this program needs. A Redis "
        "that is away is reported and is no reason to be unready: it costs latency only."
    ),
    public=True,
    response=Ready,
    response_description="It is ready.",
    response_example={
        "status": "ready",
        "checks": [
            {"name": "database", "ok": True, "required": True, "detail": "reachable"},
            {"name": "schema", "ok": True, "required": True, "detail": "current"},
            {"name": "redis", "ok": True, "required": False, "detail": "reachable"},
            {"name": "live", "ok": True, "required": True, "detail": "working"},
        ],
    },
    problems=("not_ready",),
)
