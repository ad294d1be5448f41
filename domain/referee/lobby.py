"""Before the first turn: who sits where, and the deal (rules, section 3; design, "State, commands, events")."""

import re
from collections import Counter
from typing import Final

from domain.events import (
    BotJoined,
    CardsDealt,
    DeckShuffled,
    GameAbandoned,
    GameCreated,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    TurnStarted,
)
from domain.referee.editions import edition
from domain.referee.fault import Wrong
from domain.referee.piles import put, take, taken_in
from domain.referee.seed import check_seed, check_start_seat, opened
from domain.referee.tabletop import Follows, Opens, Place, Plot, Tabletop

HOST_SEAT: Final = 0
LONGEST_NONCE: Final = 64
_HEX_256: Final = re.compile(r"[0-9a-f]{64}")


def created(
    game: str, seed: bytes | None, actor: int | None, event: GameCreated, *, actors_told: bool
) -> tuple[Tabletop, Follows]:
    """An empty table; its host sits down at once."""
    # Two fields are printing A of the duel, three are printing B; no other game has the option.
    printing = getattr(event.options, "duel_fields", None)
    duel_fields = printing if isinstance(printing, int) else None
    if duel_fields is not None and (event.ruleset, event.seats) != ("classic", 2):
        raise Wrong("unknown_edition", "duel_fields is an option of the game for two.")
    played = edition(event.rules_version, event.ruleset, event.seats, 2 if duel_fields is None else duel_fields)
    if played is None:
        said = f"{event.ruleset} for {event.seats} players"
        raise Wrong("unknown_edition", f"{said} is no edition of the rules, version {event.rules_version}.")
    if event.visibility not in ("public", "private"):
        raise Wrong("malformed", f"{event.visibility} is no visibility.")
    if not _HEX_256.fullmatch(event.commitment):
        raise Wrong("malformed", "The commitment is no SHA-256 in hexadecimal.")
    top = Tabletop(
        game=game,
        seed=None if seed is None else opened(seed.hex(), event.commitment),
        actors_told=actors_told,
        edition=played,
        options=event.options,
        has_clock=event.clock is not None,
        host=event.host,
        commitment=event.commitment,
        places=[Place() for _ in range(event.seats)],
    )
    top.only(HOST_SEAT, actor, "sets up the table")
    return top, _host_sits_down(top)


def joined(top: Tabletop, actor: int | None, event: PlayerJoined) -> Follows | None:
    """A player takes a free seat; with the last one the game may start by itself."""
    place = _free_place(top, event.seat)
    top.only(event.seat, actor, "sits a player down there")
    _sit_down(top, place, event)
    return _start_when_full(top)


def bot_joined(top: Tabletop, actor: int | None, event: BotJoined) -> Follows | None:
    """The host gives a free seat to a bot."""
    place = _free_place(top, event.seat)
    top.only(HOST_SEAT, actor, "gives a seat to a bot")
    place.policy = event.policy
    return _start_when_full(top)


def left(top: Tabletop, actor: int | None, event: PlayerLeft) -> Follows | None:
    """A seat becomes free; without its host the game is abandoned. A bot goes when the host says so."""
    top.in_phase("lobby", "Leaving")
    seat = event.seat
    if not 0 <= seat < len(top.places) or top.places[seat].free:
        raise Wrong("wrong_lobby", f"Nobody sits on seat {seat}.")
    if top.places[seat].policy is not None:
        top.only(HOST_SEAT, actor, "sends a bot away")
    else:
        top.only(seat, actor, "leaves")
    top.places[seat] = Place()
    return _abandoned(top) if seat == HOST_SEAT else None


def started(top: Tabletop, actor: int | None, _: GameStarted) -> Opens:
    """The host starts the game, once every seat is taken."""
    top.in_phase("lobby", "The start")
    top.only(HOST_SEAT, actor, "starts the game")
    if any(place.free for place in top.places):
        raise Wrong("wrong_lobby", "The game starts with empty seats.")
    return Opens(_start(top))


def _host_sits_down(top: Tabletop) -> Follows:
    event = yield PlayerJoined
    if not isinstance(event, PlayerJoined) or event.seat != HOST_SEAT or event.player != top.host:
        raise Wrong("wrong_lobby", f"The host {top.host} must sit down on seat {HOST_SEAT}.")
    _sit_down(top, top.places[HOST_SEAT], event)


def _sit_down(top: Tabletop, place: Place, event: PlayerJoined) -> None:
    if any(other.player == event.player for other in top.places):
        raise Wrong("wrong_lobby", f"Player {event.player} sits at the table already.")
    if len(event.nonce) > LONGEST_NONCE:
        raise Wrong("malformed", f"The nonce is longer than {LONGEST_NONCE} characters.")
    place.player = event.player
    place.nonce = event.nonce


def _free_place(top: Tabletop, seat: int) -> Place:
    top.in_phase("lobby", "Joining")
    if not 0 <= seat < len(top.places) or not top.places[seat].free:
        raise Wrong("wrong_lobby", f"Seat {seat} is not free.")
    return top.places[seat]


def _abandoned(top: Tabletop) -> Follows:
    event = yield GameAbandoned
    if not isinstance(event, GameAbandoned) or event.reason != "host_left":
        raise Wrong("out_of_place", "The game is abandoned because its host left.")
    check_seed(top, event.seed)
    top.phase = "over"


def _start_when_full(top: Tabletop) -> Follows | None:
    full = top.options.start_when_full and not any(place.free for place in top.places)
    return _start(top) if full else None


def _start(top: Tabletop) -> Follows:
    """Shuffle, then each seat, clockwise from the starting one, takes its whole hand from the top."""
    players = len(top.places)
    event = yield GameStarted
    if not isinstance(event, GameStarted) or event.seats != players or not 0 <= event.start_seat < players:
        raise Wrong("wrong_start_seat", f"One of {players} seats must start.")
    top.start_seat = event.start_seat
    top.started_at = top.version
    if top.seed is not None:
        check_start_seat(top, top.seed)
    for place in top.places:
        place.plots = [Plot(None, []) for _ in range(top.edition.fields)]
    event = yield DeckShuffled
    taken_in(top, event, list(Counter(top.edition.deck).elements()))
    for step, size in enumerate(top.edition.hands):
        seat = (top.start_seat + step) % players
        cards = take(top, size)
        yield CardsDealt(seat, cards)
        put(cards, top.places[seat].hand)
    yield TurnStarted(1, top.start_seat)
    top.turn = 1
    top.active = top.start_seat
    top.phase = "plant"
