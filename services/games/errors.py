"""Why a use case does not do what was asked. Every error has a code that stays."""

from domain.refusal import Refused


class GameError(Exception):
    """`detail` replaces the standing advice of the code. `version` is that of the game, None where there is no game
    or the caller may not know of it."""

    code: str

    def __init__(self, detail: str | None = None, version: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.version = version


class CommandRefused(GameError):
    """The rules refuse it at this version of the game."""

    def __init__(self, refusal: Refused, version: int) -> None:
        super().__init__(refusal.detail, version)
        self.code = refusal.code


class GameNotFound(GameError):
    """There is no such game, or the caller may not know of it."""

    code = "game_not_found"


class NotOffered(GameError):
    """No edition is played like that; the detail says what there is."""

    code = "malformed"


class NotYourSeat(GameError):
    """The caller has no seat in this game."""

    code = "not_your_seat"


class NotHost(GameError):
    """Only the host may do this."""

    code = "not_host"


class GameRunning(GameError):
    """The game has to be over first."""

    code = "game_running"


class StaleVersion(GameError):
    """The game is not at the version that the caller made a condition."""

    code = "stale_version"


class KeyReused(GameError):
    """The idempotency key belongs to another command."""

    code = "key_reused"


class TooManyStreams(GameError):
    """The player follows as many games at a time as one may."""

    code = "too_many_streams"


class HistoryUnreadable(GameError):
    """An event of this game is none that this program knows. Place and reason are for the log, not for the caller, and
    tell nothing of what is in the event."""

    code = "history_unreadable"

    def __init__(self, game: str, at_version: int, reason: str) -> None:
        super().__init__()
        self.game = game
        self.at_version = at_version
        self.reason = reason

    def __str__(self) -> str:
        return f"game {self.game}, version {self.at_version}: {self.reason}"


class Contention(GameError):
    """The command lost every race, or waited too long for its turn. It may have taken effect."""

    code = "busy"
