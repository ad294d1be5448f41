"""Event by event: is it allowed to that actor now, is it what the rules give, and does it follow at once what asked
for it? The first event that is not is named; after it nothing can be said any more."""

from collections.abc import Callable
from typing import Any, Final

from domain.events import (
    EVENT_TYPES,
    BeanPlanted,
    BotJoined,
    CardDiscarded,
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    CardsSwept,
    ClockExpired,
    DeckExhausted,
    DeckShuffled,
    Event,
    FieldBought,
    FieldHarvested,
    GameAbandoned,
    GameCreated,
    GameEnded,
    GameStarted,
    GiftsLeft,
    OfferRejected,
    OfferVoided,
    OfferWithdrawn,
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    SeatReclaimed,
    TradeCompleted,
    TradeOffered,
    TradingEnded,
    TurnStarted,
)
from domain.referee.absence import clock_expired, handed_over, reclaimed
from domain.referee.duel import discarded, left_over
from domain.referee.fault import Fault, Reason, Wrong, told
from domain.referee.fields import bought, harvested
from domain.referee.lobby import HOST_SEAT, bot_joined, created, joined, left, started
from domain.referee.planting import planted
from domain.referee.tabletop import Follows, Opens, Tabletop, who
from domain.referee.trading import completed, ended, offered, rejected, withdrawn
from domain.referee.turn import revealed


class Referee:
    """Follows one game from its first event. Needs memory for the table and its shuffles, not for the history.

    `seed`: where it is known beforehand, a wrong shuffle is named when it comes; otherwise when the last event
    reveals the seed, and then as the event that it was. One that does not open the commitment is left aside, and the
    last event found wrong. `actors_told` False: the history does not say who acted, and nothing is said about it.
    """

    def __init__(self, game: str, *, seed: bytes | None = None, actors_told: bool = True) -> None:
        self._game = game
        self._actors_told = actors_told
        self._seed = seed
        self._version = 0
        self._top: Tabletop | None = None
        self._fault: Fault | None = None
        self._follows: Follows | None = None
        self._expected: Event | type[Event] = GameCreated
        self._actor: int | None = None

    @property
    def server_chose_alone(self) -> bool:
        """Whether the game began without a nonce from anybody but its host, whose own came in the request in which the
        server drew the seed."""
        top = self._top
        if top is None or top.started_at == 0:
            return False
        return not any(place.nonce for seat, place in enumerate(top.places) if seat != HOST_SEAT)

    def check(self, version: int, seat: int | None, event: Event) -> Fault | None:
        """The next line of the history: what is wrong with it, or None. `seat` is who acted. After a fault every
        further call gives that first fault again. Never raises, whatever the history holds."""
        if self._fault is None:
            try:
                self._take(version, seat, event)
            except Wrong as wrong:
                self._fault = Fault(wrong.version or version, wrong.reason, wrong.sentence)
            except _NONSENSE as error:
                self._fault = Fault(version, "malformed", f"The event makes no sense: {error}.")
        return self._fault

    def finish(self, *, running: bool = False) -> Fault | None:
        """Nothing comes any more: the game must be over, or, if it may be `running`, between two commands."""
        if self._fault is None:
            if self._follows is not None or self._top is None:
                self._fault = Fault(self._version + 1, "must_follow", f"{_named(self._expected)} must follow.")
            elif self._top.phase != "over" and not running:
                self._fault = Fault(self._version + 1, "unfinished", "The history stops before the end of the game.")
        return self._fault

    def _take(self, version: int, seat: int | None, event: Event) -> None:
        if version != self._version + 1:
            first = min(version, self._version + 1)
            raise Wrong("wrong_version", f"Version {version} follows version {self._version}.", max(first, 1))
        self._version = version
        top = self._top
        if top is None:
            self._open(seat, event)
            return
        top.version = version
        if self._follows is not None:
            self._take_next(seat, event, self._follows)
            return
        if top.phase == "over":
            raise Wrong("after_the_end", f"{_named(event)} comes after the end of the game.")
        if top.rejection is not None and type(event) is not TradeOffered:
            top.rejection = None
        follows = _RULES[type(event)](top, seat, event)
        if follows is not None:
            self._actor = seat
            if isinstance(follows, Opens):
                self._expected = next(follows.follows)
                self._take_next(seat, event, follows.follows)
            else:
                self._follows = follows
                self._expected = next(follows)

    def _open(self, seat: int | None, event: Event) -> None:
        if not isinstance(event, GameCreated):
            raise Wrong("out_of_place", f"A history begins with game_created, not with {_named(event)}.")
        self._top, follows = created(self._game, self._seed, seat, event, actors_told=self._actors_told)
        self._actor = seat
        self._follows = follows
        self._expected = next(follows)

    def _take_next(self, seat: int | None, event: Event, follows: Follows) -> None:
        expected = self._expected
        if event is not expected and event != expected:
            _check_type(event, expected)
        if seat != self._actor and self._actors_told:
            raise Wrong("wrong_actor", f"{who(seat)} acts amid what {who(self._actor).lower()} set off.")
        try:
            self._expected = follows.send(event)
            self._follows = follows
        except StopIteration:
            self._follows = None


