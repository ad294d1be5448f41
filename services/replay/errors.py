"""Why a step is not shown."""

from services.games.errors import GameError


class NotRevealed(GameError):
    """What another seat holds is shown when the game is over, not before."""

    code = "not_revealed"


class VersionNotFound(GameError):
    """The game has no such version, or none yet."""

    code = "version_not_found"
