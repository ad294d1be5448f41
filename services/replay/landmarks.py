"""The versions around one at which a turn begins or a trade is made: where a reader may want to go from there."""

from typing import Final

from domain.events import Event, TradeCompleted, TurnStarted


class Landmarks:
    """The nearest ones before and behind a version, as far as the history has been passed."""

    def __init__(self, version: int) -> None:
        self._version: Final = version
        self.previous_turn: int | None = None
        self.next_turn: int | None = None
        self.previous_trade: int | None = None
        self.next_trade: int | None = None

    @property
    def are_found(self) -> bool:
        """Whether nothing that is still to come can be one of them."""
        return self.next_turn is not None and self.next_trade is not None

    def notice(self, version: int, event: Event) -> None:
        """The event of that version; to be told of each in its order."""
        if isinstance(event, TurnStarted):
            if version < self._version:
                self.previous_turn = version
            elif version > self._version and self.next_turn is None:
                self.next_turn = version
        elif isinstance(event, TradeCompleted):
            if version < self._version:
                self.previous_trade = version
            elif version > self._version and self.next_trade is None:
                self.next_trade = version
