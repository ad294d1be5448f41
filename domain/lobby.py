"""Before the first turn: a game is created, fills its seats, and starts
(rules, section 3; design, "Fairness")."""

from domain.cards import Card
from domain.events import (
    CardsDealt,
    DeckShuffled,
    Event,
    GameAbandoned,
    GameCreated,
    GameStarted,
    Options,
    PlayerJoined,
    PlayerLeft,
    TurnStarted,
    Visibility,
)
from domain.refusal import Refused
from domain.rulesets import RULES_VERSION, table_for
from domain.shuffle import commitment, shuffled, start_seat
from domain.state import State


def create(
    *,
    ruleset: str,
    seats: int,
    visibility: Visibility,
    options: Options,
    host: str,
    seed: bytes,
    nonce: str,
) -> list[Event]:
    """A new table; the host sits on seat 0. ValueError where the edition is not played like that."""
    table_for(ruleset, seats, options, RULES_VERSION)
    return [
        GameCreated(
            ruleset=ruleset,
            options=options,
            rules_version=RULES_VERSION,
            seats=seats,
            visibility=visibility,
            clock=None,
            host=host,
            commitment=commitment(seed),
        ),
        PlayerJoined(0, host, nonce),
    ]


def free_seat(state: State) -> int:
    """The lowest seat that nobody has taken. Raises Refused."""
    _refuse_when_over(state)
    free = next((index for index in range(len(state.seats)) if _is_free(state, index)), None)
    if free is None:
        raise Refused("game_full", "Every seat of this game is taken.")
    return free


def join(state: State, seat: int, player: str, nonce: str, seed: bytes) -> list[Event]:
    """The player sits down on that free seat. The last one starts the game, when it was created so."""
    joined = PlayerJoined(seat, player, nonce)
    still_free = sum(_is_free(state, index) for index in range(len(state.seats))) - 1
    if still_free or not state.options.start_when_full:
        return [joined]
    nonces = [other.nonce for other in state.seats]
    nonces[seat] = nonce
    return [joined, *_started(state, nonces, seed)]


def leave(state: State, seat: int, seed: bytes) -> list[Event]:
    """Give a seat back before the start. Without its host a game is abandoned. Raises Refused."""
    _refuse_when_over(state)
    if state.status != "open":
        raise Refused("already_started", "A seat can be left only before the start.")
    left = PlayerLeft(seat)
    if state.seats[seat].player == state.host:
        return [left, GameAbandoned("host_left", seed.hex())]
    return [left]


def start(state: State, seed: bytes) -> list[Event]:
    """Shuffle, deal, and the first turn. Raises Refused."""
    _refuse_when_over(state)
    if state.status != "open":
        raise Refused("already_started", f"The game is {state.status}.")
    if any(_is_free(state, index) for index in range(len(state.seats))):
        raise Refused("seats_open", "The game starts when every seat is taken.")
    return _started(state, [seat.nonce for seat in state.seats], seed)


def _refuse_when_over(state: State) -> None:
    if state.is_over:
        raise Refused("game_not_running", f"The game is {state.status}.")


def _is_free(state: State, index: int) -> bool:
    return state.seats[index].player is None and state.seats[index].policy is None


def _started(state: State, nonces: list[str], seed: bytes) -> list[Event]:
    table = state.table
    kinds = [bean for bean, count in table.deck.items() for _ in range(count)]
    first = start_seat(seed, state.game, nonces)
    deck = shuffled(seed, state.game, nonces, 1, kinds)
    events: list[Event] = [
        GameStarted(first, table.players),
        DeckShuffled(1, len(deck), list(deck)),
    ]
    dealt = 0
    for step, size in enumerate(table.hand_sizes):
        hand = [Card(dealt + place + 1, deck[dealt + place]) for place in range(size)]
        events.append(CardsDealt((first + step) % table.players, hand))
        dealt += size
    return [*events, TurnStarted(1, first)]