def _check_type(event: Event, expected: Event | type[Event]) -> None:
    """Raises unless the expectation is a type, and the event is of it."""
    if isinstance(expected, type):
        if type(event) is not expected:
            raise Wrong("must_follow", f"{_named(expected)} must follow at once, not {_named(event)}.")
        return
    if type(event) is not type(expected):
        raise Wrong("must_follow", f"{_named(expected)} must follow at once, not {_named(event)}.")
    names = expected.__struct_fields__
    name = next(name for name in names if getattr(event, name) != getattr(expected, name))
    said, right = getattr(event, name), getattr(expected, name)
    reason: Reason = "wrong_payout" if name in ("coins", "discarded") else _REASONS[type(expected)]
    raise Wrong(reason, f"{name} of {_named(event)} is {told(said)}; by the rules it is {told(right)}.")


def _named(event: Event | type[Event]) -> str:
    tag = event.__struct_config__.tag
    return str(tag)


def _consequence(_top: Tabletop, _actor: int | None, event: Event) -> Follows | None:
    raise Wrong("out_of_place", f"{_named(event)} comes only as the consequence of something else.")


_NONSENSE: Final = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""What an event raises that no encoding of an event could hold, such as a text in place of a number."""

_REASONS: Final[dict[type[Event], Reason]] = {
    CardsDealt: "wrong_deal",
    CardsDrawn: "wrong_draw",
    CardsRevealed: "wrong_reveal",
    CardsSwept: "wrong_sweep",
    GiftsLeft: "wrong_gifts",
    DeckExhausted: "wrong_exhaustion",
    TurnStarted: "wrong_turn",
    FieldHarvested: "wrong_harvest",
    OfferVoided: "wrong_void",
}
"""Why an event is wrong that must follow, and does, but says something else."""

_RULES: Final[dict[type[Event], Callable[[Tabletop, int | None, Any], Follows | Opens | None]]] = {
    BeanPlanted: planted,
    TradeOffered: offered,
    OfferRejected: rejected,
    CardsRevealed: revealed,
    DeckShuffled: revealed,
    TradingEnded: ended,
    FieldHarvested: harvested,
    TradeCompleted: completed,
    OfferWithdrawn: withdrawn,
    FieldBought: bought,
    CardDiscarded: discarded,
    GiftsLeft: left_over,
    PlayerJoined: joined,
    BotJoined: bot_joined,
    PlayerLeft: left,
    GameStarted: started,
    ClockExpired: clock_expired,
    SeatHandedOver: handed_over,
    SeatReclaimed: reclaimed,
    GameCreated: _consequence,
    CardsDealt: _consequence,
    CardsDrawn: _consequence,
    GameEnded: _consequence,
    TurnStarted: _consequence,
    CardsSwept: _consequence,
    OfferVoided: _consequence,
    DeckExhausted: _consequence,
    GameAbandoned: _consequence,
}

if set(_RULES) != set(EVENT_TYPES):
    raise RuntimeError("Every event type needs a rule in domain.referee.")
