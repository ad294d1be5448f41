"""What the routes work with. One set per process, made when it starts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from infra.anchors import AnchorStore
from infra.players import PlayerStore
from infra.signing import SigningKeys
from services.api.freshness import SentViews
from services.api.requests import ApiRequest
from services.api.shapes import CheckResult
from services.audit.audits import Audits
from services.audit.exports import Exports
from services.erasure.erasures import Erasures
from services.games.games import Games
from services.identity.access import AccessTokens
from services.identity.sessions import Sessions
from services.identity.tickets import Tickets
from services.limits.limits import Limits
from services.live.live import Live
from services.replay.replays import Replays


@dataclass(frozen=True, slots=True)
class Parts:
    """`readiness` asks what is outside; `body_limit` in bytes."""

    games: Games
    live: Live
    erasures: Erasures
    replays: Replays
    players: PlayerStore
    access: AccessTokens
    sessions: Sessions
    tickets: Tickets
    limits: Limits
    signing: SigningKeys
    exports: Exports
    audits: Audits
    anchors: AnchorStore
    readiness: Callable[[], Awaitable[list[CheckResult]]]
    body_limit: int
    sent_views: SentViews = field(default_factory=SentViews)


def parts_of(request: ApiRequest) -> Parts:
    """The parts of the application that the request came to."""
    parts: Parts = request.app.state["parts"]
    return parts
