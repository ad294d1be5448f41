"""Does the row of a game say what its events add up to? The first column that does not is named."""

from datetime import datetime
from typing import Final

from domain.events import Event, GameCreated
from domain.evolve import evolve, initial
from infra.postgres.inspection import HeadRow
from services.games.live_game import summary_of

_NONSENSE: Final = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""What folding an event raises that could not have happened in this game."""


class FoldedHead:
    """Takes the events of one game, and knows what its head row should be."""

    def __init__(self, game: str) -> None:
        self.state = initial(game)
        self.wrong: str | None = None

    def take(self, version: int, event: Event) -> None:
        """The next event. After a wrong one nothing more is looked at."""
        if self.wrong is not None:
            return
        if isinstance(event, GameCreated) != (version == 1):
            self.wrong = f"events.payload, version {version}: it cannot have happened in this game."
            return
        try:
            evolve(self.state, event)
        except _NONSENSE:
            self.wrong = f"events.payload, version {version}: it cannot have happened in this game."

    def compare(
        self, head: HeadRow, version: int, hashes: tuple[bytes, bytes], created_at: datetime | None
    ) -> str | None:
        """What is wrong with the head row, if anything is. `hashes`: where the chain of the events begins and ends."""
        if self.wrong is not None:
            return self.wrong
        said, right = head.summary, summary_of(self.state)
        compared = {
            "version": (head.version, version),
            "head_hash": (head.head_hash, hashes[1]),
            "header_hash": (head.header_hash, hashes[0]),
            "created_at": (head.created_at, created_at),
            "status": (said.status, right.status),
            "ruleset": (said.ruleset, right.ruleset),
            "seats": (said.seats, right.seats),
            "visibility": (said.visibility, right.visibility),
            "host": (said.host, right.host),
            "players": (said.players, right.players),
            # No game has a clock yet.
            "deadline": (head.has_deadline, False),
        }
        for column, (stored, folded) in compared.items():
            if stored != folded:
                return f"games.{column}: it is not what the events say."
        return None
