"""A game step by step."""

from typing import get_args

from litestar import get
from litestar.params import FromPath
from litestar.types import ASGIApp
from msgspec import UNSET

from domain.replay import Viewpoint
from services.api.address import game_id, query
from services.api.answers import answer
from services.api.parts import parts_of
from services.api.reference import replay as reference
from services.api.requests import ApiRequest, misplaced
from services.api.shapes import ReplayQuery, SeatNumber, SeenAs


@get("/games/{game:str}/replay", opt=reference.READ_REPLAY.opt())
async def read_replay(request: ApiRequest, game: FromPath[str]) -> ASGIApp:
    """The table after one event, as it was to be seen from somewhere."""
    parts = parts_of(request)
    # First of all: to whom there is no such game, nothing that he asks about it is right or wrong.
    standing = await parts.replays.standing(game_id(game), request.user)
    wanted = query(request.scope, ReplayQuery)
    version = None if wanted.version is UNSET else wanted.version
    viewpoint = None if wanted.seen_as is UNSET else _viewpoint(wanted.seen_as, standing.seats)
    return answer(await parts.replays.step(standing, version, viewpoint))


def _viewpoint(seen_as: SeenAs, seats: int) -> Viewpoint:
    match seen_as:
        case "spectator" | "all":
            return seen_as
        case _ if int(seen_as) < seats:
            return int(seen_as)
    there_are = [*get_args(SeatNumber)[:seats], "spectator", "all"]
    raise misplaced("$.as", f"Expected one of {', '.join(there_are)}")
