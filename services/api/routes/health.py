"""For whoever runs the server: is the process alive, and should it get work?"""

from litestar import get
from litestar.types import ASGIApp

from services.api.answers import answer
from services.api.parts import parts_of
from services.api.problems import ApiError, FieldError
from services.api.reference import health as reference
from services.api.requests import ApiRequest
from services.api.shapes import Alive, Ready


@get("/health/live", opt=reference.READ_LIVENESS.opt(), sync_to_thread=False)
def read_liveness() -> ASGIApp:
    """Asks nothing outside: a process must not be killed because a database is away."""
    return answer(Alive("alive"))


@get("/health/ready", opt=reference.READ_READINESS.opt())
async def read_readiness(request: ApiRequest) -> ASGIApp:
    """Ready if everything required is there; what is missing is named."""
    checks = await parts_of(request).readiness()
    missing = [check for check in checks if check.required and not check.ok]
    if missing:
        raise ApiError(
            code="not_ready",
            detail=f"Not ready: {', '.join(check.name for check in missing)}.",
            errors=[FieldError(check.name, check.detail) for check in checks if not check.ok],
        )
    return answer(Ready("ready", checks))
